import type { ScoredChunk } from "../../spec/index.ts";
import { bestOf } from "./best.ts";
import type { Connection } from "./connection.ts";
import { DamagedPart } from "./damaged-part.ts";
import type { LiveIndex } from "./live-index.ts";
import { unpackVectors, type VectorCodes } from "./vector-codes.ts";

/** Vectors of the live documents, by document key; read when the first vector search needs them. */
export type VectorMemory = Map<number, VectorCodes>;

/** Above this many missing documents one pass over the table is quicker than looking each up. */
const READ_ALL_ABOVE = 200;

/** Reads what is missing and forgets what is gone. A document's vectors never change under its key. */
export function refreshVectors(db: Connection, live: LiveIndex, memory: VectorMemory): void {
  for (const key of memory.keys()) if (!live.documents.has(key)) memory.delete(key);
  const missing = [...live.documents.values()].filter(({ key, vectors }) => vectors > 0 && !memory.has(key));
  if (missing.length > READ_ALL_ABOVE) {
    const rows = db.all<{ document: number; data: Uint8Array }>("SELECT document, data FROM vectors");
    for (const { document, data } of rows) memory.set(document, unpackVectors(data));
  }
  for (const { key } of missing) {
    if (memory.has(key)) continue;
    const row = db.get<{ data: Uint8Array }>("SELECT data FROM vectors WHERE document = ?", key);
    if (!row) throw new DamagedPart(`vectors of document ${key} are missing`);
    memory.set(key, unpackVectors(row.data));
  }
}

/** Cosine of the query with every window; a chunk scores as its best one. */
export function searchVectors(
  live: LiveIndex,
  memory: VectorMemory,
  query: { readonly vector: Float32Array; readonly limit: number },
  allowed: ReadonlySet<number> | undefined,
): ScoredChunk[] {
  const best = bestOf(live, query.limit);
  const unit = toUnit(query.vector);
  for (const [key, codes] of memory) {
    if (allowed && !allowed.has(key)) continue;
    let owner = -1;
    let nearest = -1;
    for (let window = 0; window < codes.owners.length; window++) {
      const ordinal = codes.owners[window] as number;
      if (ordinal !== owner) {
        if (owner >= 0) best.offer(key, owner, nearest);
        owner = ordinal;
        nearest = -1;
      }
      const cosine = cosineAt(codes, window, unit);
      if (cosine > nearest) nearest = cosine;
    }
    if (owner >= 0) best.offer(key, owner, nearest);
  }
  return best.ranked();
}

function cosineAt(
  { codes, dimensions, inverseNorms }: VectorCodes,
  window: number,
  unit: Float32Array,
): number {
  const cosine = dot(codes, window * dimensions, unit) * (inverseNorms[window] as number);
  // `|| 0` turns -0 into 0.
  return Math.max(-1, Math.min(1, cosine)) || 0;
}

/** Four sums at a time: the additions of one sum would wait for each other. */
function dot(codes: Int8Array, offset: number, unit: Float32Array): number {
  const even = unit.length - (unit.length % 4);
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < even; i += 4) {
    a += (codes[offset + i] as number) * (unit[i] as number);
    b += (codes[offset + i + 1] as number) * (unit[i + 1] as number);
    c += (codes[offset + i + 2] as number) * (unit[i + 2] as number);
    d += (codes[offset + i + 3] as number) * (unit[i + 3] as number);
  }
  for (let i = even; i < unit.length; i++) a += (codes[offset + i] as number) * (unit[i] as number);
  return a + b + (c + d);
}

function toUnit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  return vector.map((value) => value * scale);
}
