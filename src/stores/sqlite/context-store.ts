import type { ContextKey, ContextStore, StoredContext, VectorKey } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import { openFile } from "./open-file.ts";
import { CONTEXT_FILE } from "./schema.ts";
import { bytesToText, textToBytes } from "./text-bytes.ts";

export interface SqliteContextStoreOptions {
  /** The context file. Its folder is made when missing. */
  readonly path: string;
  /** Only read; a missing file is then an error ("not-found"). Default false. */
  readonly readOnly?: boolean | undefined;
}

/** Opens the file that keeps paid work. Each `put` has reached the disk when it returns (`synchronous = FULL`). */
export function openSqliteContextStore({ path, readOnly }: SqliteContextStoreOptions): ContextStore {
  const db = openFile(CONTEXT_FILE, { path, readOnly });
  return {
    path,
    get: (key) => db.reading(() => readContext(db, key)),
    put: (context) => db.writing(() => writeContext(db, context)),
    getVector: (key) => db.reading(() => readVector(db, key)),
    putVectors(entries) {
      if (entries.length > 0) {
        db.writing(() => {
          for (const { key, vector } of entries) writeVector(db, key, vector);
        });
      }
    },
    deleteDocument: (id) => db.writing(() => db.run("DELETE FROM contexts WHERE document = ?", id).changes),
    count: () => db.reading(() => ({ contexts: countOf(db, "contexts"), vectors: countOf(db, "vectors") })),
    close: () => db.close(),
  };
}

interface ContextRow {
  readonly text: Uint8Array;
  readonly model: string;
  readonly document_hash: string;
  readonly created_at: string;
}

function readContext(db: Connection, key: ContextKey): StoredContext | undefined {
  const { documentId, chunkHash, recipe } = key;
  const row = db.get<ContextRow>(
    `SELECT text, model, document_hash, created_at FROM contexts
     WHERE document = ? AND chunk = ? AND recipe = ?`,
    documentId,
    chunkHash,
    recipe,
  );
  if (!row) return undefined;
  const { model, document_hash: documentHash, created_at: createdAt } = row;
  return { documentId, chunkHash, recipe, text: bytesToText(row.text), model, documentHash, createdAt };
}

function writeContext(db: Connection, context: StoredContext): void {
  db.run(
    `INSERT OR REPLACE INTO contexts (document, chunk, recipe, text, model, document_hash, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    context.documentId,
    context.chunkHash,
    context.recipe,
    textToBytes(context.text),
    context.model,
    context.documentHash,
    context.createdAt,
  );
}

function readVector(db: Connection, { model, textHash }: VectorKey): Float32Array | undefined {
  const row = db.get<{ vector: Uint8Array }>(
    "SELECT vector FROM vectors WHERE model = ? AND text = ?",
    model,
    textHash,
  );
  // A copy, because four-byte numbers must start at a multiple of four.
  return row && new Float32Array(row.vector.slice().buffer);
}

function writeVector(db: Connection, { model, textHash }: VectorKey, vector: Float32Array): void {
  const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  db.run("INSERT OR REPLACE INTO vectors (model, text, vector) VALUES (?, ?, ?)", model, textHash, bytes);
}

function countOf(db: Connection, table: "contexts" | "vectors"): number {
  return db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;
}
