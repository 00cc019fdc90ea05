import {
  byteReader,
  byteWriter,
  readBytes,
  readCount,
  readVarint,
  writeBytes,
  writeVarint,
  written,
} from "./bytes.ts";
import type { Connection } from "./connection.ts";
import { DamagedPart } from "./damaged-part.ts";
import { NO_POSTINGS, type Postings, readPostings } from "./postings.ts";
import { blockWriter, findInBlock, readBlock, type TermEntry } from "./term-blocks.ts";
import { bytesToText, textToBytes } from "./text-bytes.ts";

/**
 * A part of the lexical index that never changes once written: posting lists over its own chunk numbers, the documents
 * those belong to, and field lengths. Each write of a document makes one; `merge.ts` joins them.
 * Only `dead` and `live` follow what happens to the documents.
 */
export interface Segment {
  readonly key: number;
  /** Chunks, dead ones included. */
  readonly size: number;
  /** Keys of the documents, in the order of their chunks. */
  readonly documents: readonly number[];
  /** First chunk of each document, and the size at the end. */
  readonly starts: Uint32Array;
  /** By field number, then chunk. */
  readonly lengths: readonly Uint32Array[];
  /** First term of each block. */
  readonly directory: readonly string[];
  /** 1 for chunks whose document was deleted or replaced. */
  readonly dead: Uint8Array;
  live: number;
}

/** What a segment is written from; `terms` ascend by code units. */
export interface SegmentContent {
  readonly documents: readonly { readonly key: number; readonly chunks: number }[];
  readonly lengths: readonly ArrayLike<number>[];
  readonly terms: Iterable<TermEntry>;
}

/** Blocks of a segment are numbered within this range of row keys. */
export const BLOCKS_EACH = 2 ** 20;

export function writeSegment(db: Connection, content: SegmentContent): Segment {
  const key = reserveSegment(db);
  const blocks = segmentBlocks(db, key);
  for (const entry of content.terms) blocks.add(entry);
  const segment = segmentOf(key, content, blocks.end());
  saveSegment(db, segment);
  return segment;
}

/** A key that no segment had or will have. */
export function reserveSegment(db: Connection): number {
  const nothing = new Uint8Array(0);
  const { key } = db.run(
    "INSERT INTO segments (chunks, documents, lengths, directory) VALUES (0, ?, ?, ?)",
    nothing,
    nothing,
    nothing,
  );
  db.run("DELETE FROM segments WHERE key = ?", key);
  return key;
}

/** Writes the blocks of a segment as its terms come; `end` gives the first term of each. */
export function segmentBlocks(db: Connection, segment: number) {
  const directory: string[] = [];
  const writer = blockWriter((first, data) => {
    const key = segment * BLOCKS_EACH + directory.length;
    db.run("INSERT INTO blocks (key, data) VALUES (?, ?)", key, data);
    directory.push(first);
  });
  return {
    add: writer.add,
    end(): readonly string[] {
      writer.end();
      return directory;
    },
  };
}

/** Writes the row that makes a segment of blocks written before. */
export function saveSegment(db: Connection, segment: Segment): void {
  const { key, size, documents, starts, lengths, directory } = segment;
  const laid = documents.map((document, i) => ({
    key: document,
    chunks: (starts[i + 1] as number) - (starts[i] as number),
  }));
  db.run(
    "INSERT INTO segments (key, chunks, documents, lengths, directory) VALUES (?, ?, ?, ?, ?)",
    key,
    size,
    encodeDocuments(laid),
    encodeLengths(lengths, size),
    encodeDirectory(directory),
  );
}

/** A segment whose blocks are written, without its row. */
export function segmentOf(
  key: number,
  { documents, lengths }: Omit<SegmentContent, "terms">,
  directory: readonly string[],
): Segment {
  const size = documents.reduce((sum, { chunks }) => sum + chunks, 0);
  return {
    key,
    size,
    ...layOut(documents),
    lengths: lengths.map((column) => Uint32Array.from(column)),
    directory,
    dead: new Uint8Array(size),
    live: size,
  };
}

/** Deletes at most so many of a segment's blocks; true when none is left. */
export function deleteBlocks(db: Connection, segment: number, most: number): boolean {
  const { changes } = db.run(
    `DELETE FROM blocks WHERE key IN
       (SELECT key FROM blocks WHERE key >= ? AND key < ? ORDER BY key LIMIT ?)`,
    segment * BLOCKS_EACH,
    (segment + 1) * BLOCKS_EACH,
    most,
  );
  return changes < most;
}

export function readSegment(db: Connection, key: number): Segment {
  const row = db.get<{ chunks: number; documents: Uint8Array; lengths: Uint8Array; directory: Uint8Array }>(
    "SELECT chunks, documents, lengths, directory FROM segments WHERE key = ?",
    key,
  );
  if (!row) throw new DamagedPart(`segment ${key} is missing`);
  return {
    key,
    size: row.chunks,
    ...layOut(decodeDocuments(row.documents)),
    lengths: decodeLengths(row.lengths, row.chunks),
    directory: decodeDirectory(row.directory),
    dead: new Uint8Array(row.chunks),
    live: row.chunks,
  };
}

/** The list of a term, dead chunks included. */
export function termPostings(db: Connection, segment: Segment, term: string): Postings {
  const block = blockOf(segment.directory, term);
  if (block < 0) return NO_POSTINGS;
  const entry = findInBlock(readBlockData(db, segment.key, block), term);
  return entry ? readPostings(byteReader(entry.list), entry.count) : NO_POSTINGS;
}

export function* segmentTerms(db: Connection, segment: Segment): Generator<TermEntry> {
  for (let block = 0; block < segment.directory.length; block++) yield* blockTerms(db, segment, block);
}

export function blockTerms(db: Connection, segment: Segment, block: number): Generator<TermEntry> {
  return readBlock(readBlockData(db, segment.key, block));
}

/** Segments that have blocks, whether they have a row or not. */
export function segmentsWithBlocks(db: Connection): number[] {
  const segments: number[] = [];
  for (let from = 0; ; ) {
    const row = db.get<{ key: number }>("SELECT key FROM blocks WHERE key >= ? ORDER BY key LIMIT 1", from);
    if (!row) return segments;
    const segment = Math.floor(row.key / BLOCKS_EACH);
    segments.push(segment);
    from = (segment + 1) * BLOCKS_EACH;
  }
}

function readBlockData(db: Connection, segment: number, block: number): Uint8Array {
  const row = db.get<{ data: Uint8Array }>(
    "SELECT data FROM blocks WHERE key = ?",
    segment * BLOCKS_EACH + block,
  );
  if (!row) throw new DamagedPart(`block ${block} of segment ${segment} is missing`);
  return row.data;
}

/** The last block whose first term is not after `term`; -1 when all are. */
function blockOf(directory: readonly string[], term: string): number {
  let low = 0;
  let high = directory.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((directory[middle] as string) <= term) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function layOut(documents: SegmentContent["documents"]): Pick<Segment, "documents" | "starts"> {
  const starts = new Uint32Array(documents.length + 1);
  for (const [i, { chunks }] of documents.entries()) starts[i + 1] = (starts[i] as number) + chunks;
  return { documents: documents.map(({ key }) => key), starts };
}

function encodeDocuments(documents: SegmentContent["documents"]): Uint8Array {
  const writer = byteWriter();
  writeVarint(writer, documents.length);
  for (const { key, chunks } of documents) {
    writeVarint(writer, key);
    writeVarint(writer, chunks);
  }
  return written(writer);
}

function decodeDocuments(bytes: Uint8Array): { key: number; chunks: number }[] {
  const reader = byteReader(bytes);
  return Array.from({ length: readCount(reader) }, () => ({
    key: readVarint(reader),
    chunks: readVarint(reader),
  }));
}

function encodeLengths(lengths: readonly ArrayLike<number>[], size: number): Uint8Array {
  const writer = byteWriter(size * lengths.length + 16);
  writeVarint(writer, lengths.length);
  for (const column of lengths) for (let i = 0; i < size; i++) writeVarint(writer, column[i] ?? 0);
  return written(writer);
}

function decodeLengths(bytes: Uint8Array, size: number): Uint32Array[] {
  const reader = byteReader(bytes);
  return Array.from({ length: readCount(reader) }, () => {
    const column = new Uint32Array(size);
    for (let i = 0; i < size; i++) column[i] = readVarint(reader);
    return column;
  });
}

function encodeDirectory(directory: readonly string[]): Uint8Array {
  const writer = byteWriter();
  writeVarint(writer, directory.length);
  for (const term of directory) {
    const bytes = textToBytes(term);
    writeVarint(writer, bytes.length);
    writeBytes(writer, bytes);
  }
  return written(writer);
}

function decodeDirectory(bytes: Uint8Array): string[] {
  const reader = byteReader(bytes);
  return Array.from({ length: readCount(reader) }, () => bytesToText(readBytes(reader, readVarint(reader))));
}
