import type { EmbedOptions } from "./models.ts";
import type { StoredChunk } from "./store.ts";

/** A chunk that a reranker judges. */
export interface RerankCandidate {
  readonly stored: StoredChunk;
  /** Title, headings, context and chunk, cut to the reranker's limit: what a model reads. */
  readonly text: string;
  /** Score in each list that holds it, and its rank there, from 1. */
  readonly scores: Readonly<Record<string, number>>;
  readonly ranks: Readonly<Record<string, number>>;
  /** Place in the fused order, from 1. */
  readonly rank: number;
  /** The score that ordered it so far. */
  readonly score: number;
}

export interface RerankRequest {
  readonly query: string;
  /** Best first. */
  readonly candidates: readonly RerankCandidate[];
  /** Languages of the index; the query is analysed under the stems of each. */
  readonly languages: readonly string[];
  /** Inverse document frequency of a query term in this index. */
  readonly idf: (term: string) => number;
  /** How far the query is made of rare words, so that the whole document counts; 0 to 1. */
  readonly documentWeight: number;
}

/** Any finite score is legal; larger is better. `index` is the place in `candidates`, from 0. */
export interface RerankScore {
  readonly index: number;
  readonly score: number;
  /** What the score is the sum of, where the reranker can tell. */
  readonly parts?: Readonly<Record<string, number>>;
}

/** "built-in" needs no model; "hosted" costs money or a call, so its scores are kept. */
export type RerankerKind = "built-in" | "local" | "hosted";

/**
 * Puts candidates into a better order. One call judges one list: in any order, candidates may be left out (they follow in
 * the order they had). Time limits, caching and failures are the core's.
 */
export interface Reranker {
  /** "built-in", "cohere:rerank-v3.5", … */
  readonly id: string;
  readonly kind: RerankerKind;
  /** Longest query and text together, in tokens. Default 512 for "local", no limit for "built-in", 4,000 for "hosted". */
  readonly maxTokens?: number | undefined;
  /** Loads what it needs; awaited before the limits above are read. */
  ready?(): Promise<void>;
  rerank(request: RerankRequest, options?: EmbedOptions): Promise<readonly RerankScore[]>;
}
