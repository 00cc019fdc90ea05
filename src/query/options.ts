import {
  type EmbeddingKind,
  type FusionMethod,
  KonteksError,
  type Reranker,
  type RerankerKind,
  type RerankOptions,
  type RerankPreset,
  type SearchMode,
  type SearchOptions,
} from "../spec/index.ts";
import { checkBm25 } from "../text/check-bm25.ts";
import { checkMinimums } from "./limits.ts";

export interface ResolvedSearchOptions {
  readonly k: number;
  readonly mode: SearchMode;
  readonly candidates: number;
  readonly textWeight: number;
  readonly neighboursWeight: number;
  /** By the share of the query's words that the index does not know. */
  readonly vectorWeight: (unknown: number) => number;
  /** Whether the vector list's scores are counted from its last one. */
  readonly vectorFromLast: boolean;
  readonly fusion: FusionMethod;
  readonly rrfK: number;
  readonly mustMatch: "none" | "phrases" | "identifiers";
  readonly rerank: { readonly depth: number; readonly timeoutMs: number };
}

/**
 * Weight of the vector list beside BM25 (which has 1), by kind of embedding, where the index knows every word of the query. A
 * lexical embedding only blurs BM25's order of chunks that hold the query's words. Measured in docs/decisions/0011-fusion.md
 * and 0009-local-models.md.
 */
export const VECTOR_WEIGHT: Readonly<Record<EmbeddingKind, number>> = { lexical: 0, local: 0.3, hosted: 0.5 };

/**
 * What the share of unknown words adds to it: BM25 is blind for these, where a lexical embedding finds near forms and a
 * model other words, or those of another language.
 */
export const UNKNOWN_WEIGHT = 1;

const MODES: readonly SearchMode[] = ["text", "vector", "hybrid"];
const FUSIONS: readonly FusionMethod[] = ["scores", "rrf"];
const MUST_MATCH = ["none", "phrases", "identifiers"] as const;

/** Candidates that a reranker judges: the built-in one reads their words anew, one of this machine runs a model for each. */
export const RERANK_DEPTH = { "built-in": 50, local: 20, hosted: 150 } as const;

/** What the options rest on. */
export interface OptionFacts {
  readonly kind: EmbeddingKind | undefined;
  /** Default of k. */
  readonly defaultK?: number | undefined;
}

export function resolveSearchOptions(options: SearchOptions, facts: OptionFacts): ResolvedSearchOptions {
  const candidates = wholeNumber("candidates", options.candidates ?? 150);
  const preset = presetOf(options);
  const k = wholeNumber("k", options.k ?? Math.min(preset?.k ?? facts.defaultK ?? 10, candidates));
  if (k > candidates) {
    throw new KonteksError(
      "wrong-option",
      `k is ${k}, but each list is searched only ${candidates} deep. Raise candidates to at least ${k}.`,
      { facts: { k, candidates } },
    );
  }
  checkNumbers(options);
  checkBm25(options.bm25 ?? {});
  const mode = oneOf("mode", MODES, options.mode ?? "hybrid");
  const hasVectors = facts.kind !== undefined || options.vector !== undefined;
  const reranks = options.rerank !== undefined && options.rerank !== false;
  checkMinimums(options.min ?? {}, { mode, hasVectors, reranks });
  // A vector that the user gives is of an unknown model: it is trusted as a hosted one's.
  const kind = options.vector ? "hosted" : (facts.kind ?? "hosted");
  return {
    k,
    mode,
    candidates,
    textWeight: number("weights.text", options.weights?.text ?? 1),
    neighboursWeight: number("weights.neighbours", options.weights?.neighbours ?? 0),
    vectorWeight: vectorWeightOf(options.weights?.vector, kind),
    vectorFromLast: kind !== "lexical",
    fusion: oneOf("fusion", FUSIONS, options.fusion ?? "scores"),
    rrfK: number("rrfK", options.rrfK ?? 60),
    mustMatch: oneOf("mustMatch", MUST_MATCH, options.mustMatch ?? "identifiers"),
    rerank: rerankOf(options, preset?.depth),
  };
}

function vectorWeightOf(given: number | undefined, kind: EmbeddingKind): (unknown: number) => number {
  if (given !== undefined) {
    const fixed = number("weights.vector", given);
    return () => fixed;
  }
  return (unknown) => VECTOR_WEIGHT[kind] + UNKNOWN_WEIGHT * unknown;
}

/** Candidates that are judged and hits that are kept, by name; as the reports on contextual retrieval give them. */
const RERANK_PRESETS: Readonly<Record<RerankPreset, { readonly depth: number; readonly k: number }>> = {
  "20-3": { depth: 20, k: 3 },
  "20-5": { depth: 20, k: 5 },
  "150-20": { depth: 150, k: 20 },
};

function presetOf({ rerank }: SearchOptions) {
  const { preset } = rerankOptions(rerank);
  if (preset === undefined) return undefined;
  return RERANK_PRESETS[oneOf("rerank preset", Object.keys(RERANK_PRESETS) as RerankPreset[], preset)];
}

function rerankOf({ rerank }: SearchOptions, preset: number | undefined): ResolvedSearchOptions["rerank"] {
  const own = rerankOptions(rerank);
  const depth = preset ?? RERANK_DEPTH[kindOf(own.model)];
  return {
    depth: wholeNumber("rerank.depth", own.depth ?? depth),
    timeoutMs: number("rerank.timeoutMs", own.timeoutMs ?? 10_000),
  };
}

function kindOf(model: string | Reranker): RerankerKind {
  if (typeof model !== "string") return model.kind;
  if (model === BUILT_IN) return BUILT_IN;
  return model === "local" || model.startsWith("local:") ? "local" : "hosted";
}

/** Name of the reranker that needs no model. */
export const BUILT_IN = "built-in";

/** `SearchOptions.rerank` in its longest form. */
export function rerankOptions(rerank: SearchOptions["rerank"]): RerankOptions & { model: string | Reranker } {
  if (typeof rerank === "string") return { model: rerank };
  if (typeof rerank !== "object") return { model: BUILT_IN };
  return "rerank" in rerank ? { model: rerank } : { ...rerank, model: rerank.model ?? BUILT_IN };
}

function checkNumbers({
  withinDocuments,
  withinSections,
  perDocument,
  fold,
  mmr,
  expand,
  timeoutMs,
}: SearchOptions): void {
  if (withinDocuments !== undefined) wholeNumber("withinDocuments", withinDocuments);
  if (withinSections !== undefined) wholeNumber("withinSections", withinSections);
  if (perDocument !== undefined) wholeNumber("perDocument", perDocument);
  if (fold !== undefined) share("fold", fold);
  if (mmr !== undefined) share("mmr", mmr);
  if (expand?.neighbours !== undefined) number("expand.neighbours", expand.neighbours);
  if (expand?.tokens !== undefined) wholeNumber("expand.tokens", expand.tokens);
  if (timeoutMs !== undefined) number("timeoutMs", timeoutMs);
}

function oneOf<T extends string>(name: string, values: readonly T[], value: T): T {
  if (values.includes(value)) return value;
  throw new KonteksError(
    "wrong-option",
    `The ${name} must be one of ${values.join(", ")}, not "${String(value)}".`,
  );
}

function wholeNumber(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) return value;
  throw new KonteksError("wrong-option", `${name} must be a whole number from 1, not ${value}.`);
}

function number(name: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new KonteksError("wrong-option", `${name} must be a number from 0, not ${value}.`);
}

function share(name: string, value: number): number {
  if (value >= 0 && value <= 1) return value;
  throw new KonteksError("wrong-option", `${name} must be a number from 0 to 1, not ${value}.`);
}
