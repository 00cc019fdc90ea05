import type {
  Bm25Options,
  Embedder,
  ScoreKind,
  SearchOptions,
  SearchResult,
  Store,
  TraceStage,
} from "../spec/index.ts";
import { fuse, type RankedList } from "./fuse.ts";
import { toHits } from "./hits.ts";
import { type ResolvedSearchOptions, resolveSearchOptions } from "./options.ts";
import { type ListResult, type SearchLists, searchLists } from "./search.ts";
import { createTracer } from "./trace.ts";

/** What a query runs against. */
export interface QueryParts {
  readonly store: Store;
  readonly embedder?: Embedder | undefined;
  readonly bm25?: Bm25Options | undefined;
}

/** search → fuse → hits. Results for k are the first k of one fixed order, so they are a prefix of those for k + 1 (I8). */
export async function search(
  parts: QueryParts,
  query: string,
  options: SearchOptions = {},
  defaultK?: number,
): Promise<SearchResult> {
  options.signal?.throwIfAborted();
  const resolved = resolveSearchOptions(options, parts.embedder?.kind, defaultK);
  const tracer = createTracer();
  const lists = await tracer.run(
    "search",
    () =>
      searchLists(parts.store, parts.embedder, query, {
        mode: resolved.mode,
        limit: resolved.candidates,
        filter: options.filter,
        bm25: parts.bm25,
        vector: options.vector && Float32Array.from(options.vector),
        signal: options.signal,
      }),
    (result) => ({ text: describeList(result.text), vector: describeList(result.vector) }),
  );
  const fused = await tracer.run(
    "fuse",
    () => fuse(rankedLists(lists, resolved), { k: resolved.rrfK }),
    (result) => ({ candidates: result.length, k: resolved.rrfK, weights: resolved.weights }),
  );
  const top = fused.slice(0, resolved.k);
  const chunks = await parts.store.getChunks(top.map((chunk) => chunk.chunkId));
  return { query, hits: toHits(top, chunks, scoreKindOf(resolved)), trace: tracer.stages() };
}

function rankedLists(lists: SearchLists, options: ResolvedSearchOptions): readonly RankedList[] {
  const both: RankedList[] = [];
  // A single list is ordered by itself: its weight is not asked.
  const weightOf = (name: "text" | "vector") => (options.mode === "hybrid" ? options.weights[name] : 1);
  if ("items" in lists.text) both.push({ name: "text", items: lists.text.items, weight: weightOf("text") });
  if ("items" in lists.vector)
    both.push({ name: "vector", items: lists.vector.items, weight: weightOf("vector") });
  return both;
}

function scoreKindOf(options: ResolvedSearchOptions): ScoreKind {
  if (options.mode === "text") return "bm25";
  return options.mode === "vector" ? "cosine" : "rrf";
}

function describeList(list: ListResult): TraceStage["facts"] {
  return "items" in list ? { found: list.items.length, ms: list.ms } : { skipped: list.skipped };
}
