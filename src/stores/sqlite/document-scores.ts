import { liveAmong } from "./dead-documents.ts";
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
  found.live = liveAmong(segment, found.documents);
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
  const most = Math.min(chunks.length, segment.documents.length);
  const documents = new Uint32Array(most);
  const starts = new Uint32Array(most + 1);
  let count = 0;
  let last = -1;
  for (let i = 0; i < chunks.length; i++) {
    const document = owners[chunks[i] as number] as number;
    if (document === last) continue;
    last = document;
    documents[count] = document;
    starts[count++] = i;
  }
  starts[count] = chunks.length;
  const [own, ends] = [documents.slice(0, count), starts.slice(0, count + 1)];
  return { documents: own, starts: ends, gains: undefined, live: 0, countedAt: -1 };
}

/** What each document of the list adds to its score, without weight and inverse document frequency. */
export function gainsByDocument(list: TermList, scoring: Scoring): DocumentGains {
  const found = byDocument(list);
  if (found.gains?.scoring === scoring) return found.gains;
  const values = new Float64Array(found.documents.length);
  for (const field of scoring.fields) addField(values, list, found, field);
  const best = saturateAll(values, scoring.k1);
  found.gains = { scoring, values, best };
  return found.gains;
}

/** `normalisedFrequency` of each document. */
function addField(
  values: Float64Array,
  { segment, postings }: TermList,
  { documents, starts: firsts }: DocumentList,
  { number, averageLength, options, mean }: ScoredField,
): void {
  const column = postings.frequencies[number];
  const lengths = documentLengths(segment)[number];
  const { weight = 1, b = 0.75 } = options;
  if (!column || !lengths || weight === 0) return;
  const { starts } = segment;
  const average = averageLength || 1;
  for (let i = 0; i < documents.length; i++) {
    const tf = sumOf(column, firsts[i] as number, firsts[i + 1] as number);
    if (tf === 0) continue;
    const document = documents[i] as number;
    const over = mean ? (starts[document + 1] as number) - (starts[document] as number) : 1;
    const length = (lengths[document] as number) / over;
    values[i] = (values[i] as number) + (weight * (tf / over)) / (1 - b + (b * length) / average);
  }
}

function sumOf(column: Frequencies, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += column[i] as number;
  return sum;
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
