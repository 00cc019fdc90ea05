import { KonteksError, type Reranker } from "../../spec/index.ts";
import { findModel } from "./folder.ts";
import { modelId } from "./identity.ts";
import { modelOfName } from "./names.ts";
import { type LocalModelOptions, planWorkers } from "./plan.ts";
import { availableRuntime } from "./runtime.ts";
import { createWorkers } from "./workers.ts";

/** A reranker whose threads can be ended. */
export interface LocalReranker extends Reranker {
  /** How well each text answers the query, from 0 to 1, in order. */
  scoresOf(query: string, texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]>;
  close(): Promise<void>;
}

/**
 * A cross-encoder of this machine: it reads query and passage together, each pair in one run of the model, in worker
 * threads. Scores lie between 0 and 1. Source: Nogueira, Cho, "Passage Re-ranking with BERT", 2019. Finding it is quick;
 * it is loaded by `ready`. Errors: "unknown-model" (not here, a package is missing, or it is no reranker), "unreadable".
 */
export async function createLocalReranker(
  name: string,
  options: LocalModelOptions = {},
): Promise<LocalReranker> {
  const model = await findModel(modelOfName(name), options.env);
  const { card } = model;
  if (card.task !== "rerank") throw noReranker(card.name);
  const runtime = options.runtime ?? availableRuntime();
  const workers = createWorkers(planWorkers(model, runtime, options));
  const scoresOf: LocalReranker["scoresOf"] = async (query, texts, signal) => {
    const pairs = texts.map((text) => [query, text] as const);
    return (await workers.run(pairs, { signal, urgent: true })).map(([score = Number.NaN]) => score);
  };
  return {
    id: await modelId(model, runtime),
    kind: "local",
    maxTokens: card.maxTokens,
    scoresOf,
    // The first search would else spend its time limit on loading.
    ready: async () => void (await scoresOf("", [""])),
    async rerank({ query, candidates }, { signal } = {}) {
      const texts = candidates.map(({ text }) => text);
      return (await scoresOf(query, texts, signal)).map((score, index) => ({ index, score }));
    },
    close: () => workers.close(),
  };
}

function noReranker(name: string): KonteksError {
  return new KonteksError(
    "unknown-model",
    `The model ${name} makes vectors and is no reranker. Name one that is; konteks models list says which.`,
    { facts: { name } },
  );
}
