import { embedBatch } from "../llm/ai.ts";
import type { Embedder, EmbeddingModel, EmbedOptions } from "../spec/index.ts";
import { KonteksError } from "../spec/index.ts";
import { embeddingTokenLimit } from "./embedding-limits.ts";

/** Most texts in a request, where the model allows as many. */
const defaultMaxBatch = 96;

/** An embedder over an AI SDK embedding model. `id` defaults to "provider:model". */
export function embedderFromModel(model: EmbeddingModel, id = modelIdOf(model)): Embedder {
  const embed = (texts: readonly string[], options: EmbedOptions = {}) =>
    embedUnit(model, id, texts, options);
  const maxTokens = embeddingTokenLimit(model.modelId);
  return {
    id,
    kind: "hosted",
    maxBatch: Math.min(defaultMaxBatch, maxEmbeddingsPerCall(model)),
    ...(maxTokens !== undefined && { maxTokens }),
    embedDocuments: embed,
    async embedQuery(text, options) {
      const [vector] = await embed([text], options);
      if (vector === undefined) throw wrongCount(id, 0, 1);
      return vector;
    },
  };
}

/** "anthropic:claude-haiku-4-5" for a model object; the SDK's provider names go on ("anthropic.messages"). */
export function modelIdOf(model: { readonly provider: string; readonly modelId: string }): string {
  return `${model.provider.split(".")[0]}:${model.modelId}`;
}

async function embedUnit(model: EmbeddingModel, id: string, texts: readonly string[], options: EmbedOptions) {
  const { signal, onUsage } = options;
  const { vectors, usage } = await embedBatch({ model, modelId: id, texts, signal });
  onUsage?.(usage);
  if (vectors.length !== texts.length) throw wrongCount(id, vectors.length, texts.length);
  return vectors.map((vector) => toUnit(vector, id));
}

function toUnit(vector: readonly number[], id: string): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(norm) || norm === 0)
    throw new KonteksError(
      "embedding-failed",
      `${id} gave a vector that is ${norm === 0 ? "all zeros" : "not made of numbers"}. Try again, or use another model.`,
      { facts: { model: id } },
    );
  return Float32Array.from(vector, (value) => value / norm);
}

function wrongCount(id: string, got: number, wanted: number): KonteksError {
  return new KonteksError(
    "embedding-failed",
    `${id} gave ${got} vectors for ${wanted} texts. Try again, or use another model.`,
    { facts: { model: id, got, wanted } },
  );
}

/** A model may say it later, as a promise; then the SDK splits what is too much. */
function maxEmbeddingsPerCall(model: EmbeddingModel): number {
  const limit = (model as { readonly maxEmbeddingsPerCall?: unknown }).maxEmbeddingsPerCall;
  return typeof limit === "number" && limit >= 1 ? limit : defaultMaxBatch;
}
