import {
  type Chunk,
  type Context,
  type IndexedChunk,
  KonteksError,
  type StoredChunk,
} from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import { DamagedPart } from "./damaged-part.ts";
import { languageOf, readSummary } from "./document-rows.ts";
import type { LiveDocument } from "./live-index.ts";
import { readText } from "./text-rows.ts";

/** What is kept of a chunk beside its place, as JSON. */
type StoredData = Pick<Chunk, "headings" | "lines" | "pages" | "tokens" | "repeated"> & {
  readonly context: Context;
};

interface ChunkRow {
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
  readonly data: string;
}

const COLUMNS = 'ordinal, start, "end", data';

export function insertChunks(db: Connection, document: number, chunks: readonly IndexedChunk[]): void {
  for (const { chunk, context } of chunks) {
    const { headings, lines, pages, tokens, repeated } = chunk;
    const data: StoredData = {
      headings,
      lines,
      ...(pages && { pages }),
      tokens,
      ...(repeated !== undefined && { repeated }),
      context,
    };
    db.run(
      `INSERT INTO chunks (document, ${COLUMNS}) VALUES (?, ?, ?, ?, ?)`,
      document,
      chunk.ordinal,
      chunk.start,
      chunk.end,
      JSON.stringify(data),
    );
  }
}

/** Chunks of a document: all, or the ones asked for, by ordinal. */
export function readChunks(
  db: Connection,
  document: LiveDocument,
  ordinals?: readonly number[],
): StoredChunk[] {
  const shown = shownOf(db, document);
  const rows = ordinals
    ? ordinals.flatMap((ordinal) => rowOf(db, document.key, ordinal) ?? [])
    : db.all<ChunkRow>(`SELECT ${COLUMNS} FROM chunks WHERE document = ? ORDER BY ordinal`, document.key);
  return rows.map((row) => toStored(db, document, row, shown));
}

/** Splits `<document id>#<ordinal>`; the id itself may hold "#". */
export function parseChunkId(
  id: string,
): { readonly documentId: string; readonly ordinal: number } | undefined {
  const match = /^(.*)#(0|[1-9]\d{0,9})$/su.exec(id);
  return match ? { documentId: match[1] ?? "", ordinal: Number(match[2]) } : undefined;
}

/** Chunks are stored as slices; one that is none would come back as other text. */
export function refuseWrongChunks(id: string, text: string, chunks: readonly IndexedChunk[]): void {
  for (const [i, { chunk }] of chunks.entries()) {
    const right =
      chunk.id === `${id}#${i}` &&
      chunk.documentId === id &&
      chunk.ordinal === i &&
      text.slice(chunk.start, chunk.end) === chunk.text;
    if (right) continue;
    throw new KonteksError(
      "wrong-option",
      `Chunk "${chunk.id}" does not fit document "${id}" at place ${i}: its id, ordinal or text differs from the document's. Cut the document again.`,
      { facts: { chunk: chunk.id, document: id, ordinal: i } },
    );
  }
}

function rowOf(db: Connection, document: number, ordinal: number): ChunkRow | undefined {
  return db.get<ChunkRow>(
    `SELECT ${COLUMNS} FROM chunks WHERE document = ? AND ordinal = ?`,
    document,
    ordinal,
  );
}

/** What a chunk's text is made of, but for the text of its document. */
export interface ChunkSource
  extends Pick<ChunkRow, "start" | "end">,
    Pick<StoredData, "context" | "repeated"> {}

export function readChunkSource(db: Connection, document: number, ordinal: number): ChunkSource | undefined {
  const row = rowOf(db, document, ordinal);
  if (!row) return undefined;
  const { context, repeated } = JSON.parse(row.data) as StoredData;
  return { start: row.start, end: row.end, context, ...(repeated !== undefined && { repeated }) };
}

type Shown = Pick<StoredChunk, "title" | "uri" | "language" | "metadata">;

function shownOf(db: Connection, document: LiveDocument): Shown {
  const { title, uri, metadata } = readSummary(db, document.key);
  return { title, uri, metadata, ...languageOf(document) };
}

function toStored(db: Connection, document: LiveDocument, row: ChunkRow, shown: Shown): StoredChunk {
  const { context, ...data } = JSON.parse(row.data) as StoredData;
  const { ordinal, start, end } = row;
  const text = readText(db, document.key, start, end);
  if (text.length !== end - start) throw new DamagedPart(`text of "${document.id}" is missing`);
  const chunk: Chunk = {
    id: `${document.id}#${ordinal}`,
    documentId: document.id,
    ordinal,
    start,
    end,
    text,
    ...data,
  };
  return { chunk, context, ...shown };
}
