import type { Chunk, SearchOptions, Store, StoredChunk, WhyRemedy, WhyWord } from "../spec/index.ts";
import { type QueryParts, runStages, type Stages, startRun } from "./query.ts";

/** The passage and how the search went. */
export interface Lost {
  readonly ids: ReadonlySet<string>;
  readonly best: StoredChunk;
  readonly stages: Stages;
  /** Of the query, beside the best chunk. */
  readonly words: readonly WhyWord[];
}

/** Runs `work` over a copy of the index in which the chunk's context says these words as well; undefined where that cannot be. */
export type WithContext = <T>(
  chunk: Chunk,
  words: string,
  work: (store: Store) => Promise<T>,
) => Promise<T | undefined>;

interface Trial {
  readonly change: string;
  readonly options: SearchOptions;
}

/** Tries other settings, one at a time, and tells those that bring the passage into the hits. */
export async function remedies(
  parts: QueryParts,
  query: string,
  options: SearchOptions,
  lost: Lost,
  withContext: WithContext,
): Promise<readonly WhyRemedy[]> {
  const { k } = lost.stages.resolved;
  const tried: WhyRemedy[] = [];
  for (const { change, options: other } of trials(options, lost)) {
    const rank = await rankUnder(parts, query, other, lost.ids).catch(() => undefined);
    tried.push({ change, rank });
  }
  const context = await namedInContext(parts, query, options, lost, withContext);
  const all = [...(await largerK(parts, query, options, lost)), ...tried, ...(context ? [context] : [])];
  return all
    .filter(({ change, rank }) => rank !== undefined && (rank <= k || change.startsWith("k: ")))
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .slice(0, 8);
}

async function rankUnder(parts: QueryParts, query: string, options: SearchOptions, ids: ReadonlySet<string>) {
  const { placed } = await runStages(startRun(parts, options, undefined, true), query);
  const at = placed.findIndex(({ stored }) => ids.has(stored.chunk.id));
  return at < 0 ? undefined : at + 1;
}

/** The k that reaches the passage; beyond the depth of the lists both are raised, which is tried. */
async function largerK(
  parts: QueryParts,
  query: string,
  options: SearchOptions,
  { ids, stages: { placed, resolved } }: Lost,
): Promise<readonly WhyRemedy[]> {
  const rank = placed.findIndex(({ stored }) => ids.has(stored.chunk.id)) + 1;
  if (rank <= resolved.k) return [];
  if (rank <= resolved.candidates) return [{ change: `k: ${rank}`, rank }];
  const deeper = await rankUnder(parts, query, { ...options, candidates: rank }, ids).catch(() => undefined);
  if (deeper === undefined || deeper > rank) return [];
  return [{ change: `k: ${deeper}, candidates: ${rank}`, rank: deeper }];
}

function trials(options: SearchOptions, { stages }: Lost): readonly Trial[] {
  const { resolved, lists } = stages;
  const { filter, min, perDocument, fold, mmr, withinDocuments, withinSections, rerank, ...plain } = options;
  const deep = Math.max(resolved.candidates, lists[0]?.statistics.chunks ?? 0);
  const found: Trial[] = [];
  const without = (name: string, left: SearchOptions) =>
    found.push({ change: `without ${name}`, options: left });
  if (filter) without("the filter", omit(options, "filter"));
  if (min) without("thresholds", omit(options, "min"));
  if (perDocument !== undefined) without("perDocument", omit(options, "perDocument"));
  if (fold !== undefined) without("fold", omit(options, "fold"));
  if (mmr !== undefined) without("mmr", omit(options, "mmr"));
  if (withinDocuments !== undefined) without("withinDocuments", omit(options, "withinDocuments"));
  if (withinSections !== undefined) without("withinSections", omit(options, "withinSections"));
  if (rerank) without("rerank", omit(options, "rerank"));
  else found.push({ change: "rerank: built-in", options: { ...options, rerank: true } });
  if (deep > resolved.candidates)
    found.push({ change: `candidates: ${deep}`, options: { ...options, candidates: deep } });
  if (resolved.mode !== "text")
    found.push({ change: "mode: text", options: { ...omit(plain, "vector"), mode: "text" } });
  if (resolved.mode !== "vector")
    found.push({ change: "mode: vector", options: { ...plain, mode: "vector" } });
  if (resolved.mode === "hybrid") {
    for (const vector of [0, 0.3, 1])
      found.push({
        change: `weights.vector: ${vector}`,
        options: { ...options, weights: { ...options.weights, vector } },
      });
  }
  return found;
}

function omit(options: SearchOptions, name: keyof SearchOptions): SearchOptions {
  const { [name]: _, ...rest } = options;
  return rest;
}

/** Where the passage stands once its context says the words of the query that it lacks. */
async function namedInContext(
  parts: QueryParts,
  query: string,
  options: SearchOptions,
  { best, ids, words }: Lost,
  withContext: WithContext,
): Promise<WhyRemedy | undefined> {
  const lacking = words.filter(
    (found) => !found.function && found.inChunk.length + found.inContext.length === 0,
  );
  if (lacking.length === 0) return undefined;
  const names = lacking.map(({ word }) => word);
  const rank = await withContext(best.chunk, names.join(", "), (store) =>
    rankUnder({ ...parts, store }, query, options, ids),
  ).catch(() => undefined);
  return { change: `a context that names ${names.map((name) => `"${name}"`).join(", ")}`, rank };
}
