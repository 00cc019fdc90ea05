import { lastChange, readChanges } from "./change-rows.ts";
import type { Connection } from "./connection.ts";
import { DamagedPart } from "./damaged-part.ts";
import { readSegment, type Segment } from "./segment.ts";

/** A document that can be found. Its chunks are those of `segment` from `start` on. */
export interface LiveDocument {
  /** Of this write of the document; another write has another key. */
  readonly key: number;
  readonly id: string;
  readonly language: string | null;
  readonly chunks: number;
  /** Windows, over all chunks. */
  readonly vectors: number;
}

/** Where a document's chunks lie in the lexical index. */
interface Place {
  readonly segment: Segment;
  /** The document's place among the segment's. */
  readonly document: number;
  readonly start: number;
}

/**
 * What searches need in memory: which documents live, the segments without their lists, and the statistics of BM25.
 * It follows the file: own writes are applied to it, another process's commit makes it be read again.
 */
export interface LiveIndex {
  readonly documents: Map<number, LiveDocument>;
  readonly segments: Map<number, Segment>;
  readonly places: Map<number, Place>;
  /** Number by field name. */
  readonly fields: Map<string, number>;
  /** Sum over live chunks, by field number. */
  readonly lengths: number[];
  chunks: number;
  /** Documents that have chunks. */
  filled: number;
  /** Grows with every change. */
  changes: number;
  /** Largest key of a document that was ever taken in. */
  lastKey: number;
  /** Number of the last change in the file that was taken in (change-rows.ts). */
  seen: number;
}

/** Reads the file's present state; segments that `before` holds already are not read again. */
export function readLiveIndex(db: Connection, before?: LiveIndex): LiveIndex {
  const live = readDocuments(db);
  for (const key of segmentKeys(db)) placeSegment(live, before?.segments.get(key) ?? readSegment(db, key));
  if (live.places.size !== live.filled) refuseUnplaced(live);
  return live;
}

/** What other processes did, but for new documents with keys above all before. */
export interface Refreshed {
  readonly removed: readonly LiveDocument[];
  readonly rewritten: readonly LiveDocument[];
}

/**
 * Takes in what other processes committed, in proportion to it; undefined where that is not known, so that all has to be
 * read anew. After an error the index is of no use any more.
 */
export function refreshLiveIndex(db: Connection, live: LiveIndex): Refreshed | undefined {
  const { number, documents } = readChanges(db, live.seen);
  if (!documents) return undefined;
  const before = live.lastKey;
  const refreshed = refreshDocuments(db, live, documents);
  for (const row of db.all<LiveDocument>(`${DOCUMENTS} WHERE key > ?`, before)) {
    if (!live.documents.has(row.key)) remember(live, row);
  }
  live.fields.clear();
  readFields(db, live);
  const keys = new Set(segmentKeys(db));
  for (const segment of [...live.segments.values()]) if (!keys.has(segment.key)) takeOut(live, segment);
  for (const key of keys) if (!live.segments.has(key)) placeSegment(live, readSegment(db, key));
  if (live.places.size !== live.filled) refuseUnplaced(live);
  live.seen = number;
  live.changes++;
  return refreshed;
}

function refreshDocuments(db: Connection, live: LiveIndex, keys: readonly number[]): Refreshed {
  const removed: LiveDocument[] = [];
  const rewritten: LiveDocument[] = [];
  for (const key of keys) {
    const known = live.documents.get(key);
    const row = db.get<LiveDocument>(`${DOCUMENTS} WHERE key = ?`, key);
    if (row) {
      if (known) updateDocument(live, row);
      else remember(live, row);
      rewritten.push(row);
    } else if (known) {
      removeDocument(live, known);
      removed.push(known);
    }
  }
  return { removed, rewritten };
}

const DOCUMENTS = "SELECT key, id, language, chunks, vectors FROM documents";

function segmentKeys(db: Connection): readonly number[] {
  return db.all<{ key: number }>("SELECT key FROM segments ORDER BY key").map(({ key }) => key);
}

function readFields(db: Connection, live: LiveIndex): void {
  const rows = db.all<{ number: number; name: string }>("SELECT number, name FROM fields");
  for (const { number, name } of rows) live.fields.set(name, number);
}

/** Documents and fields alone: what the lexical index can be made anew from. */
export function readDocuments(db: Connection): LiveIndex {
  const live: LiveIndex = {
    documents: new Map(),
    segments: new Map(),
    places: new Map(),
    fields: new Map(),
    lengths: [],
    chunks: 0,
    filled: 0,
    changes: 0,
    lastKey: 0,
    seen: lastChange(db),
  };
  readFields(db, live);
  for (const row of db.all<LiveDocument>(DOCUMENTS)) remember(live, row);
  return live;
}

/** Ids are looked up in the file: a map of them would be most of the time that opening a large index takes. */
export function documentById(db: Connection, live: LiveIndex, id: string): LiveDocument | undefined {
  const row = db.get<{ key: number }>("SELECT key FROM documents WHERE id = ?", id);
  const document = row && live.documents.get(row.key);
  // SQLite sees no difference between some texts that are none in UTF-8.
  return document?.id === id ? document : undefined;
}

/** The document can be found once a segment with its words is added (`addSegment`), in the same commit. */
export function addDocument(live: LiveIndex, document: LiveDocument): void {
  remember(live, document);
}

export function addSegment(live: LiveIndex, segment: Segment): void {
  live.changes++;
  placeSegment(live, segment);
}

/** Takes in changed facts of a document whose chunks stay. */
export function updateDocument(live: LiveIndex, document: LiveDocument): void {
  live.changes++;
  live.documents.set(document.key, document);
}

export function removeDocument(live: LiveIndex, document: LiveDocument): void {
  live.changes++;
  live.documents.delete(document.key);
  count(live, document, -1);
  const place = live.places.get(document.key);
  if (!place) return;
  const { segment, start } = place;
  addLengths(live, segment, start, start + document.chunks, -1);
  segment.dead.fill(1, start, start + document.chunks);
  segment.live -= document.chunks;
  live.places.delete(document.key);
}

/** Puts `merged` (if anything was left) in the place of segments. */
export function replaceSegments(
  live: LiveIndex,
  before: readonly Segment[],
  merged: Segment | undefined,
): void {
  live.changes++;
  for (const segment of before) takeOut(live, segment);
  if (merged) placeSegment(live, merged);
}

function remember(live: LiveIndex, document: LiveDocument): void {
  updateDocument(live, document);
  live.lastKey = Math.max(live.lastKey, document.key);
  count(live, document, 1);
}

function count(live: LiveIndex, { chunks }: LiveDocument, sign: 1 | -1): void {
  live.chunks += sign * chunks;
  if (chunks > 0) live.filled += sign;
}

/** Every document with chunks stands in a segment; one that does not would silently never be found. */
function refuseUnplaced(live: LiveIndex): void {
  for (const { key, id, chunks } of live.documents.values()) {
    if (chunks > 0 && !live.places.has(key)) throw new DamagedPart(`the words of "${id}" are missing`);
  }
}

/** Tells a segment's live chunks from its dead ones, and counts the live ones in. */
function placeSegment(live: LiveIndex, segment: Segment): void {
  live.segments.set(segment.key, segment);
  segment.dead.fill(0);
  segment.live = segment.size;
  for (const [i, key] of segment.documents.entries()) {
    const start = segment.starts[i] as number;
    const end = segment.starts[i + 1] as number;
    if (live.documents.has(key)) {
      live.places.set(key, { segment, document: i, start });
      addLengths(live, segment, start, end, 1);
    } else {
      segment.dead.fill(1, start, end);
      segment.live -= end - start;
    }
  }
}

function takeOut(live: LiveIndex, segment: Segment): void {
  live.segments.delete(segment.key);
  for (const key of segment.documents) {
    const place = live.places.get(key);
    const document = live.documents.get(key);
    if (!place || !document) continue;
    addLengths(live, segment, place.start, place.start + document.chunks, -1);
    live.places.delete(key);
  }
}

function addLengths(live: LiveIndex, segment: Segment, start: number, end: number, sign: 1 | -1): void {
  for (const [field, column] of segment.lengths.entries()) {
    let sum = 0;
    for (let chunk = start; chunk < end; chunk++) sum += column[chunk] as number;
    live.lengths[field] = (live.lengths[field] ?? 0) + sign * sum;
  }
}
