import type {
  Bm25Options,
  Embedder,
  Filter,
  Reranker,
  SearchOptions,
  SearchResult,
  Store,
  StoredChunk,
  Trace,
  TraceStage,
} from "../spec/index.ts";
import { mergeBm25 } from "../text/bm25.ts";
import type { Candidate, FusedChunk } from "./candidate.ts";
import { diversify } from "./diversify.ts";
import { expand } from "./expand.ts";
import { explainHits } from "./explain.ts";
import { filterMismatch } from "./filter-fields.ts";
import { fuse, type RankedList } from "./fuse.ts";
import { type Placed, toHits } from "./hits.ts";
import { applyMinimums } from "./limits.ts";
import { mergeLists, mustMatch, putFirst } from "./must-match.ts";
import { addNeighbours } from "./neighbours.ts";
import { type ResolvedSearchOptions, rerankOptions, resolveSearchOptions } from "./options.ts";
import { type Reranked, rerank } from "./rerank.ts";
import type { RerankCache } from "./rerank-cache.ts";
import { type ListResult, type SearchLists, searchLists, TOO_LATE } from "./search.ts";
import { createTracer, type Tracer } from "./trace.ts";
import { onlyNearForms } from "./unknown-words.ts";
import { bestWithin, inside, type Within } from "./within.ts";
import { EXPECTED, expectVectors, type WithoutVector, withoutVectors } from "./without-vector.ts";

/** What a query runs against. */
export interface QueryParts {
  readonly store: Store;
  readonly embedder?: Embedder | undefined;
  readonly bm25?: Bm25Options | undefined;
  readonly resolveReranker?: ((model: string | Reranker) => Promise<Reranker>) | undefined;
  readonly rerankCache?: RerankCache | undefined;
}

/** Every order that a query went through, for the result and for `why`. */
export interface Stages {
  readonly resolved: ResolvedSearchOptions;
  /** Of the query, then of each phrasing; before thresholds. */
  readonly lists: readonly SearchLists[];
  readonly passing: readonly SearchLists[];
  readonly weights: Readonly<Record<string, number>>;
  readonly fused: readonly FusedChunk[];
  readonly reranked: Reranked["order"];
  readonly placed: readonly Placed[];
  /** Why chunks were left out behind the fusion, by id. */
  readonly left: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
  readonly trace: Trace;
}

/**
 * search → thresholds → fuse → rerank → diversify → first k → expand. Every stage works on one fixed order that does not
 * depend on k, so results for k are a prefix of those for k + 1 (I8).
 */
export async function search(
  parts: QueryParts,
  query: string,
  options: SearchOptions = {},
  defaultK?: number,
): Promise<SearchResult> {
  const run = startRun(parts, options, defaultK);
  const stages = await runStages(run, query);
  const top = stages.placed.slice(0, run.resolved.k);
  const hits = await finish(run, stages, top);
  const misnamed = await filterNote(run, hits.length);
  const notes = misnamed === undefined ? stages.notes : [...stages.notes, misnamed];
  return { query, hits, ...(notes.length > 0 && { notes }), trace: run.tracer.stages() };
}

/** A filter that lets nothing through may name a field or a value that no document has. */
async function filterNote({ parts, options }: Run, found: number): Promise<string | undefined> {
  return found > 0 || !options.filter ? undefined : filterMismatch(parts.store, options.filter);
}

/** A search under way. */
export interface Run {
  readonly parts: QueryParts;
  readonly options: SearchOptions;
  readonly resolved: ResolvedSearchOptions;
  readonly tracer: Tracer;
  readonly notes: string[];
  readonly deadline: number | undefined;
  /** Carry the whole order through, not only the first k. */
  readonly whole: boolean;
}

export function startRun(parts: QueryParts, options: SearchOptions, defaultK?: number, whole = false): Run {
  options.signal?.throwIfAborted();
  const { timeoutMs } = options;
  return {
    parts: { ...parts, bm25: mergeBm25(parts.bm25, options.bm25) },
    options,
    resolved: resolveSearchOptions(options, { kind: parts.embedder?.kind, defaultK }),
    tracer: createTracer(),
    notes: [],
    deadline: timeoutMs === undefined ? undefined : performance.now() + timeoutMs,
    whole,
  };
}

export async function runStages(run: Run, query: string): Promise<Stages> {
  const { resolved, options, tracer, notes } = run;
  const within = await withinOf(run, query);
  const { lists, pinned } = await searchAll(run, query, within);
  const passing = applyMinimums(lists, options.min ?? {});
  const byList = rankedLists(passing, resolved);
  const { ranked, weights: ofLists } = byList;
  const { neighboursWeight } = resolved;
  const waiting = await withoutVectors(run.parts.store, passing);
  const weights = {
    ...ofLists,
    ...(waiting.ids.size > 0 && ofLists.vector !== undefined && { [EXPECTED]: ofLists.vector }),
    ...(neighboursWeight > 0 && { neighbours: neighboursWeight }),
  };
  const fused = await tracer.run(
    "fuse",
    () => withScores(fuseAll(byList, resolved, waiting), ranked),
    (result) => ({
      candidates: result.length,
      method: resolved.fusion,
      k: resolved.rrfK,
      weights,
      ...(waiting.chunks > 0 && { withoutVector: waiting.ids.size, ofIndex: waiting.chunks }),
    }),
  );
  const first = putFirst(fused, ({ chunkId }) => pinned.has(chunkId));
  const candidates = await join(run, first.slice(0, joinedDepth(run)));
  const reranked = putFirst(await rerankStage(run, query, candidates, passing), ({ fused }) =>
    pinned.has(fused.chunkId),
  );
  const { placed, left } = await diversifyStage(run, reranked);
  return { resolved, lists, passing, weights, fused, reranked, placed, left, notes, trace: tracer.stages() };
}

async function searchAll(run: Run, query: string, within: Within) {
  const { parts, options, resolved, tracer, notes } = run;
  const search = (text: string, i: number) =>
    searchLists(parts.store, parts.embedder, text, {
      mode: resolved.mode,
      limit: Math.max(resolved.candidates, within.depth ?? 0),
      filter: within.filter,
      bm25: parts.bm25,
      vector: i === 0 && options.vector ? Float32Array.from(options.vector) : undefined,
      signal: options.signal,
      deadline: run.deadline,
      doWithoutModel: resolved.mode === "hybrid" && options.min?.cosine === undefined,
      skipVector: ({ unknown }) => skipVector(run, unknown),
    });
  const found = await tracer.run(
    "search",
    () => Promise.all([query, ...(options.phrasings ?? [])].map(search)),
    describeLists,
  );
  for (const reason of new Set(found.flatMap(({ vector }) => ("told" in vector ? vector.skipped : []))))
    notes.push(`vector search: skipped (${reason})`);
  const known = await withoutNoise(run, [query, ...(options.phrasings ?? [])], found);
  const { lists, pinned } = await withPhrases(run, known, within.filter);
  return { lists: inside(lists, within, resolved.candidates), pinned };
}

/** Why the vector list is not searched at all; undefined when it counts. */
function skipVector({ options, resolved }: Run, unknown: number): string | undefined {
  if (resolved.mode === "vector" || options.min?.cosine !== undefined || resolved.vectorWeight(unknown) > 0)
    return undefined;
  return resolved.vectorWeight(1) > 0 ? "the index knows every word of the query" : "its weight is 0";
}

/** What the lexical embedding finds for words that the index does not know, without what is not even like them. */
async function withoutNoise(
  { parts, options, resolved, notes }: Run,
  texts: readonly string[],
  found: readonly SearchLists[],
): Promise<readonly SearchLists[]> {
  if (resolved.mode !== "hybrid" || parts.embedder?.kind !== "lexical" || options.vector) return found;
  const checked = await Promise.all(
    found.map((lists, i) => onlyNearForms(parts.store, texts[i] ?? "", lists)),
  );
  for (const { note } of checked) if (note !== undefined) notes.push(note);
  return checked.map(({ lists }) => lists);
}

/** Adds the chunks that hold every quoted phrase, however deep they stood. */
async function withPhrases(run: Run, found: readonly SearchLists[], filter: Filter | undefined) {
  const { parts, resolved } = run;
  const [own, ...others] = found;
  if (!own || !("items" in own.text)) return { lists: found, pinned: new Set<string>() };
  const { mustMatch: which, candidates: limit } = resolved;
  const { wanted, items } = await mustMatch(parts.store, own, { which, limit, filter, bm25: parts.bm25 });
  if (wanted.length > 0) run.tracer.note("must match", { wanted: wanted.length, found: items.length });
  const text = { ...own.text, items: mergeLists(own.text.items, items) };
  return { lists: [{ ...own, text }, ...others], pinned: new Set(items.map(({ chunkId }) => chunkId)) };
}

/** The lists of all phrasings with their weights; those of further phrasings share the weight of one. */
function rankedLists(found: readonly SearchLists[], resolved: ResolvedSearchOptions) {
  const ranked: RankedList[] = [];
  const weights: Record<string, number> = {};
  found.forEach((lists, i) => {
    for (const kind of ["text", "vector"] as const) {
      const list = lists[kind];
      if (!("items" in list)) continue;
      const name = i === 0 ? kind : `${kind}:${i + 1}`;
      const weight = weightOf(kind, lists, resolved) / found.length;
      weights[name] = weight;
      // A model's cosines all lie close together, far from 0: how far one stands above the last is what counts.
      const floor = kind === "vector" && resolved.vectorFromLast ? list.items.at(-1)?.score : undefined;
      ranked.push({ name, items: list.items, weight, floor });
    }
  });
  return { ranked, weights };
}

function weightOf(
  kind: "text" | "vector",
  { statistics }: SearchLists,
  resolved: ResolvedSearchOptions,
): number {
  // A single list is ordered by itself: its weight is not asked.
  if (resolved.mode !== "hybrid") return 1;
  return kind === "text" ? resolved.textWeight : resolved.vectorWeight(statistics.unknown);
}

/** A list that was searched for its threshold alone has no part in the order, but its score is shown. */
function withScores(fused: readonly FusedChunk[], ranked: readonly RankedList[]): readonly FusedChunk[] {
  const silent = ranked.filter(({ weight }) => weight === 0);
  if (silent.length === 0) return fused;
  const scores = new Map<string, Record<string, number>>();
  for (const { name, items } of silent)
    for (const { chunkId, score } of items) scores.set(chunkId, { ...scores.get(chunkId), [name]: score });
  return fused.map((chunk) => ({ ...chunk, scores: { ...scores.get(chunk.chunkId), ...chunk.scores } }));
}

/** One order of all lists; what a chunk's neighbours add comes last. */
function fuseAll(
  { ranked, weights }: ReturnType<typeof rankedLists>,
  resolved: ResolvedSearchOptions,
  waiting: WithoutVector,
): readonly FusedChunk[] {
  const fused = fuse(ranked, { method: resolved.fusion, k: resolved.rrfK });
  return addNeighbours(expectVectors(fused, waiting.ids, weights), resolved.neighboursWeight);
}

/** Documents or sections first: the user's filter, narrowed to those whose chunks a first search found best. */
async function withinOf(run: Run, query: string): Promise<Within> {
  const { options, resolved, tracer, parts } = run;
  const { filter, withinDocuments, withinSections } = options;
  const all: Within = { filter, chosen: {} };
  if (withinDocuments === undefined && withinSections === undefined) return all;
  const choose = async () => {
    // Its notes would be said twice.
    const { lists } = await searchAll({ ...run, tracer: createTracer(), notes: [] }, query, all);
    const waiting = await withoutVectors(parts.store, lists);
    return bestWithin(parts.store, fuseAll(rankedLists(lists, resolved), resolved, waiting), options);
  };
  return tracer.run("within", choose, ({ chosen }) => chosen);
}

/** How much of the order the stages behind the fusion look at: what they cannot move into the first k is not read. */
function joinedDepth({ options, resolved, whole }: Run): number {
  const { rerank, perDocument, fold, mmr } = options;
  if (whole || [perDocument, fold, mmr].some((setting) => setting !== undefined))
    return Number.POSITIVE_INFINITY;
  return rerank ? Math.max(resolved.k, resolved.rerank.depth) : resolved.k;
}

/** Joins the fused order with what is stored. */
async function join(run: Run, fused: readonly FusedChunk[]): Promise<readonly Candidate[]> {
  const chunks = await run.parts.store.getChunks(fused.map(({ chunkId }) => chunkId));
  const byId = new Map<string, StoredChunk>(chunks.map((stored) => [stored.chunk.id, stored]));
  return fused.flatMap((item) => {
    const stored = byId.get(item.chunkId);
    // A chunk that left the index in between is passed over.
    return stored ? [{ fused: item, stored }] : [];
  });
}

async function rerankStage(
  run: Run,
  query: string,
  candidates: readonly Candidate[],
  [own]: readonly SearchLists[],
): Promise<Reranked["order"]> {
  const { parts, options, resolved, tracer, notes } = run;
  const wanted = options.rerank;
  if (wanted === undefined || wanted === false || !own) return candidates;
  const { languages, idf, documentWeight } = own.statistics;
  const left = run.deadline === undefined ? Number.POSITIVE_INFINITY : run.deadline - performance.now();
  const work = async (): Promise<Reranked> => {
    if (left <= 0) return { order: candidates, skipped: TOO_LATE };
    const reranker = await parts.resolveReranker?.(rerankOptions(wanted).model);
    if (!reranker) return { order: candidates, skipped: "no reranker is set up" };
    return rerank(candidates, {
      reranker,
      depth: resolved.rerank.depth,
      timeoutMs: Math.min(resolved.rerank.timeoutMs, left),
      query: { query, languages, idf, documentWeight },
      cache: parts.rerankCache,
      signal: options.signal,
    });
  };
  const result = await tracer.run("rerank", work, ({ skipped, cached }) => ({
    depth: Math.min(resolved.rerank.depth, candidates.length),
    ...(skipped !== undefined && { skipped }),
    ...(cached && { cached }),
  }));
  const least = options.min?.rerank;
  if (result.skipped !== undefined) notes.push(`rerank: skipped (${result.skipped})`);
  if (result.skipped !== undefined && least !== undefined)
    notes.push("threshold of rerank: not applied, nothing was judged");
  if (result.unkept !== undefined) notes.push(`rerank: its scores could not be kept (${result.unkept})`);
  if (least === undefined || result.skipped !== undefined) return result.order;
  return result.order.filter(({ rerank }) => rerank !== undefined && rerank.score >= least);
}

async function diversifyStage(run: Run, reranked: Reranked["order"]) {
  const { perDocument, fold, mmr } = run.options;
  if (perDocument === undefined && fold === undefined && mmr === undefined)
    return { placed: reranked, left: new Map<string, string>() };
  const order = reranked.map((item) => ({ ...item, score: item.rerank?.score ?? item.fused.score }));
  const { kept, left } = await run.tracer.run(
    "diversify",
    () => diversify(order, { perDocument, fold, mmr }),
    (result) => ({ kept: result.kept.length, left: result.left.size }),
  );
  return { placed: kept, left };
}

async function finish(run: Run, stages: Stages, top: readonly Placed[]): Promise<SearchResult["hits"]> {
  const { options, resolved, tracer, parts } = run;
  // What neighbours add makes the order of a single list a fused one.
  const mode = resolved.neighboursWeight > 0 ? "hybrid" : resolved.mode;
  const hits = toHits(top, mode, resolved.fusion);
  const { expand: wider } = options;
  const expanded = wider
    ? await tracer.run(
        "expand",
        () => Promise.all(hits.map((hit, i) => expandHit(run, hit, top[i]))),
        (all) => ({ expanded: all.filter((hit) => hit.expanded).length }),
      )
    : hits;
  if (!options.explain) return expanded;
  const { lists, weights } = stages;
  const input = { store: parts.store, bm25: parts.bm25, lists, weights };
  return tracer.run(
    "explain",
    () => explainHits(expanded, top, input),
    () => ({}),
  );
}

async function expandHit(
  { parts, options }: Run,
  hit: SearchResult["hits"][number],
  placed: Placed | undefined,
): Promise<SearchResult["hits"][number]> {
  const record = await parts.store.getDocument(hit.documentId);
  if (!record || !placed || !options.expand) return hit;
  const chunks = await parts.store.chunksOf(hit.documentId);
  const expanded = expand(placed.stored, { text: record.document.text, chunks }, options.expand);
  return expanded ? { ...hit, expanded } : hit;
}

function describeLists([own]: readonly SearchLists[]): TraceStage["facts"] {
  return {
    text: describeList(own?.text),
    vector: describeList(own?.vector),
    ...(own && { unknown: own.statistics.unknown }),
  };
}

function describeList(list: ListResult | undefined): TraceStage["facts"] {
  if (!list) return {};
  return "items" in list ? { found: list.items.length, ms: list.ms } : { skipped: list.skipped };
}
