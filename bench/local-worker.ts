import { writeFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { folderOf, type LocalTask, lookAt } from "./local-cases.ts";

const task = workerData as LocalTask;
const found = await lookAt(task);
await writeFile(`${folderOf(task)}.json`, JSON.stringify(found));
parentPort?.postMessage(found.cases.length);
