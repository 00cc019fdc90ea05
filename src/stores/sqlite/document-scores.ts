import type { Postings } from "./postings.ts";
import { gainAt, type Scoring } from "./scoring.ts";
import type { Segment } from "./segment.ts";
import type { TermList } from "./term-lists.ts";

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

/** Scores of the segment's documents, times `factor`; terms are added in order. */
export function documentScores(
  segment: Segment,
  terms: readonly DocumentTerm[],
  scoring: Scoring,
  factor: number,
): DocumentScores {
  const scores = new Float64Array(segment.documents.length);
  const lengths = documentLengths(segment);
  for (const { list, weight } of terms) {
    const postings = byDocument(list);
    for (let i = 0; i < postings.chunks.length; i++) {
      const document = postings.chunks[i] as number;
      const gain = gainAt(scoring, postings, i, lengths, document);
      scores[document] = (scores[document] as number) + factor * weight * gain;
    }
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
  for (const list of lists) {
    const { segment } = list;
    for (const document of byDocument(list).chunks) {
      if (!segment.dead[segment.starts[document] as number]) count++;
    }
  }
  return count;
}

/** The list with documents (their places in the segment) for chunks, frequencies summed. */
function byDocument(list: TermList): Postings {
  list.documents ??= summed(list);
  return list.documents;
}

function summed({ segment, postings }: TermList): Postings {
  const owners = documentsOf(segment);
  const { chunks, frequencies } = postings;
  const documents: number[] = [];
  const sums = frequencies.map((column) => column && new Uint32Array(chunks.length));
  for (let i = 0; i < chunks.length; i++) {
    const document = owners[chunks[i] as number] as number;
    if (documents.at(-1) !== document) documents.push(document);
    const at = documents.length - 1;
    for (const [field, column] of frequencies.entries()) {
      const sum = sums[field];
      if (column && sum) sum[at] = (sum[at] as number) + (column[i] as number);
    }
  }
  const cut = sums.map((sum) => sum?.slice(0, documents.length));
  return { chunks: Uint32Array.from(documents), frequencies: cut };
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
