import { availableParallelism, freemem } from "node:os";
import type { Embedder } from "../../spec/index.ts";
import { DEFAULT_LOCAL_MODEL } from "./card.ts";
import { findModel, isPath, type LocalModel } from "./folder.ts";
import { embeddingId, type RuntimeKind, runtimeOfId } from "./identity.ts";
import { availableRuntime } from "./runtime.ts";
import { createWorkers, type Workers, type WorkersOptions } from "./workers.ts";

const PREFIX = "local:";

export interface LocalEmbedderOptions {
  /** Embedding that the index was made with: its runtime is kept, so that a new package does not make it another index. */
  readonly indexed?: string | undefined;
  /** Default: the native one when its package is installed, else WebAssembly. */
  readonly runtime?: RuntimeKind | undefined;
  /** Cores to use. Default `KONTEKS_LOCAL_THREADS`, else all but one, at most 4. Each takes the model's memory in WebAssembly. */
  readonly threads?: number | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** An embedder whose threads can be ended. */
export interface LocalEmbedder extends Embedder {
  close(): Promise<void>;
}

/** Queries whose vectors are remembered. */
const REMEMBERED = 1000;
/** Several texts in one run share the scale of their 8-bit numbers, so a vector would depend on its neighbours. */
const BATCH = { fp32: 8, int8: 1 } as const;

/** "local:multilingual-e5-small" and "local" (the default model) name a model on this machine. */
export function isLocalName(name: string): boolean {
  return name === "local" || name.startsWith(PREFIX);
}

/** The full form, as it is kept with an index. */
export function localName(name: string): string {
  return name === "local" ? `${PREFIX}${DEFAULT_LOCAL_MODEL}` : name;
}

/** Whether an index's embedding may be of the model named. The folder of a model may be called otherwise than the model. */
export function isEmbeddingOf(id: string | undefined, name: string): boolean {
  const model = localName(name).slice(PREFIX.length);
  return id?.startsWith(isPath(model) ? PREFIX : `${PREFIX}${model}:`) ?? false;
}

/**
 * An embedder that runs a model of this machine in worker threads. Finding it is quick; it is loaded with the first text.
 * Errors: "unknown-model" (not here, or a package is missing), "unreadable".
 */
export async function createLocalEmbedder(
  name: string,
  options: LocalEmbedderOptions = {},
): Promise<LocalEmbedder> {
  const model = await findModel(localName(name).slice(PREFIX.length), options.env);
  const runtime = options.runtime ?? runtimeOfId(options.indexed, model.card.name) ?? availableRuntime();
  const workers = createWorkers(plan(model, runtime, options));
  return embedderOf(await embeddingId(model, runtime), model, workers);
}

/** WebAssembly runs best with one thread in each of several workers, the native runtime with all in one. */
function plan(model: LocalModel, runtime: RuntimeKind, options: LocalEmbedderOptions): WorkersOptions {
  const threads = options.threads ?? threadsOf(options.env ?? process.env);
  const { folder, card } = model;
  const fitting = Math.max(1, Math.floor(freemem() / 2 / memoryOf(model)));
  return {
    folder,
    card,
    runtime,
    batch: BATCH[card.precision],
    ...(runtime === "node" ? { workers: 1, threads } : { workers: Math.min(threads, fitting), threads: 1 }),
  };
}

function threadsOf(env: Readonly<Record<string, string | undefined>>): number {
  const set = Number.parseInt(env.KONTEKS_LOCAL_THREADS ?? "", 10);
  return set >= 1 ? set : Math.max(1, Math.min(4, availableParallelism() - 1));
}

/** Measured in WebAssembly: the 8-bit e5, a file of 119 MB, takes 1.1 GB. */
function memoryOf({ card, manifest }: LocalModel): number {
  return 200e6 + 8 * (manifest?.files[card.modelFile]?.bytes ?? 100e6);
}

function embedderOf(id: string, { card }: LocalModel, workers: Workers): LocalEmbedder {
  const queries = new Map<string, Float32Array>();
  return {
    id,
    kind: "local",
    dimensions: card.dimensions,
    maxTokens: card.windowTokens,
    cached: true,
    embedDocuments: (texts, { signal } = {}) =>
      workers.embed(
        texts.map((text) => card.documentPrefix + text),
        { signal },
      ),
    async embedQuery(text, { signal } = {}) {
      const known = queries.get(text);
      if (known !== undefined) return known;
      const [vector = new Float32Array()] = await workers.embed([card.queryPrefix + text], {
        signal,
        urgent: true,
      });
      if (queries.size >= REMEMBERED) queries.clear();
      queries.set(text, vector);
      return vector;
    },
    close: () => workers.close(),
  };
}
