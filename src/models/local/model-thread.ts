import { Worker } from "node:worker_threads";
import { type ErrorCode, type ErrorFacts, KonteksError } from "../../spec/index.ts";
import type { ModelCard } from "./card.ts";
import type { ModelInput } from "./encode.ts";
import type { ModelSessionOptions } from "./model-session.ts";

export interface Request {
  readonly inputs: readonly ModelInput[];
}

/** Results, or why there are none. */
export type Reply =
  | {
      readonly results: readonly Float32Array[];
      /** Milliseconds that loading took, in the reply to the first request. */
      readonly loadMs?: number | undefined;
    }
  | {
      readonly error: {
        readonly message: string;
        readonly code?: ErrorCode | undefined;
        readonly facts?: ErrorFacts | undefined;
      };
    };

/** An input that waits for its result. */
export interface Waiting {
  readonly input: ModelInput;
  readonly resolve: (result: Float32Array) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread with the model in it; it does one batch at a time. */
export interface ModelThread {
  busy(): boolean;
  run(batch: readonly Waiting[]): void;
  end(): Promise<unknown>;
}

/** What is told of a thread. */
export interface ThreadEvents {
  /** A batch is done. */
  free(): void;
  /** The thread is gone, and what it was doing has failed. */
  lost(thread: ModelThread): void;
  readonly loaded?: ((ms: number) => void) | undefined;
}

export function startThread(options: ModelSessionOptions, events: ThreadEvents): ModelThread {
  const { folder, card, runtime, threads } = options;
  const worker = new Worker(workerFile(), { workerData: { folder, card, runtime, threads } });
  let running: readonly Waiting[] = [];
  const thread: ModelThread = {
    busy: () => running.length > 0,
    run(batch) {
      running = batch;
      worker.ref();
      const request: Request = { inputs: batch.map(({ input }) => input) };
      worker.postMessage(request);
    },
    end: () => worker.terminate(),
  };
  const lost = (cause: unknown) => {
    for (const { reject } of running) reject(failed(card, cause));
    running = [];
    events.lost(thread);
  };
  worker.on("message", (reply: Reply) => {
    if ("results" in reply && reply.loadMs !== undefined) events.loaded?.(reply.loadMs);
    settle(running, reply, card);
    running = [];
    // An idle model does not keep the process alive.
    worker.unref();
    events.free();
  });
  worker.on("error", lost);
  worker.on("exit", () => lost(new Error("its thread ended")));
  return thread;
}

function settle(running: readonly Waiting[], reply: Reply, card: ModelCard): void {
  if ("error" in reply) {
    const { message, code, facts = {} } = reply.error;
    const error = code ? new KonteksError(code, message, { facts }) : failed(card, new Error(message));
    for (const { reject } of running) reject(error);
    return;
  }
  running.forEach(({ resolve, reject }, index) => {
    const result = reply.results[index];
    if (result === undefined) reject(failed(card, new Error("no result came back")));
    else resolve(result);
  });
}

function failed({ name, task }: ModelCard, cause: unknown): KonteksError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new KonteksError(
    task === "rerank" ? "model-failed" : "embedding-failed",
    `The local model ${name} failed: ${why}. Look at it with: konteks models test ${name}`,
    { facts: { model: name }, cause },
  );
}

/** The sources run as they are, and the build has another ending. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js", import.meta.url);
}
