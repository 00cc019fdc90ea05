import { isOutage } from "../llm/errors.ts";
import {
  type Bm25Options,
  type Embedder,
  type Filter,
  isKonteksError,
  KonteksError,
  type ScoredChunk,
  type SearchMode,
  type Store,
} from "../spec/index.ts";
import { type AnalyzedQuery, analyzeQuery } from "../text/analyze.ts";
import { idf } from "../text/bm25.ts";
import { documentWeight } from "../text/document-weight.ts";
import { lexicalIdfTerms } from "../text/exact-terms.ts";
import { unknownShare } from "../text/lexical-share.ts";
import { timerMs } from "../util/timer.ts";

/** The two lists of a query, each best first and `limit` deep; a list that has nothing to say is left out, with the reason. */
export interface SearchLists {
  readonly query: AnalyzedQuery;
  readonly statistics: Statistics;
  readonly text: ListResult;
  readonly vector: ListResult;
  /** Chunks whose vectors are still to come; 0 where vectors had no say. */
  readonly pending: number;
}

export type ListResult =
  | { readonly items: readonly ScoredChunk[]; readonly ms: number }
  /** `told`: not as the query or its settings want it, so a person should know. */
  | { readonly skipped: string; readonly told?: boolean };

/** What the index knows of the query's words. */
export interface Statistics {
  readonly chunks: number;
  readonly languages: readonly string[];
  /** Chunks that hold a term of the query. */
  readonly frequency: (term: string) => number;
  /** Inverse document frequency; 0 for a term that stands nowhere. */
  readonly idf: (term: string) => number;
  /** Share of the query's content words that stand nowhere in the index. */
  readonly unknown: number;
  /** How much the whole document counts beside the chunk. */
  readonly documentWeight: number;
}

export interface SearchListsOptions {
  readonly mode: SearchMode;
  readonly limit: number;
  readonly filter?: Filter | undefined;
  readonly bm25?: Bm25Options | undefined;
  readonly vector?: Float32Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /** When the vector list has to be there; left out otherwise. Milliseconds of `performance.now()`. */
  readonly deadline?: number | undefined;
  /** Leave the vector list out where the embedding model is out of reach, instead of failing. */
  readonly doWithoutModel: boolean;
  /** Why the vector list need not be searched: it would not count. Undefined when it does. */
  readonly skipVector: (statistics: Statistics) => string | undefined;
}

/**
 * Searches by text and by vector side by side. A model's embedding of the query is asked for first, and the text search
 * runs while it is awaited. The lexical embedding is there at once: then the vector search is begun first, of which other
 * threads may do a part while words are searched in this one.
 */
export async function searchLists(
  store: Store,
  embedder: Embedder | undefined,
  text: string,
  options: SearchListsOptions,
): Promise<SearchLists> {
  const { query, statistics } = await analyze(store, text);
  const pending = await pendingOf(store, embedder, options);
  const skipped =
    pending > 0 && pending >= statistics.chunks
      ? "no chunk has a vector yet"
      : whyNoVector(embedder, text, statistics, options);
  const embed = async () => options.vector ?? embedQuery(embedder, text, statistics, options.signal);
  const atHand = skipped === undefined && embedder?.kind === "lexical" ? await embed() : options.vector;
  const [vector, byText] = await Promise.all([
    skipped === undefined ? vectorList(store, embedder, atHand ?? embed, options) : { skipped },
    textList(store, query, statistics, options),
  ]);
  return { query, statistics, text: byText, vector, pending };
}

/** Vectors of the lexical embedding never come later. */
async function pendingOf(
  store: Store,
  embedder: Embedder | undefined,
  { mode }: SearchListsOptions,
): Promise<number> {
  if (mode === "text" || !embedder || embedder.kind === "lexical") return 0;
  return (await store.pendingVectors([])).chunks;
}

/** A query's terms, and what the index knows of them. */
export async function analyze(
  store: Store,
  text: string,
): Promise<{ readonly query: AnalyzedQuery; readonly statistics: Statistics }> {
  const languages = await store.languages();
  const query = analyzeQuery(text, { languages });
  const terms = [...new Set([...query.terms.map(({ term }) => term), ...lexicalIdfTerms(text)])];
  const { chunks, frequencies } = await store.documentFrequencies(terms);
  const byTerm = new Map(terms.map((term, i) => [term, frequencies[i] ?? 0]));
  const frequency = (term: string) => byTerm.get(term) ?? 0;
  return {
    query,
    statistics: {
      chunks,
      languages,
      frequency,
      idf: (term) => (frequency(term) > 0 ? idf(chunks, frequency(term)) : 0),
      unknown: unknownShare(text, frequency),
      documentWeight: documentWeight(query.terms, chunks, frequency),
    },
  };
}

/** The BM25 settings of a query: the index's own, with the document's weight following the query's words. */
export function bm25Of(bm25: Bm25Options | undefined, statistics: Statistics): Bm25Options {
  return { documentWeight: statistics.documentWeight, ...bm25 };
}

async function textList(
  store: Store,
  { terms }: AnalyzedQuery,
  statistics: Statistics,
  options: SearchListsOptions,
): Promise<ListResult> {
  if (options.mode === "vector") return { skipped: "mode is vector" };
  if (terms.length === 0) return { skipped: "the query holds no word" };
  const { limit, filter } = options;
  const bm25 = bm25Of(options.bm25, statistics);
  return timed(() => store.searchText({ terms, limit, bm25, ...(filter && { filter }) }));
}

function whyNoVector(
  embedder: Embedder | undefined,
  query: string,
  statistics: Statistics,
  { mode, vector, skipVector }: SearchListsOptions,
): string | undefined {
  if (mode === "text") return "mode is text";
  if (!vector && !embedder) return "the index has no embedding model";
  if (!vector && query.trim() === "") return "the query is blank";
  return skipVector(statistics);
}

async function vectorList(
  store: Store,
  embedder: Embedder | undefined,
  query: Float32Array | (() => Promise<Float32Array>),
  { limit, filter, deadline, doWithoutModel }: SearchListsOptions,
): Promise<ListResult> {
  try {
    return await inTime(deadline, () =>
      timed(async () => {
        const vector = query instanceof Float32Array ? query : await query();
        if (vector.every((value) => value === 0)) return [];
        return store.searchVector({ vector, limit, ...(filter && { filter }) });
      }),
    );
  } catch (error) {
    if (!doWithoutModel || !isOutOfReach(error, embedder)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return { skipped: `the query could not be embedded: ${reason}`, told: true };
  }
}

/** A provider that does not answer, or a local model that is not on this machine. */
function isOutOfReach(error: unknown, embedder: Embedder | undefined): boolean {
  return isOutage(error) || (embedder?.kind === "local" && isKonteksError(error, "unknown-model"));
}

async function inTime(deadline: number | undefined, work: () => Promise<ListResult>): Promise<ListResult> {
  if (deadline === undefined) return work();
  const left = deadline - performance.now();
  if (left <= 0) return { skipped: TOO_LATE, told: true };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ListResult>((resolve) => {
    timer = setTimeout(() => resolve({ skipped: TOO_LATE, told: true }), timerMs(left));
  });
  const result = work();
  // What comes too late may fail unseen.
  result.catch(() => {});
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

/** Why a stage was left out under a time limit. */
export const TOO_LATE = "the time limit was reached";

/** Rarity of the query's words is known at query time only, so that stored vectors do not depend on history. */
export async function embedQuery(
  embedder: Embedder | undefined,
  query: string,
  { chunks, frequency }: Statistics,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  if (!embedder)
    throw new KonteksError("wrong-option", "There is no embedding model to embed the query with.");
  if (embedder.kind !== "lexical") return embedder.embedQuery(query, { signal });
  return embedder.embedQuery(query, { signal, idf: (term) => idf(chunks, frequency(term)) });
}

async function timed(work: () => Promise<readonly ScoredChunk[]>): Promise<ListResult> {
  const start = performance.now();
  const items = await work();
  return { items, ms: performance.now() - start };
}
