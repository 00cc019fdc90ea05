import type { Connection } from "./connection.ts";
import { shortBytesToText, textToShortBytes } from "./text-bytes.ts";

/** UTF-16 units in a row: a chunk is read without reading the whole of a long document. */
const PIECE = 8_192;

/** Keeps a document's text once, in pieces; chunks are slices of it. */
export function insertText(db: Connection, document: number, text: string): void {
  for (const piece of piecesOf(text)) insertPiece(db, document, piece);
}

interface Piece {
  readonly start: number;
  readonly text: string;
}

export function* piecesOf(text: string): Generator<Piece> {
  for (let start = 0; start < text.length; ) {
    const end = pieceEnd(text, start);
    yield { start, text: text.slice(start, end) };
    start = end;
  }
}

export function insertPiece(db: Connection, document: number, { start, text }: Piece): void {
  db.run(
    "INSERT INTO texts (document, start, text) VALUES (?, ?, ?)",
    document,
    start,
    textToShortBytes(text),
  );
}

/** Compresses a text that format 1 kept as it is. */
export function compressText(db: Connection, document: number): void {
  const plain = db.get(
    "SELECT 1 FROM texts WHERE document = ? AND length(text) >= 200 AND hex(substr(text, 1, 1)) <> 'FE'",
    document,
  );
  if (!plain) return;
  const text = readText(db, document);
  db.run("DELETE FROM texts WHERE document = ?", document);
  insertText(db, document, text);
}

/** `text.slice(start, end)` of a document; without `end` to its end. */
export function readText(db: Connection, document: number, start = 0, end = Number.MAX_SAFE_INTEGER): string {
  const rows = db.all<{ start: number; text: Uint8Array }>(
    "SELECT start, text FROM texts WHERE document = ? AND start > ? AND start < ? ORDER BY start",
    document,
    start - PIECE - 1,
    end,
  );
  const first = rows[0]?.start ?? 0;
  return rows
    .map((row) => shortBytesToText(row.text))
    .join("")
    .slice(start - first, end - first);
}

/** Pieces of text that are kept unpacked while many chunks are read: 4 MB at most. */
const KEPT_PIECES = 256;

/** `readText` for many chunks: pieces that they share are read once. */
export function pieceReader(db: Connection): (document: number, start: number, end: number) => string {
  const starts = new Map<number, readonly number[]>();
  const pieces = new Map<string, string>();

  function startsOf(document: number): readonly number[] {
    let found = starts.get(document);
    if (!found) {
      const sql = "SELECT start FROM texts WHERE document = ? ORDER BY start";
      found = db.all<{ start: number }>(sql, document).map((row) => row.start);
      starts.set(document, found);
    }
    return found;
  }

  function pieceAt(document: number, start: number): string {
    const key = `${document} ${start}`;
    const known = pieces.get(key);
    if (known !== undefined) return known;
    const sql = "SELECT text FROM texts WHERE document = ? AND start = ?";
    const row = db.get<{ text: Uint8Array }>(sql, document, start);
    const text = row ? shortBytesToText(row.text) : "";
    if (pieces.size >= KEPT_PIECES) pieces.clear();
    pieces.set(key, text);
    return text;
  }

  return (document, start, end) => {
    const all = startsOf(document);
    const first = Math.max(
      all.findLastIndex((from) => from <= start),
      0,
    );
    let text = "";
    for (let i = first; i < all.length && (all[i] as number) < end; i++)
      text += pieceAt(document, all[i] as number);
    const from = all[first] ?? 0;
    return text.slice(start - from, end - from);
  };
}

/** A surrogate pair stays in one piece. */
function pieceEnd(text: string, start: number): number {
  const end = Math.min(start + PIECE, text.length);
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff && end < text.length ? end + 1 : end;
}
