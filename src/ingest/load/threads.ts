import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { KonteksError } from "../../spec/index.ts";
import type { Reply, Task } from "./thread.ts";
import type { FoundFile, LoadOptions, Parsed } from "./types.ts";

const defaultLimitMs = 120_000;
/** Of each thread, in MiB; bytes of files do not count. */
const maxHeap = 1024;
/** A thread that holds more after a file is ended: a new one costs less than its memory. */
const keptHeap = 160 * 1024 * 1024;
/** A thread that has nothing to do gives its memory back after this. */
const idleMs = 5000;

interface Thread {
  readonly worker: Worker;
  idle?: NodeJS.Timeout;
}

/** Threads that wait for work. One that was ended in the middle of a file is never among them. */
const idle: Thread[] = [];
const waiting: (() => void)[] = [];
let busy = 0;

/**
 * Parses a file in a thread of its own; as many at once as there are processors. A thread that takes too long, takes too
 * much memory or dies is ended, and the error names the file.
 *
 * @throws KonteksError whatever parsing throws; "unreadable" when the thread was ended; "aborted"
 */
export async function runInThread(bytes: Uint8Array, file: FoundFile, options: LoadOptions): Promise<Parsed> {
  if (busy >= availableParallelism()) await new Promise<void>((go) => waiting.push(go));
  busy++;
  try {
    return await run(take(), bytes, file, options);
  } finally {
    busy--;
    waiting.shift()?.();
  }
}

function take(): Thread {
  const thread = idle.pop() ?? start();
  clearTimeout(thread.idle);
  thread.worker.ref();
  return thread;
}

function start(): Thread {
  const source = import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js";
  const worker = new Worker(new URL(source, import.meta.url), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxOldGenerationSizeMb: maxHeap },
  });
  // Its failures are told where it is at work; one without a listener would end the process.
  worker.on("error", () => {});
  return { worker };
}

function giveBack(thread: Thread): void {
  thread.worker.unref();
  thread.idle = setTimeout(() => {
    idle.splice(idle.indexOf(thread), 1);
    void thread.worker.terminate();
  }, idleMs).unref();
  idle.push(thread);
}

function run(thread: Thread, bytes: Uint8Array, file: FoundFile, options: LoadOptions): Promise<Parsed> {
  const { signal, parseLimitMs = defaultLimitMs, records: _, ...settings } = options;
  const { id, path, size, format } = file;
  const { worker } = thread;
  return new Promise<Parsed>((resolve, reject) => {
    const end = (error: unknown): void => {
      finish();
      void worker.terminate();
      reject(error);
    };
    const stop = () => end(aborted(file));
    const timer = setTimeout(
      () => end(ended(file, `reading it took longer than ${parseLimitMs / 1000} s`)),
      parseLimitMs,
    );
    const answered = (reply: Reply) => {
      finish();
      if ("heap" in reply && reply.heap > keptHeap) void worker.terminate();
      else giveBack(thread);
      if ("parsed" in reply) resolve(reply.parsed);
      else reject(errorOf(reply));
    };
    const failed = (cause: Error) => end(ended(file, reasonOf(cause), cause));
    const stopped = () => end(ended(file, "its reader stopped"));
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      worker.off("message", answered).off("error", failed).off("exit", stopped);
    };
    worker.on("message", answered).on("error", failed).on("exit", stopped);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) return stop();
    const found = { id, path, size, ...(format && { format }) };
    worker.postMessage({ bytes, file: found, options: settings } satisfies Task);
  });
}

function errorOf({ error }: Exclude<Reply, { parsed: Parsed }>): Error {
  const { code, message, facts } = error;
  return code === undefined ? new Error(message) : new KonteksError(code, message, { facts });
}

function reasonOf(cause: Error): string {
  const isMemory = "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";
  return isMemory ? `reading it takes more than ${maxHeap} MiB of memory` : cause.message;
}

function ended(file: FoundFile, reason: string, cause?: unknown): KonteksError {
  return new KonteksError(
    "unreadable",
    `"${file.id}" cannot be read: ${reason}. Open it in its program and save it anew, or split it.`,
    { facts: { path: file.path }, ...(cause === undefined ? {} : { cause }) },
  );
}

function aborted(file: FoundFile): KonteksError {
  return new KonteksError("aborted", `Reading "${file.id}" was stopped. Run it again to go on.`, {
    facts: { path: file.path },
  });
}
