import { type ByteReader, byteReader, byteWriter, written } from "./bytes.ts";
import type { Connection } from "./connection.ts";
import { readPosting, writePosting } from "./postings.ts";
import { type Segment, type SegmentContent, segmentTerms } from "./segment.ts";
import type { TermEntry } from "./term-blocks.ts";

/** Segments of about one size that are joined into one. More: cheaper writes, more lists to read for a query. */
const FAN_OUT = 10;
/** A segment with a larger share of dead chunks is written anew. */
const DEAD_SHARE = 1 / 3;

/**
 * Which segments should be joined next; none most of the time. Sizes are tiered by powers of the fan-out (the
 * log-structured merge of O'Neil et al. 1996), so each posting is rewritten about log10(chunks) times in its life.
 */
export function nextMerge(segments: Iterable<Segment>): readonly Segment[] {
  const tiers = new Map<number, Segment[]>();
  for (const segment of segments) {
    if (segment.size - segment.live > segment.size * DEAD_SHARE) return [segment];
    const tier = Math.floor(Math.log(segment.size) / Math.log(FAN_OUT));
    const members = tiers.get(tier) ?? [];
    members.push(segment);
    if (members.length === FAN_OUT) return members;
    tiers.set(tier, members);
  }
  return [];
}

/** The live chunks of several segments as the content of a new one. */
export function mergedContent(db: Connection, segments: readonly Segment[]): SegmentContent {
  const sources = segments.map((segment) => ({ segment, numbers: new Int32Array(segment.size).fill(-1) }));
  const documents: { key: number; chunks: number }[] = [];
  let next = 0;
  for (const { segment, numbers } of sources) {
    for (const [i, key] of segment.documents.entries()) {
      const start = segment.starts[i] as number;
      const end = segment.starts[i + 1] as number;
      if (segment.dead[start]) continue;
      documents.push({ key, chunks: end - start });
      for (let chunk = start; chunk < end; chunk++) numbers[chunk] = next++;
    }
  }
  return { documents, lengths: mergedLengths(sources, next), terms: mergedTerms(db, sources) };
}

/** A segment to merge, and the new number of each of its chunks (-1 for dead ones). */
interface Source {
  readonly segment: Segment;
  readonly numbers: Int32Array;
}

function mergedLengths(sources: readonly Source[], size: number): Uint32Array[] {
  const fields = Math.max(0, ...sources.map(({ segment }) => segment.lengths.length));
  return Array.from({ length: fields }, (_, field) => {
    const merged = new Uint32Array(size);
    for (const { segment, numbers } of sources) {
      const column = segment.lengths[field];
      if (!column) continue;
      for (let i = 0; i < segment.size; i++) {
        const number = numbers[i] as number;
        if (number >= 0) merged[number] = column[i] as number;
      }
    }
    return merged;
  });
}

interface Cursor extends Source {
  readonly terms: Iterator<TermEntry>;
  entry: TermEntry | undefined;
}

function* mergedTerms(db: Connection, sources: readonly Source[]): Generator<TermEntry> {
  const cursors = sources.map((source): Cursor => {
    const terms = segmentTerms(db, source.segment);
    return { ...source, terms, entry: nextEntry(terms) };
  });
  for (;;) {
    const term = lowestTerm(cursors);
    if (term === undefined) return;
    const merged = mergedEntry(cursors, term);
    if (merged.count > 0) yield merged;
  }
}

function lowestTerm(cursors: readonly Cursor[]): string | undefined {
  let lowest: string | undefined;
  for (const { entry } of cursors) {
    if (entry && (lowest === undefined || entry.term < lowest)) lowest = entry.term;
  }
  return lowest;
}

/** Joins the lists of a term; the cursors that stand on it move on. */
function mergedEntry(cursors: readonly Cursor[], term: string): TermEntry {
  const writer = byteWriter();
  const frequencies: number[] = [];
  let count = 0;
  let last = 0;
  for (const cursor of cursors) {
    if (cursor.entry?.term !== term) continue;
    const reader: ByteReader = byteReader(cursor.entry.list);
    let chunk = 0;
    for (let left = cursor.entry.count; left > 0; left--) {
      chunk += readPosting(reader, frequencies);
      const number = cursor.numbers[chunk] ?? -1;
      if (number < 0) continue;
      writePosting(writer, number - last, frequencies);
      last = number;
      count++;
    }
    cursor.entry = nextEntry(cursor.terms);
  }
  return { term, count, list: written(writer) };
}

function nextEntry(terms: Iterator<TermEntry>): TermEntry | undefined {
  const next = terms.next();
  return next.done ? undefined : next.value;
}
