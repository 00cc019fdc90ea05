import { existsSync } from "node:fs";
import type { ContextStore } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import { emptyContextStore } from "./context-empty.ts";
import { eachContext, findContext, readContext, recipeCounts, writeContext } from "./context-rows.ts";
import {
  isUpgraded,
  readBatches,
  staleContexts,
  upgradeContextFile,
  writeBatch,
  writeUse,
} from "./context-runs.ts";
import { addUsage, hasUsageTable, readUsage } from "./context-usage.ts";
import { readVector, writeVectors } from "./kept-vectors.ts";
import { openFile } from "./open-file.ts";
import { CONTEXT_FILE } from "./schema.ts";

export interface SqliteContextStoreOptions {
  /** The context file. Its folder is made when missing. */
  readonly path: string;
  /** Only read; a missing file is then one that holds nothing. Default false. */
  readonly readOnly?: boolean | undefined;
}

/** Opens the file that keeps paid work. Each `put` has reached the disk when it returns (`synchronous = FULL`). */
export function openSqliteContextStore({ path, readOnly = false }: SqliteContextStoreOptions): ContextStore {
  if (readOnly && !existsSync(path)) return emptyContextStore(path);
  const db = openFile(CONTEXT_FILE, { path, readOnly });
  try {
    if (!readOnly) upgradeContextFile(db);
    else if (!isUpgraded(db)) return emptyFirstForm(db);
  } catch (error) {
    db.close();
    throw error;
  }
  return storeOver(db);
}

function storeOver(db: Connection): ContextStore {
  return {
    path: db.path,
    get: (key) => db.reading(() => readContext(db, key)),
    find: (key) => db.reading(() => findContext(db, key)),
    put: (context) => db.writing(() => writeContext(db, context)),
    putAll(contexts) {
      if (contexts.length > 0) {
        db.writing(() => {
          for (const context of contexts) writeContext(db, context);
        });
      }
    },
    use: (use) => db.writing(() => writeUse(db, use)),
    stale: () => db.reading(() => staleContexts(db)),
    recipes: () => db.reading(() => recipeCounts(db)),
    contexts: (recipe) => eachContext(db, recipe),
    batches: () => db.reading(() => readBatches(db)),
    putBatch: (batch) => db.writing(() => writeBatch(db, batch)),
    deleteBatch: (id) => db.writing(() => void db.run("DELETE FROM batches WHERE id = ?", id)),
    usageOf: (model) => db.reading(() => (hasUsageTable(db) ? readUsage(db, model) : undefined)),
    addUsage: (model, usage) => db.writing(() => addUsage(db, model, usage)),
    getVector: (key) => db.reading(() => readVector(db, key)),
    putVectors(entries, { limit } = {}) {
      if (entries.length > 0) db.writing(() => writeVectors(db, entries, limit));
    },
    deleteDocument: (id) => db.writing(() => deleteDocument(db, id)),
    count: () => db.reading(() => ({ contexts: countOf(db, "contexts"), vectors: countOf(db, "vectors") })),
    close: () => db.close(),
  };
}

/** A file of the first form that may only be read: its counts and vectors, no more; it is upgraded by the next writer. */
function emptyFirstForm(db: Connection): ContextStore {
  return {
    ...storeOver(db),
    get: () => undefined,
    find: () => undefined,
    stale: () => [],
    contexts: () => [],
    batches: () => [],
  };
}

function deleteDocument(db: Connection, id: string): number {
  db.run("DELETE FROM uses WHERE document = ?", id);
  return db.run("DELETE FROM contexts WHERE document = ?", id).changes;
}

function countOf(db: Connection, table: "contexts" | "vectors"): number {
  return db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;
}
