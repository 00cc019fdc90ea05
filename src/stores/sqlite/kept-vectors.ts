import type { VectorKey } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";

export interface KeptVector {
  readonly key: VectorKey;
  readonly vector: Float32Array;
}

export function readVector(db: Connection, { model, textHash }: VectorKey): Float32Array | undefined {
  const row = db.get<{ vector: Uint8Array }>(
    "SELECT vector FROM vectors WHERE model = ? AND text = ?",
    model,
    textHash,
  );
  // A copy, because four-byte numbers must start at a multiple of four.
  return row && new Float32Array(row.vector.slice().buffer);
}

/** Keeps vectors; of each model that they are of, the oldest go when there are more than `limit` bytes. */
export function writeVectors(
  db: Connection,
  entries: readonly KeptVector[],
  limit: number | undefined,
): void {
  for (const { key, vector } of entries) {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    db.run(
      "INSERT OR REPLACE INTO vectors (model, text, vector) VALUES (?, ?, ?)",
      key.model,
      key.textHash,
      bytes,
    );
  }
  if (limit === undefined) return;
  const sizes = new Map(entries.map(({ key, vector }) => [key.model, vector.byteLength]));
  for (const [model, bytes] of sizes) dropOldest(db, model, Math.floor(limit / Math.max(1, bytes)));
}

/** Rows are numbered as they come, so that the lowest number is the oldest. Vectors of a model have one length. */
function dropOldest(db: Connection, model: string, most: number): void {
  const held = db.get<{ n: number }>("SELECT count(*) AS n FROM vectors WHERE model = ?", model)?.n ?? 0;
  if (held <= most) return;
  db.run(
    "DELETE FROM vectors WHERE rowid IN (SELECT rowid FROM vectors WHERE model = ? ORDER BY rowid LIMIT ?)",
    model,
    held - most,
  );
}
