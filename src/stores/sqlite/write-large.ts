import { randomUUID } from "node:crypto";
import type { DocumentRecord, IndexedChunk } from "../../spec/index.ts";
import { noteChange } from "./change-rows.ts";
import { insertChunks } from "./chunk-rows.ts";
import type { Connection } from "./connection.ts";
import { insertDocument, reserveDocument } from "./document-rows.ts";
import { lockedError } from "./errors.ts";
import type { IndexMemory } from "./index-memory.ts";
import { addDocument, addSegment, documentById } from "./live-index.ts";
import { type Pace, pacer, runsOf } from "./paced.ts";
import { pacedWords } from "./paced-words.ts";
import { reserveSegment, type Segment, saveSegment } from "./segment.ts";
import { beginStaging, isStaged, sweeping, writeStaged } from "./staged-rows.ts";
import { insertPiece, piecesOf } from "./text-rows.ts";
import { encodeVectors, packVectors, type VectorCodes } from "./vector-codes.ts";
import {
  insertVectors,
  LARGE_CHUNKS,
  numberFields,
  refuseWrongDocument,
  refuseWrongVectors,
  takeOut,
} from "./write-document.ts";

/** UTF-16 units above which a text alone makes a document large. */
const LARGE_TEXT = 1_000_000;
/** Chunks that are encoded, or inserted, before the time is looked at. */
const RUN_CHUNKS = 50;

/** Whether writing the document in one commit would hold up the event loop. */
export function isLarge({ document }: DocumentRecord, chunks: readonly IndexedChunk[]): boolean {
  return chunks.length > LARGE_CHUNKS || document.text.length > LARGE_TEXT;
}

/**
 * Puts a large document in the place of whatever had its id, in many small commits: its rows and words are written
 * under keys that nothing shows, and the last commit but for cleaning makes it a document. Each `next` runs inside a
 * write transaction of its own. Ends early with an error: what was written is swept up later (staged-rows.ts).
 */
export function* replaceLarge(
  db: Connection,
  memory: IndexMemory,
  record: DocumentRecord,
  chunks: readonly IndexedChunk[],
): Generator<void, void> {
  const change = randomUUID();
  const staging = beginStaging(change);
  try {
    // What a full disk left behind may be the room that is missing.
    yield* sweeping(db);
    refuseWrongDocument(record, chunks);
    numberFields(db, memory.current(), chunks);
    const keys = { document: reserveDocument(db), segment: reserveSegment(db) };
    writeStaged(db, change, { documents: [keys.document], segments: [keys.segment] });
    const pace = pacer(() => {
      if (!isStaged(db, change)) throw lockedError(db.path);
    });
    yield* pace.pause();
    yield* stageRows(db, pace, keys.document, record, chunks);
    const segment = yield* stageWords(db, memory, pace, keys, chunks);
    yield* pace.pause();
    show(db, memory, { record, chunks, keys, segment });
    writeStaged(db, change, { documents: [], segments: [] });
  } finally {
    staging.end();
  }
  yield* sweeping(db);
}

interface Keys {
  readonly document: number;
  readonly segment: number;
}

function* stageRows(
  db: Connection,
  pace: Pace,
  key: number,
  { document: { id, text } }: DocumentRecord,
  chunks: readonly IndexedChunk[],
): Generator<void, void> {
  yield* pace.each(piecesOf(text), (piece) => insertPiece(db, key, piece));
  yield* pace.each(runsOf(chunks, RUN_CHUNKS), ({ items }) => insertChunks(db, key, items));
  const parts: VectorCodes[] = [];
  const first = chunks.filter(({ vectors }) => vectors.length > 0).slice(0, 1);
  yield* pace.each(runsOf(chunks, RUN_CHUNKS), ({ start, items }) => {
    refuseWrongVectors(
      db,
      id,
      [...first, ...items].map(({ chunk, vectors }) => ({ id: chunk.id, vectors })),
    );
    const part = encodeVectors(items.map(({ vectors }) => vectors));
    if (part) parts.push({ ...part, owners: part.owners.map((owner) => owner + start) });
  });
  yield* pace.pause();
  const codes = joinedCodes(parts);
  const packed = codes && packVectors(codes);
  yield* pace.pause();
  if (packed) insertVectors(db, key, packed, codes.dimensions);
  yield* pace.pause();
}

/** Parts of one document, one behind the other. */
function joinedCodes(parts: readonly VectorCodes[]): VectorCodes | undefined {
  const [first] = parts;
  if (!first) return undefined;
  const count = parts.reduce((sum, { owners }) => sum + owners.length, 0);
  const joined = {
    dimensions: first.dimensions,
    owners: new Uint32Array(count),
    inverseNorms: new Float32Array(count),
    codes: new Int8Array(count * first.dimensions),
  };
  let at = 0;
  for (const { owners, inverseNorms, codes } of parts) {
    joined.owners.set(owners, at);
    joined.inverseNorms.set(inverseNorms, at);
    joined.codes.set(codes, at * first.dimensions);
    at += owners.length;
  }
  return joined;
}

/** Writes the blocks of the document's segment. */
function* stageWords(
  db: Connection,
  memory: IndexMemory,
  pace: Pace,
  keys: Keys,
  chunks: readonly IndexedChunk[],
): Generator<void, Segment> {
  const { fields } = memory.current();
  const words = pacedWords((name) => fields.get(name) as number);
  yield* pace.each(runsOf(chunks, RUN_CHUNKS), ({ items }) => words.add(keys.document, items));
  return yield* words.write(db, pace, keys.segment);
}

interface StagedDocument {
  readonly record: DocumentRecord;
  readonly chunks: readonly IndexedChunk[];
  readonly keys: Keys;
  readonly segment: Segment;
}

/** Makes a document of what was staged. */
function show(db: Connection, memory: IndexMemory, { record, chunks, keys, segment }: StagedDocument): void {
  const live = memory.current();
  takeOut(db, live, memory, documentById(db, live, record.document.id));
  refuseWrongVectors(
    db,
    record.document.id,
    chunks.slice(0, 1).map(({ chunk, vectors }) => ({ id: chunk.id, vectors })),
  );
  const document = insertDocument(db, record, chunks, keys.document);
  addDocument(live, document);
  // Others may have written documents with higher keys meanwhile.
  live.seen = noteChange(db, document.key);
  memory.rewritten(document);
  memory.changed();
  if (chunks.length === 0) return;
  saveSegment(db, segment);
  addSegment(live, segment);
}
