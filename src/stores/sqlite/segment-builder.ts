import type { IndexedChunk } from "../../spec/index.ts";
import { byteWriter, written } from "./bytes.ts";
import { writePosting } from "./postings.ts";
import type { SegmentContent } from "./segment.ts";
import type { TermEntry } from "./term-blocks.ts";

/** Collects the analysed chunks of documents, in order, as the content of a segment. */
export interface SegmentBuilder {
  /** A document may come in several runs, one right after the other. */
  add(key: number, chunks: readonly Pick<IndexedChunk, "fields">[]): void;
  readonly chunks: number;
  /** To be written before anything is added. */
  content(): SegmentContent;
}

/** Numbers of an occurrence: term, chunk, field, frequency. */
const EACH = 4;

/** `fieldNumber` gives each field's place. */
export function segmentBuilder(fieldNumber: (name: string) => number): SegmentBuilder {
  const numbers = new Map<string, number>();
  const documents: { key: number; chunks: number }[] = [];
  const lengths: number[][] = [];
  let occurrences = new Uint32Array(EACH * 1_024);
  let used = 0;
  let chunks = 0;

  function addField(field: number, { length, terms }: IndexedChunk["fields"][string]): void {
    while (lengths.length <= field) lengths.push([]);
    const column = lengths[field] as number[];
    while (column.length < chunks) column.push(0);
    column[chunks] = length;
    while (used + terms.size * EACH > occurrences.length) occurrences = doubled(occurrences);
    for (const [term, frequency] of terms) {
      if (frequency > 0) addTerm(term, field, frequency);
    }
  }

  function addTerm(term: string, field: number, frequency: number): void {
    let number = numbers.get(term);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(term, number);
    }
    occurrences[used] = number;
    occurrences[used + 1] = chunks;
    occurrences[used + 2] = field;
    occurrences[used + 3] = frequency;
    used += EACH;
  }

  return {
    add(key, added) {
      const last = documents.at(-1);
      if (last?.key === key) last.chunks += added.length;
      else documents.push({ key, chunks: added.length });
      for (const { fields } of added) {
        for (const [name, field] of Object.entries(fields)) addField(fieldNumber(name), field);
        chunks++;
      }
    },
    get chunks() {
      return chunks;
    },
    content() {
      for (const column of lengths) while (column.length < chunks) column.push(0);
      return { documents, lengths, terms: termEntries(numbers, occurrences.subarray(0, used)) };
    },
  };
}

function doubled(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}

/** Terms in order with their lists; a list is valid until the next entry is asked for. */
function* termEntries(numbers: ReadonlyMap<string, number>, occurrences: Uint32Array): Generator<TermEntry> {
  const { ends, order } = grouped(occurrences, numbers.size);
  const writer = byteWriter(256);
  const frequencies: number[] = [];
  for (const term of [...numbers.keys()].sort()) {
    const number = numbers.get(term) as number;
    writer.length = 0;
    let count = 0;
    let last = 0;
    frequencies.length = 0;
    const end = ends[number] as number;
    for (let i = number === 0 ? 0 : (ends[number - 1] as number); i < end; i++) {
      const at = order[i] as number;
      const chunk = occurrences[at + 1] as number;
      const field = occurrences[at + 2] as number;
      while (frequencies.length <= field) frequencies.push(0);
      frequencies[field] = occurrences[at + 3] as number;
      const next = i + 1 < end ? occurrences[(order[i + 1] as number) + 1] : -1;
      if (next === chunk) continue;
      writePosting(writer, chunk - last, frequencies);
      frequencies.length = 0;
      last = chunk;
      count++;
    }
    yield { term, count, list: written(writer) };
  }
}

/** Occurrences by term, each term's in the order they came: a counting sort. `ends[t]` is where those of term t end. */
function grouped(occurrences: Uint32Array, terms: number) {
  const ends = new Uint32Array(terms);
  for (let at = 0; at < occurrences.length; at += EACH) {
    const term = occurrences[at] as number;
    ends[term] = (ends[term] as number) + 1;
  }
  let sum = 0;
  for (let term = 0; term < terms; term++) {
    const count = ends[term] as number;
    ends[term] = sum;
    sum += count;
  }
  const order = new Uint32Array(sum);
  for (let at = 0; at < occurrences.length; at += EACH) {
    const term = occurrences[at] as number;
    const place = ends[term] as number;
    order[place] = at;
    ends[term] = place + 1;
  }
  return { ends, order };
}
