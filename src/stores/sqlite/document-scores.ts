import type { Postings } from "./postings.ts";
import { gainAt, type Scoring } from "./scoring.ts";
import type { Segment } from "./segment.ts";
import type { DocumentGains, DocumentList, TermList } from "./term-lists.ts";

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

/** The list with documents (their places in the segment) for chunks, frequencies summed. */
export function byDocument(list: TermList): DocumentList {
  list.documents ??= summed(list);
  return list.documents;
}

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
export function gainsByDocument(list: TermList, scoring: Scoring): DocumentGains {
  const found = byDocument(list);
  if (found.gains?.scoring === scoring) return found.gains;
  const postings: Postings = { chunks: found.documents, frequencies: summedFrequencies(list, found) };
  const lengths = documentLengths(list.segment);
  const { starts } = list.segment;
  let best = 0;
  const values = Float64Array.from(found.documents, (document, i) => {
    const chunks = (starts[document + 1] as number) - (starts[document] as number);
    const gain = gainAt(scoring, postings, i, lengths, document, chunks);
    if (gain > best) best = gain;
    return gain;
  });
  found.gains = { scoring, values, best };
  return found.gains;
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
export function documentsOf(segment: Segment): Uint32Array {
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
