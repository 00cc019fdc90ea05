import { Worker } from "node:worker_threads";
import { type ErrorCode, type ErrorFacts, KonteksError } from "../../spec/index.ts";
import type { ModelSessionOptions } from "./model-session.ts";

export interface Request {
  readonly id: number;
  readonly texts: readonly string[];
}

/** Vectors, or why there are none. */
export type Reply =
  | { readonly id: number; readonly vectors: readonly Float32Array[] }
  | {
      readonly id: number;
      readonly error: { message: string; code?: ErrorCode | undefined; facts?: ErrorFacts };
    };

export interface WorkersOptions extends ModelSessionOptions {
  /** Worker threads, each with the model in memory. */
  readonly workers: number;
  /** Most texts in one run. */
  readonly batch: number;
}

export interface EmbedTask {
  /** Before everything that waits: someone is waiting for the answer. */
  readonly urgent?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A model in worker threads, so that the event loop stays free. */
export interface Workers {
  embed(texts: readonly string[], task?: EmbedTask): Promise<readonly Float32Array[]>;
  /** Ends the threads; what waits fails. */
  close(): Promise<void>;
}

/** A text that waits for its vector. */
interface Waiting {
  readonly text: string;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  running: readonly Waiting[];
}

/**
 * Texts wait in one line, and a free thread takes the first together with those of most like length, so that little of a
 * batch is padding. Threads begin with the first text and do not keep the process alive when none waits.
 */
export function createWorkers(options: WorkersOptions): Workers {
  let line: Waiting[] = [];
  const threads = new Set<Thread>();
  let requests = 0;

  const next = () => {
    while (line.length > 0) {
      const thread = [...threads].find(({ running }) => running.length === 0) ?? started();
      if (thread === undefined) return;
      const batch = likeLength(line, options.batch);
      line = line.filter((waiting) => !batch.includes(waiting));
      thread.running = batch;
      thread.worker.ref();
      const request: Request = { id: requests++, texts: batch.map(({ text }) => text) };
      thread.worker.postMessage(request);
    }
  };

  const started = (): Thread | undefined => {
    if (threads.size >= options.workers) return undefined;
    const { folder, card, runtime, threads: inner } = options;
    const thread: Thread = {
      worker: new Worker(workerFile(), { workerData: { folder, card, runtime, threads: inner } }),
      running: [],
    };
    threads.add(thread);
    thread.worker.on("message", (reply: Reply) => {
      const { running } = thread;
      thread.running = [];
      thread.worker.unref();
      settle(running, reply, options.card.name);
      next();
    });
    thread.worker.on("error", (error) => lost(thread, error));
    thread.worker.on("exit", () => lost(thread, new Error("the thread ended")));
    return thread;
  };

  const lost = (thread: Thread, cause: unknown) => {
    if (!threads.delete(thread)) return;
    for (const { reject } of thread.running) reject(failed(options.card.name, cause));
    next();
  };

  const enqueue = (text: string, { urgent, signal }: EmbedTask): Promise<Float32Array> => {
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array>();
    const waiting: Waiting = { text, resolve, reject };
    if (urgent) line.unshift(waiting);
    else line.push(waiting);
    const stop = () => {
      line = line.filter((other) => other !== waiting);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", stop, { once: true });
    return promise.finally(() => signal?.removeEventListener("abort", stop));
  };

  return {
    async embed(texts, task = {}) {
      task.signal?.throwIfAborted();
      const vectors = texts.map((text) => enqueue(text, task));
      next();
      return Promise.all(vectors);
    },
    async close() {
      const ending = [...threads].map(({ worker }) => worker.terminate());
      const closed = new KonteksError("closed", `The model ${options.card.name} was closed. Open it again.`);
      for (const { reject } of line) reject(closed);
      line = [];
      await Promise.all(ending);
    },
  };
}

/** The first of the line and those of most like length. */
function likeLength(line: readonly Waiting[], most: number): readonly Waiting[] {
  const [first] = line;
  if (first === undefined || most === 1) return line.slice(0, 1);
  const distance = ({ text }: Waiting) => Math.abs(text.length - first.text.length);
  return [...line].sort((a, b) => distance(a) - distance(b)).slice(0, most);
}

function settle(running: readonly Waiting[], reply: Reply, model: string): void {
  if ("error" in reply) {
    const { message, code, facts } = reply.error;
    const error = code
      ? new KonteksError(code, message, { ...(facts && { facts }) })
      : failed(model, new Error(message));
    for (const { reject } of running) reject(error);
    return;
  }
  running.forEach(({ resolve }, index) => {
    const vector = reply.vectors[index];
    if (vector !== undefined) resolve(vector);
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
