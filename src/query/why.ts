import type { LostAt, SearchOptions, Store, StoredChunk, WhyOptions, WhyReport } from "../spec/index.ts";
import { KonteksError } from "../spec/index.ts";
import { analyzeQuery } from "../text/analyze.ts";
import { type QueryParts, type Run, runStages, type Stages, startRun } from "./query.ts";
import { bm25Of, embedQuery } from "./search.ts";
import { type Expected, locate } from "./why-locate.ts";
import { remedies, type WithContext } from "./why-remedies.ts";
import { passageWords, queryWords } from "./why-words.ts";

/** What a search alone cannot tell. */
export interface WhyPorts {
  /** Why a document is not in the index, when something outside it knows. */
  missing(name: string): Promise<string | undefined>;
  readonly withContext: WithContext;
}

/** Takes the passage that should have been found and follows it through every stage of the search. */
export async function why(
  parts: QueryParts,
  query: string,
  { expect, ...options }: WhyOptions,
  ports: WhyPorts,
): Promise<WhyReport> {
  if (expect.trim() === "")
    throw new KonteksError(
      "wrong-option",
      "Say what should have been found: file:line, a chunk id or a quote.",
    );
  const expected = await locate(parts.store, expect);
  const empty = { chunks: [], words: [], passage: [], remedies: [] };
  const nothing = { query, expect, ...empty, lists: {}, leftOut: {}, stages: {} };
  if (expected.kind === "no-document") {
    const reason = (await ports.missing(expected.name)) ?? expected.reason;
    return { ...nothing, lostAt: "not-in-index", reason };
  }
  if (expected.chunks.length === 0) return { ...nothing, lostAt: "not-in-chunk", reason: expected.reason };
  return followed(parts, query, options, expect, expected, ports);
}

type Located = Extract<Expected, { kind: "passage" }>;

async function followed(
  parts: QueryParts,
  query: string,
  options: SearchOptions,
  expect: string,
  expected: Located,
  { withContext }: WhyPorts,
): Promise<WhyReport> {
  const run = startRun(parts, options, undefined, true);
  const stages = await runStages(run, query);
  const ids = new Set(expected.chunks.map(({ chunk }) => chunk.id));
  const ranks = stageRanks(stages, ids, run.options);
  const [own] = stages.lists;
  const lists = await deepRanks(run.parts, stages, ids, run, query);
  const best = bestChunk(expected.chunks, stages, lists.bestId);
  const { lostAt, reason } = await verdict({ run, stages, ranks, lists: lists.ranks, best, ids, expected });
  const words = own ? queryWords(query, own, best) : [];
  const lost = { ids, best, stages, words };
  return {
    query,
    expect,
    lostAt,
    reason: [reason, expected.reason].filter((part) => part !== "").join(" "),
    chunks: [best, ...expected.chunks.filter((other) => other !== best)].map(({ chunk, context }) => ({
      chunk,
      context,
    })),
    lists: lists.ranks,
    stages: ranks,
    leftOut: { ...leftOut(stages), ...(await vectorToCome(parts.store, best, stages)) },
    words,
    passage: await passageWords(parts.store, best),
    remedies: lostAt === "found" ? [] : await remedies(parts, query, options, lost, withContext),
  };
}

/** Best rank of the expected chunks behind each stage. */
function stageRanks(
  stages: Stages,
  ids: ReadonlySet<string>,
  { rerank }: SearchOptions,
): Record<string, number> {
  const ranks: Record<string, number> = {};
  const note = (name: string, order: readonly string[]) => {
    const at = order.findIndex((id) => ids.has(id));
    if (at >= 0) ranks[name] = at + 1;
  };
  const [own] = stages.passing;
  for (const list of ["text", "vector"] as const) {
    const found = own?.[list];
    if (found && "items" in found)
      note(
        list,
        found.items.map(({ chunkId }) => chunkId),
      );
  }
  note(
    "fused",
    stages.fused.map(({ chunkId }) => chunkId),
  );
  if (rerank)
    note(
      "reranked",
      stages.reranked.map(({ stored }) => stored.chunk.id),
    );
  note(
    "hits",
    stages.placed.map(({ stored }) => stored.chunk.id),
  );
  return ranks;
}

interface DeepRanks {
  readonly ranks: WhyReport["lists"];
  readonly bestId: string | undefined;
}

/** Where the passage stands in each list without thresholds, however deep. */
async function deepRanks(
  { store, embedder, bm25 }: QueryParts,
  { lists: [own], resolved }: Stages,
  ids: ReadonlySet<string>,
  { options }: Run,
  query: string,
): Promise<DeepRanks> {
  const ranks: Record<string, { rank: number; score: number; of: number }> = {};
  if (!own) return { ranks, bestId: undefined };
  const limit = Math.max(1, own.statistics.chunks);
  const filter = options.filter ? { filter: options.filter } : {};
  let bestId: string | undefined;
  const note = (name: string, items: readonly { readonly chunkId: string; readonly score: number }[]) => {
    const at = items.findIndex(({ chunkId }) => ids.has(chunkId));
    const item = items[at];
    if (!item) return;
    bestId ??= item.chunkId;
    ranks[name] = { rank: at + 1, score: item.score, of: items.length };
  };
  if (own.query.terms.length > 0 && resolved.mode !== "vector") {
    const settings = bm25Of(bm25, own.statistics);
    note("text", await store.searchText({ terms: own.query.terms, limit, bm25: settings, ...filter }));
  }
  if (resolved.mode !== "text" && (options.vector || embedder)) {
    const { signal } = options;
    const vector = options.vector
      ? Float32Array.from(options.vector)
      : await embedQuery(embedder, query, own.statistics, signal);
    if (vector.some((value) => value !== 0))
      note("vector", await store.searchVector({ vector, limit, ...filter }));
  }
  return { ranks, bestId };
}

/** The expected chunk that came furthest. */
function bestChunk(
  chunks: readonly StoredChunk[],
  { placed, fused }: Stages,
  fallback: string | undefined,
): StoredChunk {
  const byId = new Map(chunks.map((stored) => [stored.chunk.id, stored]));
  const order = [
    ...placed.map(({ stored }) => stored.chunk.id),
    ...fused.map(({ chunkId }) => chunkId),
    fallback,
  ];
  const id = order.find((candidate) => candidate !== undefined && byId.has(candidate));
  return byId.get(id ?? "") ?? (chunks[0] as StoredChunk);
}

/** Lists that had no say, with the reason. */
function leftOut({ lists: [own], resolved }: Stages): Readonly<Record<string, string>> {
  const reasons: Record<string, string> = {};
  for (const name of ["text", "vector"] as const) {
    const list = own?.[name];
    if (list && "skipped" in list && (resolved.mode === "hybrid" || resolved.mode === name))
      reasons[name] = list.skipped;
  }
  return reasons;
}

/** A passage whose vector is still to come could not be found by it. */
async function vectorToCome(
  store: Store,
  { chunk }: StoredChunk,
  { lists: [own] }: Stages,
): Promise<Readonly<Record<string, string>>> {
  if (!own || own.pending === 0) return {};
  const { ids } = await store.pendingVectors([chunk.id]);
  return ids.length === 0 ? {} : { vector: "the passage has no vector yet (konteks repair makes it)" };
}

interface Evidence {
  readonly run: Run;
  readonly stages: Stages;
  readonly ranks: Readonly<Record<string, number>>;
  readonly lists: WhyReport["lists"];
  readonly best: StoredChunk;
  readonly ids: ReadonlySet<string>;
  readonly expected: Located;
}

interface Verdict {
  readonly lostAt: LostAt;
  readonly reason: string;
}

/** The first stage behind which the passage was gone. */
async function verdict(evidence: Evidence): Promise<Verdict> {
  const { ranks, stages, run, ids } = evidence;
  const { k } = stages.resolved;
  if (ranks.hits !== undefined) return lastStage(ranks, k, stages);
  const at = stages.reranked.findIndex(({ stored }) => ids.has(stored.chunk.id));
  if (at >= 0) {
    const left = [...stages.left].find(([id]) => ids.has(id));
    return {
      lostAt: "diversity",
      reason: `It stood at rank ${at + 1} and was ${left?.[1] ?? "left out"}.`,
    };
  }
  if (ranks.fused !== undefined) {
    const least = run.options.min?.rerank;
    return {
      lostAt: "threshold",
      reason: `The reranker gave it less than the ${least} asked for (min.rerank), or did not judge it.`,
    };
  }
  const { store } = run.parts;
  if (await isFiltered(store, evidence))
    return { lostAt: "filter", reason: "The filter leaves its document out." };
  return thresholdOrSearch(evidence);
}

function lastStage(ranks: Readonly<Record<string, number>>, k: number, { resolved }: Stages): Verdict {
  const rank = ranks.hits ?? 0;
  if (rank <= k) return { lostAt: "found", reason: `It is hit ${rank} of ${k}.` };
  const before = ranks.fused ?? rank;
  if (before <= k && (ranks.reranked ?? 0) > k)
    return { lostAt: "rerank", reason: `The reranker moved it from ${before} to ${rank}; k is ${k}.` };
  const worst = Math.min(ranks.text ?? Number.POSITIVE_INFINITY, ranks.vector ?? Number.POSITIVE_INFINITY);
  if (worst <= k && resolved.mode === "hybrid" && before > k)
    return {
      lostAt: "fusion",
      reason: `One list has it at ${worst}, but fused it stands at ${before}; k is ${k}.`,
    };
  return { lostAt: "k", reason: `It stands at ${rank}, and k is ${k}.` };
}

async function isFiltered(store: Store, { run, best }: Evidence): Promise<boolean> {
  const { filter } = run.options;
  if (!filter) return false;
  const { terms } = analyzeQuery(best.chunk.text);
  const own = { field: "documentId", op: "eq", value: best.chunk.documentId } as const;
  return (await store.searchText({ terms, limit: 1, filter: { and: [filter, own] } })).length === 0;
}

function thresholdOrSearch({ run, stages, lists, ids }: Evidence): Verdict {
  const [raw] = stages.lists;
  const found = (["text", "vector"] as const).some((name) => {
    const list = raw?.[name];
    return list && "items" in list && list.items.some(({ chunkId }) => ids.has(chunkId));
  });
  const silent = leftOut(stages);
  const places = Object.entries(lists)
    .filter(([name]) => !(name in silent))
    .map(([name, { rank, score, of }]) => `${rank} of ${of} in ${name} (${score.toFixed(3)})`);
  if (found) {
    const { bm25, cosine } = run.options.min ?? {};
    const least = [bm25 !== undefined && `bm25 ${bm25}`, cosine !== undefined && `cosine ${cosine}`].filter(
      Boolean,
    );
    return {
      lostAt: "threshold",
      reason: `It stands at ${places.join(" and ")}; asked for is at least ${least.join(" and ")}.`,
    };
  }
  const { withinDocuments, withinSections } = run.options;
  if (withinDocuments !== undefined && places.length > 0)
    return {
      lostAt: "search",
      reason: `Its document is not among the best ${withinDocuments} (withinDocuments).`,
    };
  if (withinSections !== undefined && places.length > 0)
    return {
      lostAt: "search",
      reason: `Its section is not among the best ${withinSections} (withinSections).`,
    };
  if (places.length === 0)
    return {
      lostAt: "search",
      reason: `No list has it: no form of any word of the query stands in the chunk or its context.${unheard(silent)}`,
    };
  // Within the depth and yet not in the list: it was left out as noise.
  if (Object.entries(lists).every(([name, { rank }]) => name in silent || rank <= stages.resolved.candidates))
    return {
      lostAt: "search",
      reason: "The index knows no word of the query, and the passage holds nothing like one.",
    };
  return {
    lostAt: "search",
    reason: `It stands at ${places.join(" and ")}; the lists are searched ${stages.resolved.candidates} deep.${unheard(silent)}`,
  };
}

function unheard(silent: Readonly<Record<string, string>>): string {
  return Object.entries(silent)
    .map(([name, reason]) => ` The ${name} list was left out: ${reason}.`)
    .join("");
}
