import type { LateVectors } from "../../spec/index.ts";
import { noteChange } from "./change-rows.ts";
import { parseChunkId } from "./chunk-rows.ts";
import type { Connection } from "./connection.ts";
import { readSummary } from "./document-rows.ts";
import type { IndexMemory } from "./index-memory.ts";
import { documentById, type LiveDocument, type LiveIndex, updateDocument } from "./live-index.ts";
import { readPending, writePending } from "./pending-rows.ts";
import { encodeVectors, packVectors, unpackVectors, type VectorCodes } from "./vector-codes.ts";
import { refuseWrongVectors } from "./write-document.ts";

/**
 * Adds vectors to chunks that wait for them. Codes depend on their vector alone, so what is kept is what would have been
 * written with the document. Runs inside a write transaction.
 */
export function writeVectors(db: Connection, memory: IndexMemory, late: LateVectors): boolean {
  const live = memory.current();
  const document = documentById(db, live, late.documentId);
  const pending = document && readPending(db, document.key);
  if (!document || !pending || readSummary(db, document.key).indexedAt !== late.indexedAt) return false;
  const given = new Set(pending.chunks.filter((ordinal) => late.vectors.get(ordinal)?.length));
  const windows = Array.from({ length: document.chunks }, (_, ordinal) =>
    given.has(ordinal) ? (late.vectors.get(ordinal) ?? []) : [],
  );
  refuseWrongVectors(
    db,
    late.documentId,
    windows.map((vectors, ordinal) => ({ id: `${late.documentId}#${ordinal}`, vectors })),
  );
  const vectors = addCodes(db, document, encodeVectors(windows));
  const left = pending.chunks.filter((ordinal) => !given.has(ordinal));
  const { reason = pending.reason } = late;
  writePending(db, document.key, { chunks: left, ...(reason !== undefined && { reason }) });
  updateDocument(live, { ...document, vectors });
  live.seen = noteChange(db, document.key);
  return true;
}

/** Gives the number of windows that the document has now. */
function addCodes(db: Connection, { key, vectors }: LiveDocument, added: VectorCodes | undefined): number {
  if (!added) return vectors;
  const row = db.get<{ data: Uint8Array }>("SELECT data FROM vectors WHERE document = ?", key);
  const codes = row ? joined(unpackVectors(row.data), added) : added;
  db.run(
    "INSERT OR REPLACE INTO vectors (document, dimensions, data) VALUES (?, ?, ?)",
    key,
    codes.dimensions,
    packVectors(codes),
  );
  db.run("UPDATE documents SET vectors = ? WHERE key = ?", codes.owners.length, key);
  return codes.owners.length;
}

/** Windows of both, in the order of their chunks. */
function joined(before: VectorCodes, added: VectorCodes): VectorCodes {
  const { dimensions } = added;
  const windows = [before, added].flatMap((codes) =>
    Array.from(codes.owners, (owner, i) => ({ owner, codes, i })),
  );
  windows.sort((a, b) => a.owner - b.owner);
  const all = new Int8Array(windows.length * dimensions);
  for (const [at, { codes, i }] of windows.entries())
    all.set(codes.codes.subarray(i * dimensions, (i + 1) * dimensions), at * dimensions);
  return {
    dimensions,
    owners: Uint32Array.from(windows, ({ owner }) => owner),
    inverseNorms: Float32Array.from(windows, ({ codes, i }) => codes.inverseNorms[i] ?? 0),
    codes: all,
  };
}

/** Those of some chunks that wait for vectors. */
export function pendingAmong(db: Connection, live: LiveIndex, ids: readonly string[]): readonly string[] {
  const byDocument = new Map<string, ReadonlySet<number>>();
  const waitingIn = (documentId: string): ReadonlySet<number> => {
    const document = documentById(db, live, documentId);
    return new Set(document && readPending(db, document.key)?.chunks);
  };
  return ids.filter((id) => {
    const place = parseChunkId(id);
    if (!place) return false;
    const waiting = byDocument.get(place.documentId) ?? waitingIn(place.documentId);
    byDocument.set(place.documentId, waiting);
    return waiting.has(place.ordinal);
  });
}
