import { parentPort, workerData } from "node:worker_threads";
import { createModelSession, type ModelSession, type ModelSessionOptions } from "./model-session.ts";
import type { Reply, Request } from "./workers.ts";

/** A worker thread that holds one loaded model. It loads at the first request, so that a failure is an answer. */
let session: Promise<ModelSession> | undefined;

parentPort?.on("message", async ({ id, texts }: Request) => {
  try {
    session ??= createModelSession(workerData as ModelSessionOptions);
    const vectors = await (await session).embed(texts);
    const reply: Reply = { id, vectors };
    parentPort?.postMessage(
      reply,
      vectors.map((vector) => vector.buffer as ArrayBuffer),
    );
  } catch (error) {
    session = undefined;
    const { code, facts } = error as { code?: unknown; facts?: unknown };
    const message = error instanceof Error ? error.message : String(error);
    parentPort?.postMessage({ id, error: { message, code, facts } });
  }
});
