import { Worker } from "node:worker_threads";
import { type ErrorCode, type ErrorFacts, KonteksError } from "../../spec/index.ts";
import type { ModelSessionOptions } from "./model-session.ts";

export interface Request {
  readonly texts: readonly string[];
}

/** Vectors, or why there are none. */
export type Reply =
  | { readonly vectors: readonly Float32Array[] }
  | {
      readonly error: {
        readonly message: string;
        readonly code?: ErrorCode | undefined;
        readonly facts?: ErrorFacts | undefined;
      };
    };

/** A text that waits for its vector. */
export interface Waiting {
  readonly text: string;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread with the model in it; it does one batch at a time. */
export interface ModelThread {
  busy(): boolean;
  run(batch: readonly Waiting[]): void;
  end(): Promise<unknown>;
}

/** `onFree`: a batch is done. `onLost`: the thread is gone, and what it was doing has failed. */
export function startThread(
  options: ModelSessionOptions,
  onFree: () => void,
  onLost: (thread: ModelThread) => void,
): ModelThread {
  const { folder, card, runtime, threads } = options;
  const worker = new Worker(workerFile(), { workerData: { folder, card, runtime, threads } });
  let running: readonly Waiting[] = [];
  const thread: ModelThread = {
    busy: () => running.length > 0,
    run(batch) {
      running = batch;
      worker.ref();
      const request: Request = { texts: batch.map(({ text }) => text) };
      worker.postMessage(request);
    },
    end: () => worker.terminate(),
  };
  const lost = (cause: unknown) => {
    for (const { reject } of running) reject(failed(card.name, cause));
    running = [];
    onLost(thread);
  };
  worker.on("message", (reply: Reply) => {
    settle(running, reply, card.name);
    running = [];
    // An idle model does not keep the process alive.
    worker.unref();
    onFree();
  });
  worker.on("error", lost);
  worker.on("exit", () => lost(new Error("its thread ended")));
  return thread;
}

function settle(running: readonly Waiting[], reply: Reply, model: string): void {
  if ("error" in reply) {
    const { message, code, facts = {} } = reply.error;
    const error = code ? new KonteksError(code, message, { facts }) : failed(model, new Error(message));
    for (const { reject } of running) reject(error);
    return;
  }
  running.forEach(({ resolve, reject }, index) => {
    const vector = reply.vectors[index];
    if (vector === undefined) reject(failed(model, new Error("no vector came back")));
    else resolve(vector);
  });
}

function failed(model: string, cause: unknown): KonteksError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new KonteksError(
    "embedding-failed",
    `The local model ${model} failed: ${why}. Look at it with: konteks models test ${model}`,
    { facts: { model }, cause },
  );
}

/** The sources run as they are, and the build has another ending. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js", import.meta.url);
}
