import type { IndexedChunk } from "../../spec/index.ts";
import { type ByteWriter, byteWriter, written } from "./bytes.ts";
import { writePosting } from "./postings.ts";
import type { SegmentContent } from "./segment.ts";
import type { TermEntry } from "./term-blocks.ts";

interface OpenList {
  readonly writer: ByteWriter;
  count: number;
  last: number;
}

/** A document's analysed fields as the content of a segment. `fieldNumber` gives each field's place. */
export function documentTerms(
  key: number,
  chunks: readonly IndexedChunk[],
  fieldNumber: (name: string) => number,
): SegmentContent {
  const lists = new Map<string, OpenList>();
  const lengths: number[][] = [];
  for (const [number, chunk] of chunks.entries()) {
    for (const [name, { length }] of Object.entries(chunk.fields)) {
      const field = fieldNumber(name);
      while (lengths.length <= field) lengths.push(new Array<number>(chunks.length).fill(0));
      (lengths[field] as number[])[number] = length;
    }
    for (const [term, frequencies] of chunkFrequencies(chunk, fieldNumber)) {
      append(lists, term, number, frequencies);
    }
  }
  return { documents: [{ key, chunks: chunks.length }], lengths, terms: sorted(lists) };
}

/** How often each term stands in each field, by term and field number. */
function chunkFrequencies(
  chunk: IndexedChunk,
  fieldNumber: (name: string) => number,
): ReadonlyMap<string, readonly number[]> {
  const byTerm = new Map<string, number[]>();
  for (const [name, { terms }] of Object.entries(chunk.fields)) {
    const field = fieldNumber(name);
    for (const [term, frequency] of terms) {
      if (!(frequency > 0)) continue;
      const frequencies = byTerm.get(term) ?? [];
      while (frequencies.length <= field) frequencies.push(0);
      frequencies[field] = frequency;
      byTerm.set(term, frequencies);
    }
  }
  return byTerm;
}

function append(
  lists: Map<string, OpenList>,
  term: string,
  chunk: number,
  frequencies: readonly number[],
): void {
  const list = lists.get(term) ?? { writer: byteWriter(16), count: 0, last: 0 };
  writePosting(list.writer, chunk - list.last, frequencies);
  list.count++;
  list.last = chunk;
  lists.set(term, list);
}

function sorted(lists: ReadonlyMap<string, OpenList>): TermEntry[] {
  return [...lists.keys()].sort().map((term) => {
    const { writer, count } = lists.get(term) as OpenList;
    return { term, count, list: written(writer) };
  });
}
