import type { ContextUse, StoredBatch } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import { addUsageTable } from "./context-usage.ts";

/** What was added to the file since its first form; files without it get it when they are opened to be written. */
export function upgradeContextFile(db: Connection): void {
  db.writing(() => {
    const columns = db.all<{ name: string }>("SELECT name FROM pragma_table_info('contexts')");
    if (!columns.some(({ name }) => name === "policy"))
      db.exec("ALTER TABLE contexts ADD COLUMN policy TEXT");
    db.exec("CREATE INDEX IF NOT EXISTS contexts_by_text ON contexts (document_hash, chunk, recipe)");
    db.exec(
      `CREATE TABLE IF NOT EXISTS uses (
        document TEXT PRIMARY KEY, document_hash TEXT NOT NULL, recipe TEXT NOT NULL, chunks TEXT NOT NULL
      ) WITHOUT ROWID`,
    );
    db.exec("CREATE INDEX IF NOT EXISTS uses_by_text ON uses (document_hash, recipe)");
    db.exec(
      `CREATE TABLE IF NOT EXISTS batches (
        id TEXT PRIMARY KEY, model TEXT NOT NULL, recipe TEXT NOT NULL, created_at TEXT NOT NULL, items TEXT NOT NULL,
        reference TEXT
      ) WITHOUT ROWID`,
    );
    addUsageTable(db);
  });
}

/** Whether a file that is only read has been brought to the present form. */
export function isUpgraded(db: Connection): boolean {
  const found = db.reading(() =>
    db.get<{ n: number }>(
      "SELECT count(*) AS n FROM sqlite_schema WHERE type = 'table' AND name = 'batches'",
    ),
  );
  return (found?.n ?? 0) > 0;
}

export function writeUse(db: Connection, use: ContextUse): void {
  db.run(
    "INSERT OR REPLACE INTO uses (document, document_hash, recipe, chunks) VALUES (?, ?, ?, ?)",
    use.documentId,
    use.documentHash,
    use.recipe,
    JSON.stringify(use.chunkHashes),
  );
}

export function staleContexts(db: Connection): { readonly documentId: string; readonly contexts: number }[] {
  const rows = db.all<{ documentId: string; contexts: number }>(
    `SELECT u.document AS documentId, count(*) AS contexts
     FROM uses u, json_each(u.chunks) j
     JOIN contexts c ON c.document = u.document AND c.chunk = j.value AND c.recipe = u.recipe
     WHERE c.document_hash <> u.document_hash GROUP BY u.document ORDER BY u.document`,
  );
  return rows.map((row) => ({ ...row }));
}

interface BatchRow {
  readonly id: string;
  readonly model: string;
  readonly recipe: string;
  readonly created_at: string;
  readonly items: string;
  readonly reference: string | null;
}

export function readBatches(db: Connection): StoredBatch[] {
  return db.all<BatchRow>("SELECT * FROM batches ORDER BY created_at, id").map((row) => ({
    id: row.id,
    modelId: row.model,
    recipe: row.recipe,
    createdAt: row.created_at,
    items: JSON.parse(row.items) as StoredBatch["items"],
    ...(row.reference !== null && { reference: row.reference }),
  }));
}

export function writeBatch(db: Connection, batch: StoredBatch): void {
  db.run(
    "INSERT OR REPLACE INTO batches (id, model, recipe, created_at, items, reference) VALUES (?, ?, ?, ?, ?, ?)",
    batch.id,
    batch.modelId,
    batch.recipe,
    batch.createdAt,
    JSON.stringify(batch.items),
    batch.reference ?? null,
  );
}
