import { parentPort, workerData } from "node:worker_threads";
import { isKonteksError } from "../../spec/errors.ts";
import { createModelSession, type ModelSession, type ModelSessionOptions } from "./model-session.ts";
import type { Reply, Request } from "./model-thread.ts";

/** A worker thread that holds one loaded model. It loads at the first request, so that a failure is an answer. */
let session: Promise<ModelSession> | undefined;

parentPort?.on("message", async ({ texts }: Request) => {
  try {
    session ??= createModelSession(workerData as ModelSessionOptions);
    const vectors = await (await session).embed(texts);
    answer(
      { vectors },
      vectors.map((vector) => vector.buffer as ArrayBuffer),
    );
  } catch (error) {
    session = undefined;
    const known = isKonteksError(error) ? { code: error.code, facts: error.facts } : {};
    answer({ error: { message: error instanceof Error ? error.message : String(error), ...known } });
  }
});

function answer(reply: Reply, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(reply, transfer);
}
