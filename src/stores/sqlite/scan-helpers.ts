import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { SharedMemory } from "./kernel/kernel.ts";
import { MOST_THREADS } from "./vector-layout.ts";

/** A memory whose scans threads take part in. */
export interface ScanHelpers {
  /** Tells them that there is something to do. */
  wake(): void;
  /** They give the memory up; with the last memory they end. */
  close(): void;
}

/** What threads are told, read when they are woken: a memory to take part in, or one to give up. */
export type HelperMessage =
  | { readonly id: number; readonly memory: SharedMemory; readonly dimensions: number }
  | { readonly id: number; readonly memory: undefined };

export interface HelperData {
  readonly thread: number;
  /** One word, which changes with every call. */
  readonly signal: Int32Array;
}

/** Half of the processors help the one that a search runs on, up to three; none where there is one processor. */
export const DEFAULT_HELPERS = Math.min(MOST_THREADS - 1, availableParallelism() >>> 1);

const url = new URL(`./scan-thread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);
/** Small: a thread has a few numbers and no objects. */
const LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };

/** The same threads for all memories of a process. */
const signal = new Int32Array(new SharedArrayBuffer(4));
const memories = new Map<number, HelperMessage>();
let threads: Worker[] = [];
let lastId = 0;
/** Threads that cannot be had, or that died, are not asked for again: the owner of a memory does without. */
let refused = false;

/** Makes some threads take part in a memory's scans: as many as can be had, or none. */
export function scanHelpers(memory: SharedMemory, dimensions: number, count: number): ScanHelpers {
  const message = { id: ++lastId, memory, dimensions };
  memories.set(message.id, message);
  for (const thread of threads) thread.postMessage(message);
  while (threads.length < Math.min(count, MOST_THREADS - 1) && !refused) start();
  return {
    wake,
    close() {
      memories.delete(message.id);
      if (memories.size > 0) {
        for (const thread of threads) thread.postMessage({ id: message.id, memory: undefined });
        wake();
      } else {
        for (const thread of threads) void thread.terminate();
        threads = [];
      }
    },
  };
}

/** Threads that have not ended. */
export function helpersAtWork(): number {
  return threads.length;
}

function wake(): void {
  if (threads.length === 0) return;
  Atomics.add(signal, 0, 1);
  Atomics.notify(signal, 0);
}

function start(): void {
  const workerData: HelperData = { thread: threads.length + 1, signal };
  try {
    // Bundled into one file, there is none to run.
    if (!existsSync(fileURLToPath(url))) throw new Error("not found");
    const thread = new Worker(url, {
      workerData,
      execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: LIMITS,
    });
    thread.on("error", () => giveUp(thread)).on("exit", () => giveUp(thread));
    thread.unref();
    for (const message of memories.values()) thread.postMessage(message);
    threads.push(thread);
  } catch {
    refused = true;
  }
}

/** One that ended by itself is not replaced: the next one would too. */
function giveUp(thread: Worker): void {
  if (!threads.includes(thread)) return;
  threads = threads.filter((other) => other !== thread);
  refused = true;
}
