import type { Frequencies } from "./postings.ts";
import { type ScoredField, type Scoring, saturateAll } from "./scoring.ts";
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

function summed({ segment, postings }: TermList): DocumentList {
  const owners = documentsOf(segment);
  const { chunks } = postings;
  const documents = new Uint32Array(Math.min(chunks.length, segment.documents.length));
  let count = 0;
  for (let i = 0; i < chunks.length; i++) {
    const document = owners[chunks[i] as number] as number;
    if (count === 0 || documents[count - 1] !== document) documents[count++] = document;
  }
  return { documents: documents.slice(0, count), gains: undefined, live: 0, countedAt: -1 };
}

/** What each document of the list adds to its score, without weight and inverse document frequency. */
export function gainsByDocument(list: TermList, scoring: Scoring): DocumentGains {
  const found = byDocument(list);
  if (found.gains?.scoring === scoring) return found.gains;
  const values = new Float64Array(found.documents.length);
  for (const field of scoring.fields) addField(values, list, found.documents, field);
  const best = saturateAll(values, scoring.k1);
  found.gains = { scoring, values, best };
  return found.gains;
}

/** `normalisedFrequency` of each document. */
function addField(
  values: Float64Array,
  list: TermList,
  documents: Uint32Array,
  { number, averageLength, options, mean }: ScoredField,
): void {
  const column = list.postings.frequencies[number];
  const lengths = documentLengths(list.segment)[number];
  const { weight = 1, b = 0.75 } = options;
  if (!column || !lengths || weight === 0) return;
  const { starts } = list.segment;
  const average = averageLength || 1;
  const sums = summedFrequencies(list, documents, column);
  for (let i = 0; i < documents.length; i++) {
    const tf = sums[i] as number;
    if (tf === 0) continue;
    const document = documents[i] as number;
    const over = mean ? (starts[document + 1] as number) - (starts[document] as number) : 1;
    const length = (lengths[document] as number) / over;
    values[i] = (values[i] as number) + (weight * (tf / over)) / (1 - b + (b * length) / average);
  }
}

function summedFrequencies(
  { segment, postings }: TermList,
  documents: Uint32Array,
  column: Frequencies,
): Uint32Array {
  const owners = documentsOf(segment);
  const { chunks } = postings;
  const sums = new Uint32Array(documents.length);
  let at = 0;
  for (let i = 0; i < chunks.length; i++) {
    if (documents[at] !== owners[chunks[i] as number]) at++;
    sums[at] = (sums[at] as number) + (column[i] as number);
  }
  return sums;
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
