import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { loadRuntime } from "../src/models/local/runtime.ts";
import type { LocalSpeedTask } from "./local-speed-run.ts";

/** ONNX Runtime by itself: a session that is fed with token ids of like length, and whose output nobody reads. */
interface SessionData extends LocalSpeedTask {
  readonly folder: string;
  readonly modelFile: string;
  readonly rows: readonly (readonly number[])[];
}

const { runtime: kind, threads, batch, folder, modelFile, rows } = workerData as SessionData;
const runtime = await loadRuntime(kind);
runtime.env.logLevel = "fatal";
if (kind === "web") runtime.env.wasm.numThreads = threads;
const path = join(folder, modelFile);
const session =
  kind === "node"
    ? await runtime.InferenceSession.create(path, { intraOpNumThreads: threads })
    : await runtime.InferenceSession.create(await readFile(path), { executionProviders: ["wasm"] });

const sorted = rows.toSorted((a, b) => a.length - b.length);
await run(sorted.slice(0, batch));
parentPort?.postMessage("ready");
parentPort?.once("message", async () => {
  for (let at = 0; at < sorted.length; at += batch) await run(sorted.slice(at, at + batch));
  parentPort?.postMessage("done");
});

async function run(some: readonly (readonly number[])[]): Promise<void> {
  const width = Math.max(...some.map((ids) => ids.length));
  const of = (value: (ids: readonly number[], at: number) => number) =>
    new runtime.Tensor(
      "int64",
      BigInt64Array.from(
        some.flatMap((ids) => Array.from({ length: width }, (_, at) => BigInt(value(ids, at)))),
      ),
      [some.length, width],
    );
  const feeds: Record<string, unknown> = {
    input_ids: of((ids, at) => ids[at] ?? 0),
    attention_mask: of((ids, at) => (at < ids.length ? 1 : 0)),
    token_type_ids: of(() => 0),
  };
  const wanted = Object.entries(feeds).filter(([name]) => session.inputNames.includes(name));
  await session.run(Object.fromEntries(wanted));
}
