import { parentPort, workerData } from "node:worker_threads";
import { isKonteksError } from "../../spec/errors.ts";
import { createModelSession, type ModelSession, type ModelSessionOptions } from "./model-session.ts";
import type { Reply, Request } from "./model-thread.ts";

/** A worker thread that holds one loaded model. It loads at the first request, so that a failure is an answer. */
let session: Promise<ModelSession> | undefined;
/** Until it has been told. */
let loadMs: number | undefined;

parentPort?.on("message", async ({ inputs }: Request) => {
  try {
    session ??= load();
    const results = await (await session).run(inputs);
    answer(
      { results, loadMs },
      results.map((result) => result.buffer as ArrayBuffer),
    );
    loadMs = undefined;
  } catch (error) {
    session = undefined;
    const known = isKonteksError(error) ? { code: error.code, facts: error.facts } : {};
    answer({ error: { message: error instanceof Error ? error.message : String(error), ...known } });
  }
});

async function load(): Promise<ModelSession> {
  const begun = performance.now();
  const loaded = await createModelSession(workerData as ModelSessionOptions);
  loadMs = performance.now() - begun;
  return loaded;
}

function answer(reply: Reply, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(reply, transfer);
}
