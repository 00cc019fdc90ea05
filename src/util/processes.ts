import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { timerMs } from "./timer.ts";
import { createTurns } from "./turns.ts";

/** Of each process' heap of objects, in MiB. */
const MAX_HEAP = 1024;
/** Of each process in all, with bytes of files and memories of WebAssembly, in MiB. */
export const MAX_MEMORY = 1536;
/** MiB of the heap that new objects are made in, thrice: a large one is filled with what is soon needed no more. */
const YOUNG_HEAP = 4;
/** Percent that the heap may grow by, beyond what was in use, before it is collected. */
const GROWTH = 40;
/** For the C library of Linux: large pieces go back to the system when they are free, instead of to a heap with holes. */
const RETURN_MEMORY = { MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_TRIM_THRESHOLD_: "131072" };
/** A process that holds more after a task is ended: a new one costs less than its memory. */
const KEPT = 256 * 1024 * 1024;
/** A process that has nothing to do gives its memory back after this. */
const IDLE_MS = 5000;
/** Of what a process says before it dies, the end is kept: characters. */
const LAST_WORDS = 4000;

/** What a process answers with. `held`: bytes of memory that it holds now. A `step` is no answer: the task goes on. */
export type Reply<Result, Step> =
  | { readonly result: Result; readonly held: number }
  | { readonly error: unknown }
  | { readonly step: Step };

export interface ProcessTask<Task, Step = never> {
  readonly task: Task;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the answer, or until the first step, after which the process is ended. */
  readonly limitMs: number;
  /** The error for a process that was ended: "it took longer than …", "it takes more than … of memory". */
  readonly ended: (reason: string, cause?: unknown) => Error;
  /** The error when `signal` was the reason. */
  readonly aborted: () => Error;
  /** Told of what is ready ahead of the answer. */
  readonly onStep?: (step: Step) => void;
}

export interface ProcessPool<Task, Result, Step = never> {
  /** Whether processes can be started; not where all files were bundled into one, or where Node forbids them. */
  readonly available: boolean;
  /** Processes that are started at once; as many as processors when tasks wait for long. */
  readonly size: number;
  /** The process' answer. Throws what it answers as an `error`, as it came; what `ended` and `aborted` give. */
  run(task: ProcessTask<Task, Step>): Promise<Result>;
}

interface Helper {
  readonly child: ChildProcess;
  lastWords: string;
  idle?: NodeJS.Timeout;
}

/**
 * Processes that run a module (which calls `answerTasks`), each with one task at a time. They are started as they are
 * needed, and one that takes too long, takes too much memory or dies is ended with its task alone: not even memory that
 * its engine cannot get does harm here. `module`: without its ending, which follows `base`.
 */
export function processPool<Task, Result, Step = never>(
  module: string,
  base: string,
  size = availableParallelism(),
): ProcessPool<Task, Result, Step> {
  const path = fileURLToPath(new URL(`${module}${base.endsWith(".ts") ? ".ts" : ".js"}`, base));
  const turns = createTurns(size, Math.max(size, availableParallelism()));
  /** Those that wait for work. One that was ended in the middle of a task is never among them. */
  const idle: Helper[] = [];
  function take(): Helper {
    const helper = idle.pop() ?? start(path, forget);
    clearTimeout(helper.idle);
    holdOpen(helper, "ref");
    return helper;
  }

  function forget(helper: Helper): void {
    const at = idle.indexOf(helper);
    if (at >= 0) idle.splice(at, 1);
    clearTimeout(helper.idle);
  }

  function giveBack(helper: Helper): void {
    holdOpen(helper, "unref");
    helper.idle = setTimeout(() => {
      forget(helper);
      end(helper);
    }, IDLE_MS).unref();
    idle.push(helper);
  }

  return {
    available: existsSync(path) && (process.permission?.has("child") ?? true),
    size,
    async run(task) {
      const endTurn = await turns();
      try {
        if (task.signal?.aborted) throw task.aborted();
        return await run<Task, Result, Step>(take(), giveBack, task);
      } finally {
        endTurn();
      }
    },
  };
}

function start(path: string, gone: (helper: Helper) => void): Helper {
  const child = fork(path, {
    execArgv: [
      "--disable-warning=ExperimentalWarning",
      `--max-old-space-size=${MAX_HEAP}`,
      `--max-semi-space-size=${YOUNG_HEAP}`,
      `--heap-growing-percent=${GROWTH}`,
    ],
    env: { ...RETURN_MEMORY, ...process.env },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const helper: Helper = { child, lastWords: "" };
  child.on("exit", () => gone(helper));
  // Its failures are told where it is at work; one without a listener would end this process.
  child.on("error", () => {});
  child.stderr?.setEncoding("utf8").on("data", (words: string) => {
    helper.lastWords = (helper.lastWords + words).slice(-LAST_WORDS);
  });
  return helper;
}

/** Whether this process waits for the other one before it ends. */
function holdOpen({ child }: Helper, how: "ref" | "unref"): void {
  child[how]();
  child.channel?.[how]();
  const words = child.stderr;
  if (words !== null && how in words) (words as unknown as { ref(): void; unref(): void })[how]();
}

/** At once: it may be in a loop in which it hears nothing. */
function end({ child }: Helper): void {
  child.kill("SIGKILL");
}

function run<Task, Result, Step>(
  helper: Helper,
  giveBack: (helper: Helper) => void,
  { task, signal, limitMs, ended, aborted, onStep }: ProcessTask<Task, Step>,
): Promise<Result> {
  const { child } = helper;
  return new Promise<Result>((resolve, reject) => {
    const fail = (error: unknown): void => {
      finish();
      end(helper);
      reject(error);
    };
    const stop = () => fail(aborted());
    const timer = setTimeout(
      () => fail(ended(`reading it took longer than ${limitMs / 1000} s`)),
      timerMs(limitMs),
    );
    const answered = (reply: Reply<Result, Step>) => {
      clearTimeout(timer);
      if ("step" in reply) return onStep?.(reply.step);
      finish();
      if ("result" in reply && reply.held > KEPT) end(helper);
      else giveBack(helper);
      if ("result" in reply) resolve(reply.result);
      else reject(reply.error);
    };
    const failed = (cause: Error) => fail(ended(cause.message, cause));
    // Its last words are all here then.
    const closed = (code: number | null, by: string | null) => fail(ended(reasonOf(helper, code, by)));
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      child.off("message", answered).off("error", failed).off("close", closed);
    };
    child.on("message", answered).on("error", failed).on("close", closed);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) return stop();
    try {
      child.send(task as object);
    } catch (error) {
      // What cannot be copied; the process has not seen it.
      finish();
      giveBack(helper);
      reject(error);
    }
  });
}

/** Whether an error says that a task holds what cannot be sent (a function). */
export function isUnsendable(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith("could not be cloned.");
}

/** How a process is ended that holds more than MAX_MEMORY. */
export const TOO_MUCH = "SIGTERM";

function reasonOf({ lastWords }: Helper, code: number | null, by: string | null): string {
  if (by === TOO_MUCH) return `reading it takes more than ${MAX_MEMORY} MiB of memory`;
  if (/out of memory|allocation failed|Invalid .*size/i.test(lastWords))
    return `reading it takes more than ${MAX_HEAP} MiB of memory`;
  if (by === "SIGKILL") return "its reader was ended by the system, mostly for want of memory";
  const error = /^\w*Error\b.*$/m.exec(lastWords)?.[0];
  return `its reader stopped (${error ?? (by === null ? `exit ${code}` : by)})`;
}
