import type { SearchOptions, StoredChunk, WhyRemedy } from "../spec/index.ts";
import { saturate } from "../text/bm25.ts";
import { type QueryParts, runStages, type Stages, startRun } from "./query.ts";

/** The passage and how the search went. */
export interface Lost {
  readonly ids: ReadonlySet<string>;
  readonly best: StoredChunk;
  readonly stages: Stages;
}

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
): Promise<readonly WhyRemedy[]> {
  const { k } = lost.stages.resolved;
  const tried: WhyRemedy[] = [];
  for (const { change, options: other } of trials(options, lost)) {
    const rank = await rankUnder(parts, query, other, lost.ids).catch(() => undefined);
    tried.push({ change, rank });
  }
  const context = namingContext(lost);
  const all = [...largerK(lost, k), ...tried, ...(context ? [context] : [])];
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

function largerK({ ids, stages }: Lost, k: number): readonly WhyRemedy[] {
  const at = stages.placed.findIndex(({ stored }) => ids.has(stored.chunk.id));
  return at >= k ? [{ change: `k: ${at + 1}`, rank: at + 1 }] : [];
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

/**
 * Where the chunk would stand if its context named the query's words that it lacks: its BM25 score with each of them once in
 * a field of average length, held against the text list.
 */
function namingContext({ best, ids, stages }: Lost): WhyRemedy | undefined {
  const [own] = stages.lists;
  if (!own || !("items" in own.text)) return undefined;
  const { query, statistics } = own;
  const present = new Set<string>();
  const scores = own.text.items;
  const mine = scores.find(({ chunkId }) => ids.has(chunkId))?.score ?? 0;
  const text = `${best.title}\n${best.context.text}\n${best.chunk.text}`.toLowerCase();
  for (const { text: word } of query.words) if (text.includes(word.toLowerCase())) present.add(word);
  const lacking = query.words.filter(
    ({ text: word, terms }) => !present.has(word) && terms.some((term) => statistics.frequency(term) > 0),
  );
  if (lacking.length === 0) return undefined;
  const weights = new Map(query.terms.map(({ term, weight }) => [term, weight]));
  const gain = lacking
    .flatMap(({ terms }) => terms)
    .reduce((sum, term) => sum + (weights.get(term) ?? 0) * statistics.idf(term) * saturate(1, 1.2), 0);
  const rank = 1 + scores.filter(({ chunkId, score }) => !ids.has(chunkId) && score > mine + gain).length;
  const words = lacking
    .slice(0, 6)
    .map(({ text: word }) => `"${word}"`)
    .join(", ");
  return { change: `a context that names ${words} (about, in the text list)`, rank };
}
