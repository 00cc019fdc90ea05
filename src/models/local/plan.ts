import { availableParallelism, freemem } from "node:os";
import type { ModelLoad } from "../../spec/index.ts";
import type { LocalModel } from "./folder.ts";
import type { RuntimeKind } from "./identity.ts";
import type { WorkersOptions } from "./workers.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface LocalModelOptions {
  /** Cores to use. Default `KONTEKS_LOCAL_THREADS`, else all but one, at most 4. Each takes the model's memory in WebAssembly. */
  readonly localThreads?: number | undefined;
  /** Memory that the model may take in all threads, in MB. Default: half of what is free. At least one thread is begun. */
  readonly localMemory?: number | undefined;
  /** Default: the native one when its package is installed, else WebAssembly. */
  readonly runtime?: RuntimeKind | undefined;
  /** Told when a thread has loaded the model. */
  readonly onModelLoad?: ((load: ModelLoad) => void) | undefined;
  readonly env?: Env | undefined;
}

/** Several inputs in one run share the scale of their 8-bit numbers, so a result would depend on its neighbours. */
const BATCH = { fp32: 8, int8: 1 } as const;

/**
 * Texts are run one by one or few at a time, which is little work to share: threads of one session mostly wait for each
 * other, so each worker has a session with one thread. Where memory holds fewer workers than there are cores, the native
 * runtime uses the others within them.
 */
export function planWorkers(
  model: LocalModel,
  runtime: RuntimeKind,
  options: LocalModelOptions,
): WorkersOptions {
  const threads = options.localThreads ?? threadsOf(options.env ?? process.env);
  const { folder, card } = model;
  const room = options.localMemory === undefined ? freemem() / 2 : options.localMemory * 1e6;
  const fitting = Math.max(1, Math.floor(room / memoryOf(model, runtime)));
  const workers = Math.min(threads, fitting);
  return {
    folder,
    card,
    runtime,
    batch: BATCH[card.precision],
    onLoad: (ms) => options.onModelLoad?.({ model: card.name, ms }),
    workers,
    threads: runtime === "node" ? Math.floor(threads / workers) : 1,
  };
}

function threadsOf(env: Env): number {
  const set = Number.parseInt(env.KONTEKS_LOCAL_THREADS ?? "", 10);
  return set >= 1 ? set : Math.max(1, Math.min(4, availableParallelism() - 1));
}

/** Measured: the 8-bit e5, a file of 119 MB, takes 1.1 GB in WebAssembly and 0.5 in the native runtime. */
function memoryOf({ card, manifest }: LocalModel, runtime: RuntimeKind): number {
  const file = manifest?.files[card.modelFile]?.bytes ?? 100e6;
  return 200e6 + (runtime === "web" ? 8 : 3) * file;
}
