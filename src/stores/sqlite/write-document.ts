import { randomUUID } from "node:crypto";
import { type DocumentRecord, type IndexedChunk, KonteksError } from "../../spec/index.ts";
import { noteAllChanged, noteChange } from "./change-rows.ts";
import { insertChunks, refuseWrongChunks } from "./chunk-rows.ts";
import type { Connection } from "./connection.ts";
import { deleteDocumentRows, hideDocument, insertDocument, rewriteDocument } from "./document-rows.ts";
import type { IndexMemory } from "./index-memory.ts";
import {
  addDocument,
  addSegment,
  documentById,
  type LiveDocument,
  type LiveIndex,
  removeDocument,
  replaceSegments,
  updateDocument,
} from "./live-index.ts";
import { MAX_FIELDS } from "./postings.ts";
import { segmentsWithBlocks, writeSegment } from "./segment.ts";
import { type SegmentBuilder, segmentBuilder } from "./segment-builder.ts";
import { readIdentity } from "./settings-rows.ts";
import { allStaged, stageAll, writeStaged } from "./staged-rows.ts";
import { insertText, readText } from "./text-rows.ts";
import { writeUpkeep } from "./upkeep-rows.ts";
import { encodeVectors, packVectors } from "./vector-codes.ts";

/**
 * Puts a document in the place of whatever had its id; its words go to `segment`, which is written at the end of the
 * commit. Runs inside a write transaction, as all of this file does.
 */
export function replaceDocument(
  db: Connection,
  memory: IndexMemory,
  segment: SegmentBuilder,
  record: DocumentRecord,
  chunks: readonly IndexedChunk[],
): void {
  const { id, text } = record.document;
  refuseWrongDocument(record, chunks);
  const live = memory.current();
  takeOut(db, live, memory, documentById(db, live, id));
  refuseWrongVectors(
    db,
    id,
    chunks.map(({ chunk, vectors }) => ({ id: chunk.id, vectors })),
  );
  const document = insertDocument(db, record, chunks);
  insertText(db, document.key, text);
  insertChunks(db, document.key, chunks);
  const codes = encodeVectors(chunks.map(({ vectors }) => vectors));
  if (codes) insertVectors(db, document.key, packVectors(codes), codes.dimensions);
  addDocument(live, document);
  memory.changed();
  if (chunks.length === 0) return;
  numberFields(db, live, chunks);
  segment.add(document.key, chunks);
}

export function refuseWrongDocument({ document }: DocumentRecord, chunks: readonly IndexedChunk[]): void {
  refuseBadId(document.id);
  refuseWrongChunks(document.id, document.text, chunks);
}

/** Fields that are new get their places, the longest first: lists take the least room for the first field. */
export function numberFields(
  db: Connection,
  live: LiveIndex,
  chunks: readonly Pick<IndexedChunk, "fields">[],
): void {
  const lengths = new Map<string, number>();
  for (const { fields } of chunks) {
    for (const [name, { length }] of Object.entries(fields)) {
      if (!live.fields.has(name)) lengths.set(name, (lengths.get(name) ?? 0) + length);
    }
  }
  const longestFirst = [...lengths].sort((a, b) => b[1] - a[1]);
  for (const [name] of longestFirst) fieldNumber(db, live, name);
}

/** A builder for the words of the documents of one commit. */
export function commitSegment(live: () => LiveIndex): SegmentBuilder {
  return segmentBuilder((name) => live().fields.get(name) as number);
}

/** Writes what the documents of a commit were found to hold. */
export function finishCommit(db: Connection, memory: IndexMemory, segment: SegmentBuilder): void {
  const live = memory.current();
  if (segment.chunks > 0) addSegment(live, writeSegment(db, segment.content()));
  if (live.documents.size === 0) dropSegments(db, live);
}

/** With the last document its words leave the file: they are noted to be swept up. */
function dropSegments(db: Connection, live: LiveIndex): void {
  if (live.segments.size === 0) return;
  replaceSegments(live, [...live.segments.values()], undefined);
  db.run("DELETE FROM segments");
  // Whoever merges, or compacts, has nothing left to do.
  writeUpkeep(db, { owner: undefined, building: undefined, garbage: [] });
  const staged = new Set(allStaged(db).segments);
  const segments = segmentsWithBlocks(db).filter((segment) => !staged.has(segment));
  writeStaged(db, randomUUID(), { documents: [], segments });
}

export function updateRecord(db: Connection, memory: IndexMemory, record: DocumentRecord): void {
  const { id, text } = record.document;
  const live = memory.current();
  const document = documentById(db, live, id);
  if (!document) {
    throw new KonteksError("not-found", `Document "${id}" is not in ${db.path}. Write it with its chunks.`, {
      facts: { document: id },
    });
  }
  if (readText(db, document.key) !== text) {
    throw new KonteksError(
      "wrong-option",
      `The text of document "${id}" changed, so its chunks no longer fit. Write it with its chunks.`,
      { facts: { document: id } },
    );
  }
  updateDocument(live, rewriteDocument(db, document, record));
  live.seen = noteChange(db, document.key);
  memory.rewritten(document);
  memory.changed();
}

export function deleteDocument(db: Connection, memory: IndexMemory, id: string): boolean {
  const live = memory.current();
  const document = documentById(db, live, id);
  if (!document) return false;
  takeOut(db, live, memory, document);
  memory.changed();
  return true;
}

/** Empties the tables that show something, and notes the rest to be swept up; the caller resets the memory. */
export function clearTables(db: Connection): void {
  for (const table of ["documents", "pending", "segments", "fields", "meta"]) db.run(`DELETE FROM ${table}`);
  stageAll(db);
  noteAllChanged(db);
}

/** Chunks of a document that one commit writes or deletes; of larger ones it would hold up the event loop. */
export const LARGE_CHUNKS = 100;

/** What a large document leaves is swept up later. */
export function takeOut(
  db: Connection,
  live: LiveIndex,
  memory: IndexMemory,
  document: LiveDocument | undefined,
): void {
  if (!document) return;
  if (document.chunks > LARGE_CHUNKS) {
    hideDocument(db, document.key);
    writeStaged(db, randomUUID(), { documents: [document.key], segments: [] });
  } else deleteDocumentRows(db, document.key);
  live.seen = noteChange(db, document.key);
  removeDocument(live, document);
  memory.forget(document);
}

export function insertVectors(
  db: Connection,
  document: number,
  packed: Uint8Array,
  dimensions: number,
): void {
  db.run("INSERT INTO vectors (document, dimensions, data) VALUES (?, ?, ?)", document, dimensions, packed);
}

/** Dimensions of the index: what its identity says, else those of the vectors in it. */
export function dimensionsOf(db: Connection): number | undefined {
  const named = readIdentity(db)?.dimensions;
  if (named) return named;
  return db.get<{ dimensions: number }>("SELECT dimensions FROM vectors LIMIT 1")?.dimensions;
}

/** A vector of other dimensions than the index's, or with a component that is no number, is refused. */
export function refuseWrongVectors(
  db: Connection,
  document: string,
  chunks: readonly { readonly id: string; readonly vectors: readonly Float32Array[] }[],
): void {
  let dimensions = dimensionsOf(db);
  for (const { id, vectors } of chunks) {
    for (const vector of vectors) {
      dimensions ??= vector.length;
      if (vector.length === dimensions && vector.length > 0 && allFinite(vector)) continue;
      throw new KonteksError(
        "wrong-option",
        `A vector of chunk "${id}" does not fit: the index has ${dimensions} dimensions and finite numbers, this one has ${vector.length}. Embed it with the index's model.`,
        { facts: { document, chunk: id, dimensions, given: vector.length } },
      );
    }
  }
}

/** A loop, as a call for each component would take longer than encoding the vector. */
function allFinite(vector: Float32Array): boolean {
  for (let i = 0; i < vector.length; i++) if (!Number.isFinite(vector[i])) return false;
  return true;
}

/** SQLite's text type keeps neither NUL nor half a surrogate pair. */
function refuseBadId(id: string): void {
  if (id.isWellFormed() && !id.includes("\0")) return;
  throw new KonteksError(
    "wrong-option",
    `Document id ${JSON.stringify(id)} holds a NUL or half a character. Choose another id.`,
    { facts: { document: id } },
  );
}

/** Place of a field; a new one is noted in the file. */
export function fieldNumber(db: Connection, live: LiveIndex, name: string): number {
  const known = live.fields.get(name);
  if (known !== undefined) return known;
  const number = Math.max(-1, ...live.fields.values()) + 1;
  if (number >= MAX_FIELDS) {
    throw new KonteksError(
      "wrong-option",
      `Field "${name}" would be the ${number + 1}th of the lexical index; it holds ${MAX_FIELDS}. Use fewer fields.`,
    );
  }
  db.run("INSERT INTO fields (number, name) VALUES (?, ?)", number, name);
  live.fields.set(name, number);
  return number;
}
