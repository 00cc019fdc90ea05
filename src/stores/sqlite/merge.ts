import { type ByteWriter, byteReader, byteWriter, writeBytes, written } from "./bytes.ts";
import type { Connection } from "./connection.ts";
import { copyPosting, skipPostings } from "./postings.ts";
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
  const sources: (Source & { shift: number | undefined })[] = segments.map((segment) => ({
    segment,
    numbers: new Int32Array(segment.size).fill(-1),
    shift: undefined,
  }));
  const documents: { key: number; chunks: number }[] = [];
  let next = 0;
  for (const source of sources) {
    const { segment, numbers } = source;
    if (segment.live === segment.size) source.shift = next;
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
  /** New number less old one, where nothing is dead and so all chunks have the same. */
  readonly shift: number | undefined;
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

/** Terms in order with their lists, and where it stands. */
export interface Cursor extends Pick<Source, "numbers" | "shift"> {
  readonly terms: Iterator<TermEntry>;
  entry: TermEntry | undefined;
}

function* mergedTerms(db: Connection, sources: readonly Source[]): Generator<TermEntry> {
  yield* joinedTerms(
    sources.map(({ segment, numbers, shift }) => {
      const terms = segmentTerms(db, segment);
      return { numbers, shift, terms, entry: nextEntry(terms) };
    }),
  );
}

/** A cursor at the first of `terms`, whose chunks get numbers that are higher by `shift`. */
export function cursorOf(terms: Iterable<TermEntry>, shift: number): Cursor {
  const iterator = terms[Symbol.iterator]();
  return { numbers: new Int32Array(0), shift, terms: iterator, entry: nextEntry(iterator) };
}

/** The lists of all cursors by term, joined in their order; one is valid until the next entry is asked for. */
export function* joinedTerms(cursors: readonly Cursor[]): Generator<TermEntry> {
  const writer = byteWriter(1_024);
  for (;;) {
    const term = lowestTerm(cursors);
    if (term === undefined) return;
    const merged = mergedEntry(cursors, term, writer);
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

/** Joins the lists of a term into `writer`; the cursors that stand on it move on. */
function mergedEntry(cursors: readonly Cursor[], term: string, writer: ByteWriter): TermEntry {
  writer.length = 0;
  const joined: Joined = { writer, last: 0, count: 0 };
  for (const cursor of cursors) {
    if (cursor.entry?.term !== term) continue;
    if (cursor.shift === undefined) joinLiving(joined, cursor, cursor.entry);
    else joinWhole(joined, cursor.shift, cursor.entry);
    cursor.entry = nextEntry(cursor.terms);
  }
  return { term, count: joined.count, list: written(writer) };
}

/** A list in the making, and the number of its last chunk. */
interface Joined {
  readonly writer: ByteWriter;
  last: number;
  count: number;
}

/** A list of which nothing is dead keeps its bytes but for the first gap. */
function joinWhole(joined: Joined, shift: number, { list, count }: TermEntry): void {
  const reader = byteReader(list);
  const first = copyPosting(reader, joined.writer, shift, (chunk) => chunk - joined.last);
  const rest = reader.at;
  joined.last = skipPostings(reader, count - 1, first);
  joined.count += count;
  writeBytes(joined.writer, list.subarray(rest, reader.at));
}

function joinLiving(joined: Joined, { numbers }: Cursor, { list, count }: TermEntry): void {
  const reader = byteReader(list);
  const gapOf = (chunk: number) => {
    const number = numbers[chunk] ?? -1;
    return number < 0 ? -1 : number - joined.last;
  };
  let chunk = 0;
  for (let left = count; left > 0; left--) {
    chunk = copyPosting(reader, joined.writer, chunk, gapOf);
    const number = numbers[chunk] ?? -1;
    if (number < 0) continue;
    joined.last = number;
    joined.count++;
  }
}

function nextEntry(terms: Iterator<TermEntry>): TermEntry | undefined {
  const next = terms.next();
  return next.done ? undefined : next.value;
}
