import { Worker } from "node:worker_threads";
import { createLocalEmbedder } from "../src/models/local/embedder.ts";
import { loadEncoder } from "../src/models/local/encode.ts";
import { findModel } from "../src/models/local/folder.ts";
import type { LocalSpeedResult, LocalSpeedTask } from "./local-speed-run.ts";

/** Embeds in this process, and tells its parent what it took. */
process.once("message", async (task: LocalSpeedTask) => {
  process.send?.(await (task.what === "ours" ? measureOurs(task) : measureRuntime(task)));
  process.exit();
});

async function measureOurs(task: LocalSpeedTask): Promise<LocalSpeedResult> {
  const localThreads = task.workers * task.threads;
  const begun = performance.now();
  const options = { runtime: task.runtime, localThreads, localMemory: 64_000 };
  const embedder = await createLocalEmbedder(`local:${task.model}`, options);
  await embedder.embedQuery("first");
  const loadMs = performance.now() - begun;
  // Every thread loads the model before the time is taken.
  await embedder.embedDocuments(task.first);
  const speed = await timed(task.texts.length, () => embedder.embedDocuments(task.texts));
  const queryMs: number[] = [];
  for (const query of task.queries) {
    const asked = performance.now();
    await embedder.embedQuery(query);
    queryMs.push(performance.now() - asked);
  }
  const bytes = process.memoryUsage().rss;
  await embedder.close();
  return { ...speed, loadMs, queryMs, bytes };
}

async function measureRuntime(task: LocalSpeedTask): Promise<LocalSpeedResult> {
  const { folder, card } = await findModel(task.model);
  const prefix = "documentPrefix" in card ? card.documentPrefix : "";
  const encode = await loadEncoder(folder, card.maxTokens);
  const rows = task.texts.map((text) => encode(prefix + text).ids);
  const begun = performance.now();
  const url = new URL("./local-speed-session.ts", import.meta.url);
  const workers = Array.from({ length: task.workers }, (_, i) => {
    const own = rows.filter((_row, at) => at % task.workers === i);
    return new Worker(url, { workerData: { ...task, folder, modelFile: card.modelFile, rows: own } });
  });
  await Promise.all(workers.map(said));
  const loadMs = performance.now() - begun;
  const speed = await timed(rows.length, async () => {
    const done = workers.map(said);
    for (const worker of workers) worker.postMessage("go");
    await Promise.all(done);
  });
  const bytes = process.memoryUsage().rss;
  return { ...speed, loadMs, queryMs: [], bytes };
}

function said(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

async function timed(
  texts: number,
  work: () => Promise<unknown>,
): Promise<Pick<LocalSpeedResult, "chunksPerSecond" | "cpuMs">> {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  await work();
  const ms = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  return { chunksPerSecond: (1000 * texts) / ms, cpuMs: (user + system) / 1000 / texts };
}
