import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

/** Of each thread, in MiB; bytes of files do not count. */
const maxHeap = 1024;
/** A thread that holds more after a task is ended: a new one costs less than its memory. */
const keptHeap = 192 * 1024 * 1024;
/** When tasks have waited for so long, more threads are started: there is much to do, or one of them is held up. */
const patienceMs = 1000;
/** A thread that has nothing to do gives its memory back after this. */
const idleMs = 5000;

/** What a thread answers with. `heap`: bytes that it holds now. A `step` is no answer: the task goes on. */
export type ThreadReply<Result> =
  | { readonly result: Result; readonly heap: number }
  | { readonly error: unknown }
  | { readonly step: string };

export interface ThreadTask<Task> {
  readonly task: Task;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the answer, or until the first step, after which the thread is ended. */
  readonly limitMs: number;
  /** The error for a thread that was ended: "it took longer than …", "it takes more than … of memory". */
  readonly ended: (reason: string, cause?: unknown) => Error;
  /** The error when `signal` was the reason. */
  readonly aborted: () => Error;
}

export interface ThreadPool<Task, Result> {
  /** Whether there is a file to run; false where all files were bundled into one. */
  readonly available: boolean;
  /** Threads that are started at once; as many as processors when tasks wait for long. */
  readonly size: number;
  /** The thread's answer. Throws what it answers as an `error`, as it came; what `ended` and `aborted` give. */
  run(task: ThreadTask<Task>): Promise<Result>;
}

interface Thread {
  readonly worker: Worker;
  idle?: NodeJS.Timeout;
}

/**
 * Threads that run a module, each with one task at a time. They are started as they are needed, and one that takes too
 * long, takes too much memory or dies is ended with its task alone. `module`: without its ending, which follows `base`.
 */
export function threadPool<Task, Result>(
  module: string,
  base: string,
  size = availableParallelism(),
): ThreadPool<Task, Result> {
  const url = new URL(`${module}${base.endsWith(".ts") ? ".ts" : ".js"}`, base);
  const turns = createTurns(size, Math.max(size, availableParallelism()));
  /** Those that wait for work. One that was ended in the middle of a task is never among them. */
  const idle: Thread[] = [];
  function take(): Thread {
    const thread = idle.pop() ?? start(url);
    clearTimeout(thread.idle);
    thread.worker.ref();
    return thread;
  }

  function giveBack(thread: Thread): void {
    thread.worker.unref();
    thread.idle = setTimeout(() => {
      idle.splice(idle.indexOf(thread), 1);
      void thread.worker.terminate();
    }, idleMs).unref();
    idle.push(thread);
  }

  return {
    available: existsSync(fileURLToPath(url)),
    size,
    async run(task) {
      const end = await turns();
      try {
        if (task.signal?.aborted) throw task.aborted();
        return await run<Task, Result>(take(), giveBack, task);
      } finally {
        end();
      }
    },
  };
}

/**
 * Gives turns to those that ask, first come first served: `size` at a time, and `most` when some have been waiting for
 * long. What a turn gives is called at its end.
 */
function createTurns(size: number, most: number): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let inWork = 0;
  /** Since when there is always someone waiting. */
  let since = 0;
  let looking: NodeJS.Timeout | undefined;

  function admit(): void {
    const room = performance.now() - since < patienceMs ? size : most;
    while (waiting.length > 0 && inWork < room) waiting.shift()?.();
    if (waiting.length > 0) looking ??= setInterval(admit, patienceMs / 2);
    else {
      clearInterval(looking);
      looking = undefined;
    }
  }

  function end(): void {
    inWork--;
    admit();
  }

  return () =>
    new Promise((resolve) => {
      if (waiting.length === 0) since = performance.now();
      waiting.push(() => {
        inWork++;
        resolve(end);
      });
      admit();
    });
}

function start(url: URL): Thread {
  const worker = new Worker(url, {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxOldGenerationSizeMb: maxHeap },
  });
  // Its failures are told where it is at work; one without a listener would end the process.
  worker.on("error", () => {});
  return { worker };
}

function run<Task, Result>(
  thread: Thread,
  giveBack: (thread: Thread) => void,
  { task, signal, limitMs, ended, aborted }: ThreadTask<Task>,
): Promise<Result> {
  const { worker } = thread;
  return new Promise<Result>((resolve, reject) => {
    const end = (error: unknown): void => {
      finish();
      void worker.terminate();
      reject(error);
    };
    const stop = () => end(aborted());
    const timer = setTimeout(() => end(ended(`reading it took longer than ${limitMs / 1000} s`)), limitMs);
    const answered = (reply: ThreadReply<Result>) => {
      clearTimeout(timer);
      if ("step" in reply) return;
      finish();
      if ("result" in reply && reply.heap > keptHeap) void worker.terminate();
      else giveBack(thread);
      if ("result" in reply) resolve(reply.result);
      else reject(reply.error);
    };
    const failed = (cause: Error) => end(ended(reasonOf(cause), cause));
    const stopped = () => end(ended("its reader stopped"));
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      worker.off("message", answered).off("error", failed).off("exit", stopped);
    };
    worker.on("message", answered).on("error", failed).on("exit", stopped);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) return stop();
    try {
      worker.postMessage(task);
    } catch (error) {
      // What cannot be copied; the thread has not seen it.
      finish();
      giveBack(thread);
      reject(error);
    }
  });
}

function reasonOf(cause: Error): string {
  const isMemory = "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";
  return isMemory ? `reading it takes more than ${maxHeap} MiB of memory` : cause.message;
}
