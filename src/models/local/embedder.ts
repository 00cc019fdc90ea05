import { type Embedder, KonteksError } from "../../spec/index.ts";
import type { EmbeddingCard } from "./card.ts";
import { findModel } from "./folder.ts";
import { modelId, runtimeOfId } from "./identity.ts";
import { modelOfName } from "./names.ts";
import { type LocalModelOptions, planWorkers } from "./plan.ts";
import { availableRuntime } from "./runtime.ts";
import { createWorkers, type Workers } from "./workers.ts";

export interface LocalEmbedderOptions extends LocalModelOptions {
  /** Embedding that the index was made with: its runtime is kept, so that a new package does not make it another index. */
  readonly indexed?: string | undefined;
  /** Room for vectors beside the index, in MB: what was embedded once is not embedded again; the oldest go. Default 1,000. */
  readonly localCache?: number | undefined;
}

/** An embedder whose threads can be ended. */
export interface LocalEmbedder extends Embedder {
  close(): Promise<void>;
}

/** MB: about 650,000 vectors of 384 numbers. */
const DEFAULT_CACHE = 1_000;
/** Texts that are kept together: what a stopped run loses of them is the work of seconds. */
const BATCH = 8;
/** Queries whose vectors are remembered. */
const REMEMBERED = 1000;

/**
 * An embedder that runs a model of this machine in worker threads. Finding it is quick; it is loaded with the first text.
 * Errors: "unknown-model" (not here, a package is missing, or it is a reranker), "unreadable".
 */
export async function createLocalEmbedder(
  name: string,
  options: LocalEmbedderOptions = {},
): Promise<LocalEmbedder> {
  const model = await findModel(modelOfName(name), options.env);
  const { card } = model;
  if (card.task === "rerank") throw isReranker(card.name);
  const runtime = options.runtime ?? runtimeOfId(options.indexed, card.name) ?? availableRuntime();
  const workers = createWorkers(planWorkers(model, runtime, options));
  const cacheLimit = (options.localCache ?? DEFAULT_CACHE) * 1e6;
  return embedderOf(await modelId(model, runtime), card, workers, cacheLimit);
}

function embedderOf(id: string, card: EmbeddingCard, workers: Workers, cacheLimit: number): LocalEmbedder {
  const queries = new Map<string, Float32Array>();
  return {
    id,
    kind: "local",
    dimensions: card.dimensions,
    maxTokens: card.windowTokens,
    maxBatch: BATCH,
    cached: true,
    cacheLimit,
    embedDocuments: (texts, { signal } = {}) =>
      workers.run(
        texts.map((text) => card.documentPrefix + text),
        { signal },
      ),
    async embedQuery(text, { signal } = {}) {
      const known = queries.get(text);
      if (known !== undefined) return known;
      const [vector = new Float32Array()] = await workers.run([card.queryPrefix + text], {
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

function isReranker(name: string): KonteksError {
  return new KonteksError(
    "unknown-model",
    `The model ${name} is a reranker and makes no vectors. Use it so: --rerank local:${name}`,
    { facts: { name } },
  );
}
