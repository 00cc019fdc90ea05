import {
  type Bm25Options,
  type Embedder,
  type Filter,
  KonteksError,
  type ScoredChunk,
  type SearchMode,
  type Store,
} from "../spec/index.ts";
import { analyzeQuery } from "../text/analyze.ts";
import { idf } from "../text/bm25.ts";
import { lexicalIdfTerms } from "../text/exact-terms.ts";

/** The two lists of a query, each best first and `limit` deep; a list that has nothing to say is left out, with the reason. */
export interface SearchLists {
  readonly text: ListResult;
  readonly vector: ListResult;
}

export type ListResult =
  | { readonly items: readonly ScoredChunk[]; readonly ms: number }
  | { readonly skipped: string };

export interface SearchListsOptions {
  readonly mode: SearchMode;
  readonly limit: number;
  readonly filter?: Filter | undefined;
  readonly bm25?: Bm25Options | undefined;
  readonly vector?: Float32Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Searches by text and by vector side by side: the query's embedding is asked for first, and the text search runs
 * while it is awaited.
 */
export async function searchLists(
  store: Store,
  embedder: Embedder | undefined,
  query: string,
  options: SearchListsOptions,
): Promise<SearchLists> {
  const [vector, text] = await Promise.all([
    vectorList(store, embedder, query, options),
    textList(store, query, options),
  ]);
  return { text, vector };
}

async function textList(store: Store, query: string, options: SearchListsOptions): Promise<ListResult> {
  if (options.mode === "vector") return { skipped: "mode is vector" };
  const { terms } = analyzeQuery(query, { languages: await store.languages() });
  if (terms.length === 0) return { skipped: "the query holds no word" };
  const { limit, filter, bm25 } = options;
  return timed(() => store.searchText({ terms, limit, ...(filter && { filter }), ...(bm25 && { bm25 }) }));
}

async function vectorList(
  store: Store,
  embedder: Embedder | undefined,
  query: string,
  options: SearchListsOptions,
): Promise<ListResult> {
  if (options.mode === "text") return { skipped: "mode is text" };
  const given = options.vector;
  if (!given && !embedder) return { skipped: "the index has no embedding model" };
  if (!given && query.trim() === "") return { skipped: "the query is blank" };
  return timed(async () => {
    const vector = given ?? (await embedQuery(store, embedder, query, options.signal));
    if (vector.every((value) => value === 0)) return [];
    return store.searchVector({
      vector,
      limit: options.limit,
      ...(options.filter && { filter: options.filter }),
    });
  });
}

async function embedQuery(
  store: Store,
  embedder: Embedder | undefined,
  query: string,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  if (!embedder)
    throw new KonteksError("wrong-option", "There is no embedding model to embed the query with.");
  if (embedder.kind !== "lexical") return embedder.embedQuery(query, { signal });
  return embedder.embedQuery(query, { signal, idf: await queryIdf(store, query) });
}

/** Rarity of the query's words in this index: known at query time only, so that stored vectors do not depend on history. */
async function queryIdf(store: Store, query: string): Promise<(term: string) => number> {
  const terms = lexicalIdfTerms(query);
  const { chunks, frequencies } = await store.documentFrequencies(terms);
  const byTerm = new Map(terms.map((term, i) => [term, idf(chunks, frequencies[i] ?? 0)]));
  return (term) => byTerm.get(term) ?? idf(chunks, 0);
}

async function timed(work: () => Promise<readonly ScoredChunk[]>): Promise<ListResult> {
  const start = performance.now();
  const items = await work();
  return { items, ms: performance.now() - start };
}
