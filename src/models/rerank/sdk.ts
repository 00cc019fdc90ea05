import { rerankTexts } from "../../llm/ai.ts";
import type { Reranker } from "../../spec/index.ts";
import { modelIdOf } from "../embedder.ts";

/** An AI SDK reranking model object (Cohere's, Voyage's, …), described without importing `ai`. */
export interface RerankingModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doRerank(options: never): PromiseLike<unknown>;
}

/** Longest query and text together, in tokens, by the beginning of the model's name. From the providers' model pages. */
const LIMITS: readonly (readonly [prefix: string, tokens: number])[] = [
  ["rerank-v3", 4096],
  ["rerank-v4", 32_000],
  ["rerank-2.5", 32_000],
  ["rerank-2", 16_000],
  ["rerank-2-lite", 8000],
];

/** A reranker over an AI SDK reranking model. `id` defaults to "provider:model". */
export function rerankerFromModel(model: RerankingModel, id = modelIdOf(model)): Reranker {
  const limit = LIMITS.findLast(([prefix]) => model.modelId.startsWith(prefix))?.[1];
  return {
    id,
    kind: "hosted",
    ...(limit !== undefined && { maxTokens: limit }),
    rerank: ({ query, candidates }, { signal } = {}) =>
      rerankTexts({ model, modelId: id, query, texts: candidates.map(({ text }) => text), signal }),
  };
}
