import type { FieldTerms, StoredChunk } from "../../spec/index.ts";
import type { AnalyzeStored } from "./analyze-stored.ts";
import type { Breathe } from "./breather.ts";
import { byteReader } from "./bytes.ts";
import type { Connection } from "./connection.ts";
import type { LiveIndex } from "./live-index.ts";
import { type Postings, readPostings } from "./postings.ts";
import { blockTerms, type Segment } from "./segment.ts";

/**
 * Of each chunk of a segment: how many (term, field, frequency) its lists have, and the sum of their hashes. Equal sums
 * mean equal lists, but for chance of one in four thousand million.
 */
export interface WordSums {
  readonly counts: Uint32Array;
  readonly hashes: Uint32Array;
}

/** Goes through all lists of a segment, which have to be in order, where its directory says, and within the segment. */
export async function wordSums(
  db: Connection,
  live: LiveIndex,
  segment: Segment,
  report: (sentence: string) => void,
  breathe: Breathe,
): Promise<WordSums> {
  const names = new Map([...live.fields].map(([name, number]) => [number, name]));
  const sums = { counts: new Uint32Array(segment.size), hashes: new Uint32Array(segment.size) };
  let before: string | undefined;
  for (const [block, first] of segment.directory.entries()) {
    let inBlock = 0;
    for (const { term, count, list } of blockTerms(db, segment, block)) {
      if (inBlock++ === 0 && term !== first) {
        report(
          `Block ${block} of segment ${segment.key} does not begin with the word that its directory says.`,
        );
      }
      if (before !== undefined && term <= before) report(`Terms of segment ${segment.key} are out of order.`);
      before = term;
      addList(sums, segment, names, term, readPostings(byteReader(list), count), report);
      await breathe();
    }
  }
  return sums;
}

function addList(
  sums: WordSums,
  segment: Segment,
  names: ReadonlyMap<number, string>,
  term: string,
  { chunks, frequencies }: Postings,
  report: (sentence: string) => void,
): void {
  for (const [field, column] of frequencies.entries()) {
    if (!column) continue;
    const start = hash(0x811c9dc5, `${names.get(field)}\0${term}`);
    for (let i = 0; i < chunks.length; i++) {
      const chunk = chunks[i] as number;
      if (chunk >= segment.size) report(`A list of segment ${segment.key} names chunk ${chunk}.`);
      else if (column[i]) addTo(sums, chunk, mixed(start, column[i] as number));
    }
  }
}

/** Analyses chunks of a document, whose first has the number `start`, anew and compares them with the lists and lengths. */
export function compareWords(
  live: LiveIndex,
  { segment, start }: { readonly segment: Segment; readonly start: number },
  chunks: readonly StoredChunk[],
  analyze: AnalyzeStored,
  sums: WordSums,
  report: (sentence: string) => void,
): void {
  for (const stored of chunks) {
    const fields = analyze(stored);
    const wanted = { counts: new Uint32Array(1), hashes: new Uint32Array(1) };
    for (const [name, { terms }] of Object.entries(fields)) {
      for (const [term, frequency] of terms) {
        if (frequency > 0) addTo(wanted, 0, mixed(hash(0x811c9dc5, `${name}\0${term}`), frequency));
      }
    }
    const at = start + stored.chunk.ordinal;
    if (wanted.counts[0] !== sums.counts[at] || wanted.hashes[0] !== sums.hashes[at]) {
      report(`Posting lists differ from the words of chunk "${stored.chunk.id}".`);
    }
    if (!lengthsAgree(live, segment, at, fields)) {
      report(`Field lengths of chunk "${stored.chunk.id}" differ from its text's.`);
    }
  }
}

function lengthsAgree(
  live: LiveIndex,
  segment: Segment,
  at: number,
  fields: Readonly<Record<string, FieldTerms>>,
): boolean {
  return [...live.fields].every(
    ([name, number]) => (segment.lengths[number]?.[at] ?? 0) === (fields[name]?.length ?? 0),
  );
}

function addTo({ counts, hashes }: WordSums, at: number, value: number): void {
  counts[at] = (counts[at] as number) + 1;
  hashes[at] = (hashes[at] as number) + value;
}

/** FNV-1a over UTF-16 units. */
function hash(start: number, text: string): number {
  let code = start;
  for (let i = 0; i < text.length; i++) code = Math.imul(code ^ text.charCodeAt(i), 0x01000193);
  return code >>> 0;
}

/** With the finish of MurmurHash3, so that sums of hashes do not cancel out. */
function mixed(code: number, frequency: number): number {
  let value = code ^ Math.imul(frequency, 0x9e3779b1);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
