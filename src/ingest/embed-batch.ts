import { abortedError, isFatalForModel, statusOf } from "../llm/errors.ts";
import type { Embedder, Usage } from "../spec/index.ts";
import { isKonteksError, KonteksError } from "../spec/index.ts";

/** What became of one text: its vector, or why it has none. */
export type Embedded = Float32Array | { readonly error: string };

export interface EmbedBatchOptions {
  readonly embedder: Embedder;
  readonly signal?: AbortSignal | undefined;
  readonly onUsage?: ((usage: Usage) => void) | undefined;
  /** Called with every vector as soon as it is there. */
  readonly keep: (texts: readonly string[], vectors: readonly Embedded[]) => void;
}

/**
 * Embeds the texts of a batch. When the batch fails for a reason that may lie in one of the texts, it is halved until
 * only that text fails. Throws when it is stopped, and when nothing can be embedded at all (no key, no such model).
 */
export async function embedBatch(
  texts: readonly string[],
  options: EmbedBatchOptions,
): Promise<readonly Embedded[]> {
  const { signal } = options;
  if (signal?.aborted) throw abortedError(signal);
  const vectors = await callEmbedder(texts, options);
  if (vectors === "halve") {
    const half = Math.ceil(texts.length / 2);
    const first = await embedBatch(texts.slice(0, half), options);
    return [...first, ...(await embedBatch(texts.slice(half), options))];
  }
  options.keep(texts, vectors);
  return vectors;
}

async function callEmbedder(
  texts: readonly string[],
  { embedder, signal, onUsage }: EmbedBatchOptions,
): Promise<readonly Embedded[] | "halve"> {
  try {
    return checked(await embedder.embedDocuments(texts, { signal, onUsage }), texts, embedder);
  } catch (error) {
    if (signal?.aborted) throw abortedError(signal);
    if (concernsSettings(error)) throw error;
    if (texts.length > 1 && mayBeOneText(error)) return "halve";
    return texts.map(() => ({ error: sentenceOf(error) }));
  }
}

function checked(
  vectors: readonly Float32Array[],
  texts: readonly string[],
  embedder: Embedder,
): readonly Embedded[] {
  if (vectors.length !== texts.length)
    throw new KonteksError(
      "embedding-failed",
      `${embedder.id} gave ${vectors.length} vectors for ${texts.length} texts. Try again, or use another model.`,
      { facts: { model: embedder.id, got: vectors.length, wanted: texts.length } },
    );
  const dimensions = embedder.dimensions ?? vectors[0]?.length ?? 0;
  return vectors.map((vector) => checkedVector(vector, dimensions, embedder));
}

function checkedVector(vector: Float32Array, dimensions: number, { id }: Embedder): Embedded {
  if (vector.length !== dimensions || dimensions === 0)
    return { error: `${id} gave a vector of ${vector.length} numbers instead of ${dimensions}.` };
  if (!allFinite(vector)) return { error: `${id} gave a vector with something that is not a number.` };
  return vector;
}

/** Zero times a number that is not finite is no number. */
function allFinite(vector: Float32Array): boolean {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (vector[i] as number) * 0;
  return sum === 0;
}

function concernsSettings(error: unknown): boolean {
  return isKonteksError(error) && ["no-key", "unknown-model", "wrong-option", "closed"].includes(error.code);
}

/** A refused request may be one bad text's fault; a wrong key, a rate limit or a lost connection is not. */
function mayBeOneText(error: unknown): boolean {
  if (!isKonteksError(error, "model-failed")) return true;
  const status = statusOf(error);
  return status !== undefined && status < 500 && status !== 429 && !isFatalForModel(error);
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
