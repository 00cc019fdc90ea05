import type { Hit, Konteks, Reranker, RerankOptions, SearchOptions } from "../spec/index.ts";
import { countTokens } from "../text/count-tokens.ts";
import { percentile } from "./bootstrap.ts";

/** What a reranker would be sent for one query. */
export interface Load {
  readonly query: string;
  readonly texts: number;
  /** Of the query with each text. */
  readonly tokens: number;
}

/** Logged queries as they are searched now, without a reranker. */
export interface Baseline {
  readonly loads: readonly Load[];
  readonly hits: readonly (readonly Hit[])[];
  readonly ms: readonly number[];
}

export interface ReplayOptions {
  /** Of both searches. */
  readonly search?: SearchOptions;
  readonly rerank: RerankOptions & { readonly model: string | Reranker };
  readonly signal?: AbortSignal;
}

/** What changed, over all queries. Shares are 0 to 1. */
export interface Replay {
  readonly queries: number;
  /** Milliseconds of a search, p50 and p95. */
  readonly before: Times;
  readonly after: Times;
  /** Queries whose first hit is another. */
  readonly firstChanged: number;
  /** Hits among the first k that were not among them before, mean. */
  readonly newHits: number;
  /** Queries whose hits are the same in the same order. */
  readonly same: number;
  /** Queries for which the reranker was left out, with the reasons. */
  readonly skipped: number;
  readonly reasons: readonly string[];
  /** The queries whose first hits differ most, with the first hit before and after. */
  readonly examples: readonly Example[];
}

export interface Times {
  readonly p50: number;
  readonly p95: number;
}

export interface Example {
  readonly query: string;
  readonly before: string;
  readonly after: string;
}

/** Searches every query without the reranker, and counts what the reranker would be sent. Nothing is sent. */
export async function replayBaseline(
  konteks: Konteks,
  queries: readonly string[],
  options: ReplayOptions,
): Promise<Baseline> {
  const loads: Load[] = [];
  const hits: (readonly Hit[])[] = [];
  const ms: number[] = [];
  // The first search reads what later ones find in memory.
  const [first] = queries;
  if (first !== undefined) await konteks.search(first, searchOf(options, false));
  for (const query of queries) {
    options.signal?.throwIfAborted();
    const plain = await timed(() => konteks.search(query, searchOf(options, false)));
    hits.push(plain.result.hits);
    ms.push(plain.ms);
    let load: Load = { query, texts: 0, tokens: 0 };
    const model = counting((counted) => {
      load = { query, ...counted };
    });
    await konteks.search(query, searchOf(options, { ...options.rerank, model }));
    loads.push(load);
  }
  return { loads, hits, ms };
}

/** Searches the queries of a baseline with the reranker, and tells what that changed and took. */
export async function replay(konteks: Konteks, baseline: Baseline, options: ReplayOptions): Promise<Replay> {
  const pairs: Pair[] = [];
  for (const [i, { query }] of baseline.loads.entries()) {
    options.signal?.throwIfAborted();
    const { result, ms } = await timed(() => konteks.search(query, searchOf(options, options.rerank)));
    const skipped = result.notes?.find((note) => note.startsWith("rerank: skipped"));
    pairs.push({ query, before: idsOf(baseline.hits[i] ?? []), after: idsOf(result.hits), ms, skipped });
  }
  return summary(pairs, baseline);
}

interface Pair {
  readonly query: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly ms: number;
  readonly skipped: string | undefined;
}

function summary(pairs: readonly Pair[], { ms }: Baseline): Replay {
  const share = (wanted: (pair: Pair) => boolean) => pairs.filter(wanted).length / Math.max(1, pairs.length);
  const changed = pairs.filter(({ before, after }) => before[0] !== after[0]);
  return {
    queries: pairs.length,
    before: timesOf(ms),
    after: timesOf(pairs.map((pair) => pair.ms)),
    firstChanged: share(({ before, after }) => before[0] !== after[0]),
    newHits: pairs.reduce((sum, pair) => sum + newIn(pair), 0) / Math.max(1, pairs.length),
    same: share(({ before, after }) => before.join("\n") === after.join("\n")),
    skipped: pairs.filter(({ skipped }) => skipped !== undefined).length,
    reasons: [...new Set(pairs.flatMap(({ skipped }) => skipped ?? []))],
    examples: changed
      .toSorted((a, b) => newIn(b) - newIn(a))
      .slice(0, 5)
      .map(({ query, before, after }) => ({ query, before: before[0] ?? "", after: after[0] ?? "" })),
  };
}

function newIn({ before, after }: Pair): number {
  return after.filter((id) => !before.includes(id)).length;
}

function timesOf(ms: readonly number[]): Times {
  const sorted = ms.toSorted((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
}

function idsOf(hits: readonly Hit[]): readonly string[] {
  return hits.map(({ chunkId }) => chunkId);
}

function searchOf({ search, signal }: ReplayOptions, rerank: SearchOptions["rerank"] & {}): SearchOptions {
  return { ...search, rerank, ...(signal && { signal }) };
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const begun = performance.now();
  const result = await work();
  return { result, ms: performance.now() - begun };
}

/** Takes the place of a reranker, judges nothing, and counts what it is given. */
function counting(see: (counted: Omit<Load, "query">) => void): Reranker {
  return {
    id: "counting",
    kind: "local",
    maxTokens: Number.POSITIVE_INFINITY,
    async rerank({ query, candidates }) {
      const ofQuery = countTokens(query);
      see({
        texts: candidates.length,
        tokens: candidates.reduce((sum, { text }) => sum + ofQuery + countTokens(text), 0),
      });
      return [];
    },
  };
}
