import type { ContextKey, ContextPolicy, RecipeCount, StoredContext } from "../../spec/index.ts";
import type { Connection, SqlValue } from "./connection.ts";
import { bytesToText, textToBytes } from "./text-bytes.ts";

interface ContextRow {
  readonly document: string;
  readonly chunk: string;
  readonly recipe: string;
  readonly text: Uint8Array;
  readonly model: string;
  readonly document_hash: string;
  readonly created_at: string;
  readonly policy: ContextPolicy | null;
}

const COLUMNS = "document, chunk, recipe, text, model, document_hash, created_at, policy";

export function readContext(
  db: Connection,
  { documentId, chunkHash, recipe }: ContextKey,
): StoredContext | undefined {
  const where = "document = ? AND chunk = ? AND recipe = ?";
  return firstContext(db, where, documentId, chunkHash, recipe);
}

/**
 * The first by id, so that the same store gives the same answer: a context that was made from this text, or else one that
 * a document of this text uses, whatever older state it was made from.
 */
export function findContext(
  db: Connection,
  {
    chunkHash,
    recipe,
    documentHash,
  }: { readonly chunkHash: string; readonly recipe: string; readonly documentHash: string },
): StoredContext | undefined {
  const made = "document_hash = ? AND chunk = ? AND recipe = ? ORDER BY document LIMIT 1";
  const used = `document IN (SELECT document FROM uses WHERE document_hash = ?1 AND recipe = ?3)
    AND chunk = ?2 AND recipe = ?3 ORDER BY document LIMIT 1`;
  return (
    firstContext(db, made, documentHash, chunkHash, recipe) ??
    firstContext(db, used, documentHash, chunkHash, recipe)
  );
}

function firstContext(db: Connection, where: string, ...values: SqlValue[]): StoredContext | undefined {
  const row = db.get<ContextRow>(`SELECT ${COLUMNS} FROM contexts WHERE ${where}`, ...values);
  return row && contextOf(row);
}

function contextOf(row: ContextRow): StoredContext {
  return {
    documentId: row.document,
    chunkHash: row.chunk,
    recipe: row.recipe,
    text: bytesToText(row.text),
    model: row.model,
    documentHash: row.document_hash,
    createdAt: row.created_at,
    ...(row.policy !== null && { policy: row.policy }),
  };
}

export function writeContext(db: Connection, context: StoredContext): void {
  db.run(
    `INSERT OR REPLACE INTO contexts (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    context.documentId,
    context.chunkHash,
    context.recipe,
    textToBytes(context.text),
    context.model,
    context.documentHash,
    context.createdAt,
    context.policy ?? null,
  );
}

export function recipeCounts(db: Connection): RecipeCount[] {
  const rows = db.all<RecipeCount>(
    "SELECT recipe, min(model) AS model, count(*) AS contexts FROM contexts GROUP BY recipe ORDER BY recipe",
  );
  return rows.map((row) => ({ ...row }));
}

/** A document's worth in memory at a time; what is written meanwhile may or may not be among them. */
export function* eachContext(db: Connection, recipe: string | undefined): Generator<StoredContext> {
  let last = "";
  for (;;) {
    const next = db.reading(() =>
      db.get<{ document: string | null }>(
        "SELECT min(document) AS document FROM contexts WHERE document > ?",
        last,
      ),
    );
    if (next === undefined || next.document === null) return;
    last = next.document;
    yield* contextsOfDocument(db, last, recipe);
  }
}

function contextsOfDocument(db: Connection, document: string, recipe: string | undefined): StoredContext[] {
  const rows = db.reading(() =>
    db.all<ContextRow>(
      `SELECT ${COLUMNS} FROM contexts WHERE document = ? AND (? IS NULL OR recipe = ?) ORDER BY recipe, chunk`,
      document,
      recipe ?? null,
      recipe ?? null,
    ),
  );
  return rows.map(contextOf);
}
