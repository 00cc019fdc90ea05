import type { ScoredChunk, TextQuery } from "../../spec/index.ts";
import { bestOf } from "./best.ts";
import { findCandidates, SLACK } from "./candidates.ts";
import { offerExact } from "./exact-scores.ts";
import type { Allowed } from "./filtered-documents.ts";
import type { LiveIndex } from "./live-index.ts";
import type { Postings } from "./postings.ts";
import { queryParts, scoredTerms } from "./query-parts.ts";
import { queryScoring } from "./scoring.ts";
import type { Segment } from "./segment.ts";
import { narrowed, type Selection, selectChunks } from "./selection.ts";
import type { TermList, TermListCache } from "./term-lists.ts";
import { threshold } from "./threshold.ts";

/** Where phrases are looked for (`textForBm25`). */
const PHRASE_FIELDS = ["context", "body"];

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
  const terms = scoredTerms(live, cache, query);
  if (terms.length === 0) return [];
  const scoring = queryScoring(live, query.bm25);
  const limit = Math.min(query.limit, live.chunks);
  const best = threshold(limit);
  const parts = queryParts(terms, scoring, selector(live, cache, query, allowed));
  const found = findCandidates(parts, terms, best);
  const needed = best.value * (1 - SLACK);
  const ranked = bestOf(live, limit);
  offerExact(
    found.filter(({ most }) => most >= needed),
    ranked.offer,
  );
  return ranked.ranked();
}

/** Live chunks that hold each term in any field. */
export function documentFrequency(live: LiveIndex, cache: TermListCache, term: string): number {
  return cache.get(live, term).frequency;
}

/** Says which chunks of a segment may be found. */
function selector(
  live: LiveIndex,
  cache: TermListCache,
  { phrases = [] }: TextQuery,
  allowed: Allowed | undefined,
): (segment: Segment) => Selection {
  if (phrases.length === 0) return (segment) => selectChunks(segment, allowed);
  const before = narrowedBy.get(phrases);
  const current = before?.live === live && before.changes === live.changes && before.allowed === allowed;
  const selections = current ? before.selections : new Map<Segment, Selection>();
  narrowedBy.set(phrases, { live, changes: live.changes, allowed, selections });
  const narrow = narrower(live, cache, phrases, allowed);
  return (segment) => {
    const known = selections.get(segment) ?? narrow(segment);
    selections.set(segment, known);
    return known;
  };
}

/** Selections by phrases: a phrase is searched for with growing limits (phrase-search.ts). */
const narrowedBy = new WeakMap<NonNullable<TextQuery["phrases"]>, Narrowed>();

interface Narrowed {
  readonly live: LiveIndex;
  readonly changes: number;
  readonly allowed: Allowed | undefined;
  readonly selections: Map<Segment, Selection>;
}

function narrower(
  live: LiveIndex,
  cache: TermListCache,
  phrases: NonNullable<TextQuery["phrases"]>,
  allowed: Allowed | undefined,
): (segment: Segment) => Selection {
  const listsOf = (some: typeof phrases) =>
    [...new Set(some.flat())].map((term) => cache.get(live, term).lists);
  // A phrase of a single term has to stand in certain fields; of longer ones the text is read.
  const required = listsOf(phrases.filter((phrase) => phrase.length > 1));
  const alone = listsOf(phrases.filter((phrase) => phrase.length === 1));
  const fields = PHRASE_FIELDS.flatMap((name) => live.fields.get(name) ?? []);
  return (segment) =>
    narrowed(selectChunks(segment, allowed), segment.size, [
      ...required.map((lists) => inSegment(lists, segment)?.postings.chunks),
      ...alone.map((lists) => chunksWithin(inSegment(lists, segment)?.postings, fields)),
    ]);
}

function inSegment(lists: readonly TermList[], segment: Segment): TermList | undefined {
  return lists.find((list) => list.segment === segment);
}

/** Chunks of a list that hold its term in one of the fields. */
function chunksWithin(postings: Postings | undefined, fields: readonly number[]): Uint32Array | undefined {
  const columns = fields.flatMap((field) => postings?.frequencies[field] ?? []);
  return postings?.chunks.filter((_, i) => columns.some((column) => (column[i] ?? 0) > 0));
}
