import { randomUUID } from "node:crypto";
import type {
  Document,
  DocumentRecord,
  DocumentSummary,
  IndexedChunk,
  PendingVectors,
} from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import type { LiveDocument } from "./live-index.ts";
import { deletePending, readAllPending, readPending, writePending } from "./pending-rows.ts";

/** What lists and hits show of a document, as JSON. */
export type StoredSummary = Pick<Document, "title" | "uri" | "metadata" | "warnings"> &
  Pick<DocumentRecord, "contentHash" | "indexedAt" | "source">;

/** The rest of the record, but its text. */
type StoredDetails = Pick<Document, "format" | "outline" | "pages"> & Pick<DocumentRecord, "failures">;

interface DocumentRow {
  readonly key: number;
  readonly id: string;
  readonly language: string | null;
  readonly characters: number;
  readonly chunks: number;
  readonly failures: number;
  readonly summary: string;
  readonly details: string;
}

/** A key that no document had or will have, but one inserted with it. */
export function reserveDocument(db: Connection): number {
  const { key } = db.run(
    `INSERT INTO documents (id, characters, chunks, vectors, llm, structural, failures, summary, details)
     VALUES (?, 0, 0, 0, 0, 0, 0, '', '')`,
    randomUUID(),
  );
  db.run("DELETE FROM documents WHERE key = ?", key);
  return key;
}

/** Without `reserved`, its key is higher than that of any other document so far. */
export function insertDocument(
  db: Connection,
  record: DocumentRecord,
  chunks: readonly IndexedChunk[],
  reserved: number | null = null,
): LiveDocument {
  const { id, language = null, text } = record.document;
  const vectors = chunks.reduce((sum, chunk) => sum + chunk.vectors.length, 0);
  const { key } = db.run(
    `INSERT INTO documents (key, id, language, characters, chunks, vectors, llm, structural, failures, summary, details)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    reserved,
    id,
    language,
    text.length,
    chunks.length,
    vectors,
    ofKind(chunks, "llm"),
    ofKind(chunks, "structural"),
    failureCount(record),
    JSON.stringify(summaryOf(record)),
    JSON.stringify(detailsOf(record)),
  );
  if (record.pending) {
    const without = record.pending.chunks.filter((ordinal) => chunks[ordinal]?.vectors.length === 0);
    writePending(db, key, { ...record.pending, chunks: without });
  }
  return { key, id, language, chunks: chunks.length, vectors };
}

/** Writes the record again over the row of `document`; chunks and text stay. */
export function rewriteDocument(
  db: Connection,
  document: LiveDocument,
  record: DocumentRecord,
): LiveDocument {
  const language = record.document.language ?? null;
  db.run(
    "UPDATE documents SET language = ?, failures = ?, summary = ?, details = ? WHERE key = ?",
    language,
    failureCount(record),
    JSON.stringify(summaryOf(record)),
    JSON.stringify(detailsOf(record)),
    document.key,
  );
  return { ...document, language };
}

export function deleteDocumentRows(db: Connection, key: number): void {
  db.run("DELETE FROM texts WHERE document = ?", key);
  db.run("DELETE FROM chunks WHERE document = ?", key);
  db.run("DELETE FROM vectors WHERE document = ?", key);
  hideDocument(db, key);
}

/** Takes out what makes a document of its rows. */
export function hideDocument(db: Connection, key: number): void {
  deletePending(db, key);
  db.run("DELETE FROM documents WHERE key = ?", key);
}

export function readRecord(db: Connection, key: number, text: string): DocumentRecord | undefined {
  const row = db.get<DocumentRow>("SELECT * FROM documents WHERE key = ?", key);
  if (!row) return undefined;
  const { contentHash, indexedAt, source, ...shown } = JSON.parse(row.summary) as StoredSummary;
  const { failures, ...details } = JSON.parse(row.details) as StoredDetails;
  const pending = readPending(db, key);
  return {
    document: { id: row.id, text, ...shown, ...details, ...languageOf(row) },
    contentHash,
    indexedAt,
    source,
    ...(failures && { failures }),
    ...(pending && { pending }),
  };
}

export function readSummaries(db: Connection): DocumentSummary[] {
  const rows = db.all<DocumentRow>(
    "SELECT key, id, language, characters, chunks, failures, summary FROM documents",
  );
  const pending = readAllPending(db);
  return rows.map((row) => toSummary(row, pending.get(row.key))).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function toSummary(row: DocumentRow, pending: PendingVectors | undefined): DocumentSummary {
  const { warnings = [], ...summary } = JSON.parse(row.summary) as StoredSummary;
  return {
    id: row.id,
    ...summary,
    ...languageOf(row),
    chunks: row.chunks,
    characters: row.characters,
    failures: row.failures,
    pending: pending?.chunks.length ?? 0,
    ...(pending?.reason !== undefined && { pendingReason: pending.reason }),
    warnings,
  };
}

export function readSummary(db: Connection, key: number): StoredSummary {
  const row = db.get<{ summary: string }>("SELECT summary FROM documents WHERE key = ?", key);
  return JSON.parse(row?.summary ?? "{}") as StoredSummary;
}

/** Why chunks lack something, by their ids. */
export function readFailures(db: Connection, key: number): Readonly<Record<string, string>> {
  const row = db.get<{ details: string }>("SELECT details FROM documents WHERE key = ?", key);
  return (JSON.parse(row?.details ?? "{}") as StoredDetails).failures ?? {};
}

export function languageOf({ language }: { readonly language: string | null }): { language?: string } {
  return language === null ? {} : { language };
}

function summaryOf({ document, contentHash, indexedAt, source }: DocumentRecord): StoredSummary {
  const { title, uri, metadata, warnings } = document;
  return { title, uri, metadata, ...(warnings && { warnings }), contentHash, indexedAt, source };
}

function detailsOf({ document, failures }: DocumentRecord): StoredDetails {
  const { format, outline, pages } = document;
  return { format, outline, ...(pages && { pages }), ...(failures && { failures }) };
}

function failureCount({ failures }: DocumentRecord): number {
  return Object.keys(failures ?? {}).length;
}

function ofKind(chunks: readonly IndexedChunk[], kind: string): number {
  return chunks.filter(({ context }) => context.kind === kind).length;
}
