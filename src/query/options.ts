import { type EmbeddingKind, KonteksError, type SearchMode, type SearchOptions } from "../spec/index.ts";

export interface ResolvedSearchOptions {
  readonly k: number;
  readonly mode: SearchMode;
  readonly candidates: number;
  readonly weights: { readonly text: number; readonly vector: number };
  readonly rrfK: number;
}

/**
 * Weight of the vector list beside BM25 (which has 1), by kind of embedding. An equal weight hurts where the vector
 * side is weak, as the lexical embedding is.
 */
export const VECTOR_WEIGHT: Readonly<Record<EmbeddingKind, number>> = { lexical: 0.3, local: 0.7, hosted: 1 };

const MODES: readonly SearchMode[] = ["text", "vector", "hybrid"];

export function resolveSearchOptions(
  options: SearchOptions,
  kind: EmbeddingKind | undefined,
  defaultK = 10,
): ResolvedSearchOptions {
  const candidates = wholeNumber("candidates", options.candidates ?? 150);
  const k = wholeNumber("k", options.k ?? Math.min(defaultK, candidates));
  if (k > candidates) {
    throw new KonteksError(
      "wrong-option",
      `k is ${k}, but each list is searched only ${candidates} deep. Raise candidates to at least ${k}.`,
      { facts: { k, candidates } },
    );
  }
  const mode = options.mode ?? "hybrid";
  if (!MODES.includes(mode)) {
    throw new KonteksError(
      "wrong-option",
      `The mode must be one of ${MODES.join(", ")}, not "${String(mode)}".`,
    );
  }
  return {
    k,
    mode,
    candidates,
    weights: {
      text: weight("text", options.weights?.text ?? 1),
      vector: weight("vector", options.weights?.vector ?? VECTOR_WEIGHT[kind ?? "hosted"]),
    },
    rrfK: weight("rrfK", options.rrfK ?? 60),
  };
}

function wholeNumber(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) return value;
  throw new KonteksError("wrong-option", `${name} must be a whole number from 1, not ${value}.`);
}

function weight(name: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new KonteksError("wrong-option", `${name} must be a number from 0, not ${value}.`);
}
