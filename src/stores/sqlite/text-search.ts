import type { ScoredChunk, TextQuery } from "../../spec/index.ts";
import { idf } from "../../text/bm25.ts";
import { bestOf } from "./best.ts";
import { type Candidates, findCandidates, type ScoredList, SLACK, scoreFew } from "./candidates.ts";
import { type DocumentScores, documentScores, documentsWith } from "./document-scores.ts";
import type { Allowed } from "./filtered-documents.ts";
import type { LiveIndex } from "./live-index.ts";
import type { Postings } from "./postings.ts";
import { gainAt, gainsOf, type Scoring, scoringOf } from "./scoring.ts";
import { eachCommon } from "./seek.ts";
import type { Segment } from "./segment.ts";
import { narrowed, type Selection, selectChunks } from "./selection.ts";
import type { TermList, TermListCache } from "./term-lists.ts";
import { type Threshold, threshold } from "./threshold.ts";

/** Where phrases are looked for (`textForBm25`). */
const PHRASE_FIELDS = ["context", "body"];

/** A term of the query that the index knows, with its weight × inverse document frequency. */
interface ScoredTerm {
  readonly lists: readonly TermList[];
  readonly weight: number;
  /** The same with the frequency among documents; 0 where documents do not count. */
  readonly documentWeight: number;
}

/** Everything of a query that is the same for all segments. */
interface Plan {
  readonly terms: readonly ScoredTerm[];
  readonly scoring: Scoring;
  readonly documentScoring: Scoring;
  readonly documentWeight: number;
  /** Terms that a chunk has to hold all of, in whatever field. */
  readonly required: readonly (readonly TermList[])[];
  /** Of these, the ones that it has to hold in one of `phraseFields`: phrases of a single term. */
  readonly alone: readonly (readonly TermList[])[];
  readonly phraseFields: readonly number[];
}

/**
 * Exact BM25F (`text/bm25.ts` has the formula): candidates first (candidates.ts), then their scores in double precision.
 * `df` counts the live chunks that hold the term in any field, also in one of weight 0; `N`, `df` and average lengths are
 * those of the whole index, under a filter too. A chunk's terms are added in the query's order, so scores do not depend
 * on how segments came to be.
 */
export function searchText(
  live: LiveIndex,
  cache: TermListCache,
  query: TextQuery,
  allowed: Allowed | undefined,
): ScoredChunk[] {
  const plan = planOf(live, cache, query);
  if (plan.terms.length === 0) return [];
  const limit = Math.min(query.limit, live.chunks);
  const best = threshold(limit);
  const found = [...live.segments.values()]
    .sort((a, b) => b.size - a.size)
    .map((segment) => candidatesIn(segment, plan, allowed, best));
  const ranked = bestOf(live, limit);
  for (const one of found) offerExact(one, plan, best.value * (1 - SLACK), ranked.offer);
  return ranked.ranked();
}

/** Live chunks that hold each term in any field. */
export function documentFrequency(live: LiveIndex, cache: TermListCache, term: string): number {
  return cache.get(live, term).frequency;
}

function planOf(live: LiveIndex, cache: TermListCache, query: TextQuery): Plan {
  const documentWeight = query.bm25?.documentWeight ?? 0;
  const documents = live.filled;
  const listsOf = (phrases: TextQuery["phrases"]) =>
    [...new Set(phrases?.flat())].map((term) => cache.get(live, term).lists);
  const terms: ScoredTerm[] = [];
  for (const [term, weight] of summedWeights(query.terms)) {
    const { lists, frequency } = cache.get(live, term);
    if (frequency === 0) continue;
    const among = documentWeight > 0 ? weight * idf(documents, documentsWith(lists)) : 0;
    terms.push({ lists, weight: weight * idf(live.chunks, frequency), documentWeight: among });
  }
  return {
    terms,
    scoring: scoringOf(live, query.bm25),
    documentScoring: scoringOf(live, query.bm25, Math.max(documents, 1)),
    documentWeight,
    required: listsOf(query.phrases?.filter((phrase) => phrase.length > 1)),
    alone: listsOf(query.phrases?.filter((phrase) => phrase.length === 1)),
    phraseFields: PHRASE_FIELDS.flatMap((name) => live.fields.get(name) ?? []),
  };
}

/** A term that is asked for twice counts twice. */
function summedWeights(terms: TextQuery["terms"]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const { term, weight } of terms) {
    if (weight > 0) weights.set(term, (weights.get(term) ?? 0) + weight);
  }
  return weights;
}

interface Found {
  readonly segment: Segment;
  readonly candidates: Candidates;
  readonly documents: DocumentScores | undefined;
}

function candidatesIn(segment: Segment, plan: Plan, allowed: Allowed | undefined, best: Threshold): Found {
  const selection = selectionIn(segment, plan, allowed);
  const lists: ScoredList[] = [];
  if (selection.count > 0) {
    for (const { lists: all, weight } of plan.terms) {
      const list = inSegment(all, segment);
      if (list) lists.push({ chunks: list.postings.chunks, gains: gainsOf(list, plan.scoring), weight });
    }
  }
  const documents = lists.length > 0 ? documentsIn(segment, plan, selection) : undefined;
  const candidates = selection.few
    ? scoreFew(selection.few, lists, documents, best)
    : findCandidates(segment, lists, selection, documents, best);
  return { segment, candidates, documents };
}

function selectionIn(segment: Segment, plan: Plan, allowed: Allowed | undefined): Selection {
  const selection = selectChunks(segment, allowed);
  const { required, alone, phraseFields } = plan;
  if (required.length + alone.length === 0 || selection.count === 0) return selection;
  return narrowed(selection, segment.size, [
    ...required.map((lists) => inSegment(lists, segment)?.postings.chunks),
    ...alone.map((lists) => chunksWithin(inSegment(lists, segment)?.postings, phraseFields)),
  ]);
}

/** Chunks of a list that hold its term in one of the fields. */
function chunksWithin(postings: Postings | undefined, fields: readonly number[]): Uint32Array | undefined {
  const columns = fields.flatMap((field) => postings?.frequencies[field] ?? []);
  return postings?.chunks.filter((_, i) => columns.some((column) => (column[i] ?? 0) > 0));
}

function documentsIn(segment: Segment, plan: Plan, { documents }: Selection): DocumentScores | undefined {
  if (!(plan.documentWeight > 0)) return undefined;
  const terms = plan.terms.flatMap(({ lists, documentWeight }) => {
    const list = inSegment(lists, segment);
    return list ? [{ list, weight: documentWeight }] : [];
  });
  return documentScores(segment, terms, plan.documentScoring, plan.documentWeight, documents);
}

function inSegment(lists: readonly TermList[], segment: Segment): TermList | undefined {
  return lists.find((list) => list.segment === segment);
}

/** Scores anew what can be among the best, and offers it. */
function offerExact(
  { segment, candidates, documents }: Found,
  { terms, scoring }: Plan,
  needed: number,
  offer: ReturnType<typeof bestOf>["offer"],
): void {
  const chunks = candidates.chunks.filter((_, i) => (candidates.scores[i] as number) >= needed);
  if (chunks.length === 0) return;
  const scores = new Float64Array(chunks.length);
  for (const { lists, weight } of terms) {
    const list = inSegment(lists, segment);
    if (list) addExact(scores, chunks, list, weight, scoring);
  }
  for (const [i, chunk] of chunks.entries()) {
    const document = lastStart(segment, chunk);
    const score = (scores[i] as number) + (documents?.of(chunk) ?? 0);
    offer(segment.documents[document] as number, chunk - (segment.starts[document] as number), score);
  }
}

function addExact(
  scores: Float64Array,
  chunks: readonly number[],
  { segment, postings }: TermList,
  weight: number,
  scoring: Scoring,
): void {
  eachCommon(chunks, postings.chunks, (i, at) => {
    const gain = gainAt(scoring, postings, at, segment.lengths, chunks[i] as number);
    scores[i] = (scores[i] as number) + weight * gain;
  });
}

/** Place of the document that a chunk belongs to. */
function lastStart({ starts, documents }: Segment, chunk: number): number {
  let low = 0;
  let high = documents.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= chunk) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
