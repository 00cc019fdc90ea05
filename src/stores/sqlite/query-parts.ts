import type { TextQuery } from "../../spec/index.ts";
import { idf } from "../../text/bm25.ts";
import { documentsOf, documentsWith } from "./document-scores.ts";
import { impactsOf } from "./impacts.ts";
import type { LiveIndex } from "./live-index.ts";
import type { QueryScoring } from "./scoring.ts";
import type { Segment } from "./segment.ts";
import type { Selection } from "./selection.ts";
import type { Impacts, TermList, TermListCache } from "./term-lists.ts";

/** A term of the query that the index knows. */
export interface ScoredTerm {
  readonly lists: readonly TermList[];
  /** The query's weight × inverse document frequency. */
  readonly weight: number;
  /** The same among documents, × the weight of the document score; 0 where documents do not count. */
  readonly documentWeight: number;
  /** The most that it adds to a chunk's own score, and through its document. */
  bound: number;
  documentBound: number;
  /** Whether it is asked only about chunks that others brought near the threshold. */
  late: boolean;
  documentLate: boolean;
}

/** A term in a segment. */
export interface PartTerm {
  readonly term: ScoredTerm;
  readonly impacts: Impacts;
}

/** What a query has to do in a segment. */
export interface Part {
  readonly segment: Segment;
  readonly selection: Selection;
  /** Place of the document of each chunk. */
  readonly owners: Uint32Array;
  /** In the query's order. */
  readonly terms: PartTerm[];
}

/** Terms that stand in a live chunk, in the query's order; one that is asked for twice counts twice. */
export function scoredTerms(live: LiveIndex, cache: TermListCache, query: TextQuery): ScoredTerm[] {
  const documentWeight = query.bm25?.documentWeight ?? 0;
  const weights = new Map<string, number>();
  for (const { term, weight } of query.terms) {
    if (weight > 0) weights.set(term, (weights.get(term) ?? 0) + weight);
  }
  const terms: ScoredTerm[] = [];
  for (const [term, weight] of weights) {
    const found = cache.get(live, term);
    const { lists, frequency } = found;
    if (frequency === 0) continue;
    let among = 0;
    if (documentWeight > 0) {
      found.documents ??= documentsWith(lists);
      among = weight * idf(live.filled, found.documents);
    }
    terms.push({
      lists,
      weight: weight * idf(live.chunks, frequency),
      documentWeight: documentWeight * among,
      bound: 0,
      documentBound: 0,
      late: false,
      documentLate: false,
    });
  }
  return terms;
}

/** The terms by segment, for segments where something may be found; larger segments first. */
export function queryParts(
  terms: readonly ScoredTerm[],
  scoring: QueryScoring,
  selectionIn: (segment: Segment) => Selection,
): Part[] {
  const parts = new Map<Segment, Part>();
  for (const term of terms) {
    for (const list of term.lists) {
      const { segment } = list;
      let part = parts.get(segment);
      if (!part) {
        part = { segment, selection: selectionIn(segment), owners: documentsOf(segment), terms: [] };
        parts.set(segment, part);
      }
      if (part.selection.count > 0) part.terms.push(partTerm(term, list, scoring));
    }
  }
  return [...parts.values()].filter(({ terms }) => terms.length > 0);
}

function partTerm(term: ScoredTerm, list: TermList, scoring: QueryScoring): PartTerm {
  const impacts = impactsOf(list, scoring);
  term.bound = Math.max(term.bound, term.weight * impacts.best);
  term.documentBound = Math.max(term.documentBound, term.documentWeight * impacts.documentBest);
  return { term, impacts };
}
