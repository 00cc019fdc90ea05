import type { Bm25Options, ScoredChunk, TextQuery } from "../../spec/index.ts";
import { DEFAULT_BM25, idf, normalisedFrequency, saturate } from "../../text/bm25.ts";
import { bestOf } from "./best.ts";
import type { LiveIndex } from "./live-index.ts";
import type { PostingCache } from "./posting-cache.ts";
import type { Postings } from "./postings.ts";
import type { Segment } from "./segment.ts";

type FieldOptions = NonNullable<Bm25Options["fields"]>[string];

/** A field that counts, with the statistics of the whole index. */
interface ScoredField {
  readonly number: number;
  readonly averageLength: number;
  readonly options: FieldOptions;
}

interface ScoredTerm {
  readonly term: string;
  /** The query's weight × inverse document frequency. */
  readonly weight: number;
}

/**
 * Exact BM25F, term at a time within each segment (`text/bm25.ts` has the formula). `df` counts the live chunks that
 * hold the term in any field, also in one of weight 0; `N`, `df` and average lengths are those of the whole index, under
 * a filter too. Terms are added in the query's order, so scores do not depend on how segments came to be.
 */
export function searchText(
  live: LiveIndex,
  cache: PostingCache,
  query: TextQuery,
  allowed: ReadonlySet<number> | undefined,
): ScoredChunk[] {
  const k1 = query.bm25?.k1 ?? DEFAULT_BM25.k1;
  const fields = scoredFields(live, query.bm25?.fields ?? DEFAULT_BM25.fields);
  const terms = scoredTerms(live, cache, query);
  const best = bestOf(live, query.limit);
  if (terms.length === 0) return [];
  for (const segment of live.segments.values()) {
    const documents = findableDocuments(segment, allowed);
    if (documents.length === 0) continue;
    const scores = new Float64Array(segment.size);
    for (const { term, weight } of terms) {
      addTerm(scores, segment, cache.get(segment, term).postings, weight, fields, k1);
    }
    for (const i of documents) offerDocument(best, segment, i, scores);
  }
  return best.ranked();
}

/** Live chunks that hold each term in any field. */
export function documentFrequency(live: LiveIndex, cache: PostingCache, term: string): number {
  let frequency = 0;
  for (const segment of live.segments.values()) frequency += cache.get(segment, term).live;
  return frequency;
}

function scoredTerms(live: LiveIndex, cache: PostingCache, query: TextQuery): ScoredTerm[] {
  const terms: ScoredTerm[] = [];
  for (const { term, weight } of query.terms) {
    if (!(weight > 0)) continue;
    const frequency = documentFrequency(live, cache, term);
    if (frequency > 0) terms.push({ term, weight: weight * idf(live.chunks, frequency) });
  }
  return terms;
}

function scoredFields(live: LiveIndex, options: NonNullable<Bm25Options["fields"]>): ScoredField[] {
  return Object.entries(options).flatMap(([name, field]) => {
    const number = live.fields.get(name);
    if (number === undefined) return [];
    return [{ number, averageLength: (live.lengths[number] ?? 0) / live.chunks, options: field }];
  });
}

/** Positions in `segment.documents` that may be found. */
function findableDocuments(segment: Segment, allowed: ReadonlySet<number> | undefined): number[] {
  const positions: number[] = [];
  for (let i = 0; i < segment.documents.length; i++) {
    if (segment.dead[segment.starts[i] as number]) continue;
    if (!allowed || allowed.has(segment.documents[i] as number)) positions.push(i);
  }
  return positions;
}

function addTerm(
  scores: Float64Array,
  segment: Segment,
  { chunks, frequencies }: Postings,
  weight: number,
  fields: readonly ScoredField[],
  k1: number,
): void {
  const normalised = new Float64Array(chunks.length);
  for (const { number, averageLength, options } of fields) {
    const column = frequencies[number];
    const lengths = segment.lengths[number];
    if (!column || !lengths) continue;
    for (let i = 0; i < chunks.length; i++) {
      const length = lengths[chunks[i] as number] as number;
      const value = normalised[i] as number;
      normalised[i] = value + normalisedFrequency(column[i] as number, length, averageLength, options);
    }
  }
  for (let i = 0; i < chunks.length; i++) {
    const tfn = normalised[i] as number;
    if (!(tfn > 0)) continue;
    // Infinite for a field of no length under b = 1.
    const gain = tfn === Number.POSITIVE_INFINITY ? k1 + 1 : saturate(tfn, k1);
    const chunk = chunks[i] as number;
    scores[chunk] = (scores[chunk] as number) + weight * gain;
  }
}

function offerDocument(
  best: ReturnType<typeof bestOf>,
  segment: Segment,
  position: number,
  scores: Float64Array,
): void {
  const start = segment.starts[position] as number;
  const end = segment.starts[position + 1] as number;
  const key = segment.documents[position] as number;
  for (let chunk = start; chunk < end; chunk++) {
    const score = scores[chunk] as number;
    if (score > 0) best.offer(key, chunk - start, score);
  }
}
