import type { Postings } from "./postings.ts";
import { gainAt, type Scoring } from "./scoring.ts";
import { eachCommon } from "./seek.ts";
import type { Segment } from "./segment.ts";
import type { DocumentList, TermList } from "./term-lists.ts";

/** What a segment's documents add to the scores of their chunks. */
export interface DocumentScores {
  of(chunk: number): number;
  /** The most within a range of chunks. */
  most(start: number, end: number): number;
}

/** A term's list in the segment, with its weight × inverse document frequency among documents. */
export interface DocumentTerm {
  readonly list: TermList;
  readonly weight: number;
}

/** Scores of the segment's documents, or of some by their places, times `factor`; terms are added in order. */
export function documentScores(
  segment: Segment,
  terms: readonly DocumentTerm[],
  scoring: Scoring,
  factor: number,
  some?: readonly number[],
): DocumentScores {
  const scores = new Float64Array(segment.documents.length);
  for (const { list, weight } of terms) {
    const { documents } = byDocument(list);
    const gains = gainsByDocument(list, scoring);
    const factored = factor * weight;
    const add = (document: number, i: number) => {
      scores[document] = (scores[document] as number) + factored * (gains[i] as number);
    };
    if (some) eachCommon(documents, some, (i) => add(documents[i] as number, i));
    else for (let i = 0; i < documents.length; i++) add(documents[i] as number, i);
  }
  const owners = documentsOf(segment);
  return {
    of: (chunk) => scores[owners[chunk] as number] as number,
    most(start, end) {
      let most = 0;
      for (let i = owners[start] as number; i <= (owners[end - 1] as number); i++) {
        most = Math.max(most, scores[i] as number);
      }
      return most;
    },
  };
}

/** Live documents that hold the term in any field. */
export function documentsWith(lists: readonly TermList[]): number {
  let count = 0;
  for (const list of lists) count += liveDocuments(list);
  return count;
}

/** Counted when so many chunks of the segment live, as a list's live chunks are. */
function liveDocuments(list: TermList): number {
  const { segment } = list;
  const found = byDocument(list);
  if (found.countedAt === segment.live) return found.live;
  found.countedAt = segment.live;
  found.live = 0;
  for (const document of found.documents) {
    if (!segment.dead[segment.starts[document] as number]) found.live++;
  }
  return found.live;
}

function byDocument(list: TermList): DocumentList {
  list.documents ??= summed(list);
  return list.documents;
}

/** The list with documents (their places in the segment) for chunks, frequencies summed. */
function summed(list: TermList): DocumentList {
  const owners = documentsOf(list.segment);
  const documents: number[] = [];
  for (const chunk of list.postings.chunks) {
    const document = owners[chunk] as number;
    if (documents.at(-1) !== document) documents.push(document);
  }
  return { documents: Uint32Array.from(documents), gains: undefined, live: 0, countedAt: -1 };
}

/** What each document of the list adds to its score, without weight and inverse document frequency. */
function gainsByDocument(list: TermList, scoring: Scoring): Float64Array {
  const found = byDocument(list);
  if (found.gains?.key === scoring.key) return found.gains.values;
  const postings: Postings = { chunks: found.documents, frequencies: summedFrequencies(list, found) };
  const lengths = documentLengths(list.segment);
  const { starts } = list.segment;
  const values = Float64Array.from(found.documents, (document, i) => {
    const chunks = (starts[document + 1] as number) - (starts[document] as number);
    return gainAt(scoring, postings, i, lengths, document, chunks);
  });
  found.gains = { key: scoring.key, values };
  return values;
}

function summedFrequencies({ segment, postings }: TermList, { documents }: DocumentList) {
  const owners = documentsOf(segment);
  const { chunks, frequencies } = postings;
  return frequencies.map((column) => {
    if (!column) return undefined;
    const sums = new Uint32Array(documents.length);
    let at = 0;
    for (let i = 0; i < chunks.length; i++) {
      if (documents[at] !== owners[chunks[i] as number]) at++;
      sums[at] = (sums[at] as number) + (column[i] as number);
    }
    return sums;
  });
}

const ownersOf = new WeakMap<Segment, Uint32Array>();
const lengthsOf = new WeakMap<Segment, readonly Float64Array[]>();

/** Place of the document that each chunk belongs to. Segments never change, so it is worked out once. */
function documentsOf(segment: Segment): Uint32Array {
  const known = ownersOf.get(segment);
  if (known) return known;
  const owners = new Uint32Array(segment.size);
  for (let i = 0; i < segment.documents.length; i++) {
    owners.fill(i, segment.starts[i] as number, segment.starts[i + 1] as number);
  }
  ownersOf.set(segment, owners);
  return owners;
}

function documentLengths(segment: Segment): readonly Float64Array[] {
  const known = lengthsOf.get(segment);
  if (known) return known;
  const owners = documentsOf(segment);
  const lengths = segment.lengths.map((column) => {
    const sums = new Float64Array(segment.documents.length);
    for (let chunk = 0; chunk < column.length; chunk++) {
      const document = owners[chunk] as number;
      sums[document] = (sums[document] as number) + (column[chunk] as number);
    }
    return sums;
  });
  lengthsOf.set(segment, lengths);
  return lengths;
}
