/** Ingests a folder into a new index, searches meanwhile, and writes what it took as one line of JSON. */
import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { listFiles } from "../src/ingest/load/index.ts";
import { openKonteks } from "../src/open.ts";
import { processorSeconds, watchMemory } from "./all-processes.ts";

const [folder = "", path = ""] = process.argv.slice(2);
const bytes = (await listFiles(folder)).reduce((sum, file) => sum + statSync(file.path).size, 0);
const konteks = await openKonteks({ path });
const start = performance.now();
const before = processorSeconds();
const memory = watchMemory();
let done = false;
const searching = searches();
const { chunks } = await konteks.ingest(folder);
done = true;
const seconds = (performance.now() - start) / 1000;
const cpu = processorSeconds() - before;
const mib = memory.peak();
const times = (await searching).sort((a, b) => a - b);
await konteks.close();
const p95 = times[Math.floor(times.length * 0.95)] ?? 0;
console.log(JSON.stringify({ chunks, bytes, seconds, cpu, mib, p95 }));

/** A question every 100 ms, each measured from when it was due. */
async function searches(): Promise<number[]> {
  const times: number[] = [];
  for (let due = start + 100; !done; due += 100) {
    await sleep(Math.max(0, due - performance.now()));
    await konteks.search("bagaimana komponen menyimpan keadaan", { k: 10 });
    times.push(performance.now() - due);
  }
  return times;
}
