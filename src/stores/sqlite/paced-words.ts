import type { IndexedChunk } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import { type Cursor, cursorOf, joinedTerms } from "./merge.ts";
import type { Pace } from "./paced.ts";
import { type Segment, segmentBlocks, segmentOf } from "./segment.ts";
import { type SegmentBuilder, segmentBuilder } from "./segment-builder.ts";

/** Chunks whose terms are sorted at once: some milliseconds. */
const SORTED_CHUNKS = 1_000;

/** Collects the words of documents, in any number of chunks, and writes them in steps. */
export interface PacedWords {
  /** A document may come in several runs, one right after the other. */
  add(document: number, chunks: readonly Pick<IndexedChunk, "fields">[]): void;
  readonly chunks: number;
  /** Writes the blocks of a segment; what is left of it is its row. Nothing may be added afterwards. */
  write(db: Connection, pace: Pace, segment: number): Generator<void, Segment>;
}

/** `fieldNumber` gives each field's place. */
export function pacedWords(fieldNumber: (name: string) => number): PacedWords {
  const builders: SegmentBuilder[] = [];
  let chunks = 0;
  return {
    add(document, added) {
      let builder = builders.at(-1);
      if (!builder || builder.chunks >= SORTED_CHUNKS) {
        builder = segmentBuilder(fieldNumber);
        builders.push(builder);
      }
      builder.add(document, added);
      chunks += added.length;
    },
    get chunks() {
      return chunks;
    },
    write: (db, pace, segment) => writeWords(db, pace, segment, builders, chunks),
  };
}

function* writeWords(
  db: Connection,
  pace: Pace,
  segment: number,
  builders: readonly SegmentBuilder[],
  size: number,
): Generator<void, Segment> {
  const documents: { key: number; chunks: number }[] = [];
  const lengths: Uint32Array[] = [];
  const cursors: Cursor[] = [];
  let start = 0;
  yield* pace.each(builders, (builder) => {
    const content = builder.content();
    for (const { key, chunks } of content.documents) {
      const last = documents.at(-1);
      if (last?.key === key) last.chunks += chunks;
      else documents.push({ key, chunks });
    }
    for (const [field, column] of content.lengths.entries()) {
      lengths[field] ??= new Uint32Array(size);
      lengths[field].set(column, start);
    }
    cursors.push(cursorOf(content.terms, start));
    start += builder.chunks;
  });
  const blocks = segmentBlocks(db, segment);
  yield* pace.each(joinedTerms(cursors), blocks.add);
  return segmentOf(segment, { documents, lengths }, blocks.end());
}
