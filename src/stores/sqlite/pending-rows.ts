import type { PendingVectors } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";

interface Row {
  readonly document: number;
  /** `PendingVectors` as JSON. */
  readonly data: string;
}

/** Writes what waits for vectors in a document; nothing leaves no row. */
export function writePending(db: Connection, document: number, pending: PendingVectors): void {
  deletePending(db, document);
  if (pending.chunks.length === 0) return;
  db.run(
    "INSERT INTO pending (document, chunks, data) VALUES (?, ?, ?)",
    document,
    pending.chunks.length,
    JSON.stringify(pending),
  );
}

export function deletePending(db: Connection, document: number): void {
  db.run("DELETE FROM pending WHERE document = ?", document);
}

export function readPending(db: Connection, document: number): PendingVectors | undefined {
  if (!hasPending(db)) return undefined;
  const row = db.get<Row>("SELECT document, data FROM pending WHERE document = ?", document);
  return row && JSON.parse(row.data);
}

/** By key of the document. */
export function readAllPending(db: Connection): ReadonlyMap<number, PendingVectors> {
  if (!hasPending(db)) return new Map();
  const rows = db.all<Row>("SELECT document, data FROM pending");
  return new Map(rows.map(({ document, data }) => [document, JSON.parse(data)]));
}

/** Chunks that wait for vectors, over all documents. */
export function pendingChunks(db: Connection): number {
  if (!hasPending(db)) return 0;
  return db.get<{ n: number }>("SELECT ifnull(sum(chunks), 0) AS n FROM pending")?.n ?? 0;
}

/** A file of format 2 that was only opened to be read has no such table. */
function hasPending(db: Connection): boolean {
  return db.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'pending'") !== undefined;
}
