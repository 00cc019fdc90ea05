import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { threadId } from "node:worker_threads";
import type { Connection } from "./connection.ts";
import { isRunning } from "./running.ts";
import { BLOCKS_EACH, deleteBlocks } from "./segment.ts";
import { bytesToText, textToBytes } from "./text-bytes.ts";

/**
 * Rows that no document shows: those of a large document that is being written in many commits, and those of one, or of
 * all, that left in the first of many. They are noted, so that whoever finds the note of a process that ended removes them.
 */
export interface Staged {
  /** Keys in `texts`, `chunks` and `vectors` that are not in `documents`. */
  readonly documents: readonly number[];
  /** Keys in `blocks` that are not in `segments`. */
  readonly segments: readonly number[];
  /** All rows up to these keys: the index was emptied. */
  readonly upTo?: LastKeys | undefined;
}

/** The last keys that were given out, to a document and to a segment. */
interface LastKeys {
  readonly document: number;
  readonly segment: number;
}

interface Note extends Staged {
  readonly pid: number;
  readonly host: string;
  readonly thread: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const PREFIX = "staged:";
/** How long a note of another machine is left alone: whether its process runs cannot be asked. */
const ELSEWHERE_MS = 3_600_000;
/** Rows deleted in one step: some milliseconds. */
const STEP_CHUNKS = 1_000;
const STEP_PIECES = 100;
const STEP_BLOCKS = 400;
const STEP_VECTORS = 20;

/** Changes of this thread that are under way. */
const active = new Set<string>();

/** Notes what would be left behind if the change ended now; nothing takes the note away. */
export function writeStaged(db: Connection, change: string, staged: Staged): void {
  if (staged.documents.length === 0 && staged.segments.length === 0 && !staged.upTo) {
    db.run("DELETE FROM meta WHERE key = ?", PREFIX + change);
    return;
  }
  const note: Note = { ...staged, pid: process.pid, host: hostname(), thread: threadId, at: Date.now() };
  db.run(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    PREFIX + change,
    textToBytes(JSON.stringify(note)),
  );
}

/** Whether the note still stands: `clear` by another process takes it away with the rows. */
export function isStaged(db: Connection, change: string): boolean {
  return db.get("SELECT 1 FROM meta WHERE key = ?", PREFIX + change) !== undefined;
}

/** Notes everything that there is, for all documents are gone. Nothing that comes later has such keys. */
export function stageAll(db: Connection): void {
  const last = (table: string) =>
    db.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = ?", table)?.seq ?? 0;
  const upTo = { document: last("documents"), segment: last("segments") };
  writeStaged(db, randomUUID(), { documents: [], segments: [], upTo });
}

/** What all notes name. */
export function allStaged(db: Connection): Staged & { readonly upTo: LastKeys } {
  const notes = readNotes(db).map(([, note]) => note);
  return {
    documents: notes.flatMap(({ documents }) => documents),
    segments: notes.flatMap(({ segments }) => segments),
    upTo: {
      document: Math.max(0, ...notes.map(({ upTo }) => upTo?.document ?? 0)),
      segment: Math.max(0, ...notes.map(({ upTo }) => upTo?.segment ?? 0)),
    },
  };
}

/** Keys of rows that no document shows and no note names. */
export function strayDocuments(db: Connection): number[] {
  const { documents, upTo } = allStaged(db);
  const known = new Set(documents);
  const rows = ["texts", "chunks", "vectors"].flatMap((table) =>
    db.all<{ document: number }>(
      `SELECT DISTINCT document FROM ${table} WHERE document NOT IN (SELECT key FROM documents)`,
    ),
  );
  return [...new Set(rows.map(({ document }) => document))].filter(
    (key) => key > upTo.document && !known.has(key),
  );
}

/** Removes what was left behind, in steps. */
export function* sweeping(db: Connection): Generator<void, void> {
  while (isLittered(db)) {
    yield;
    sweep(db);
  }
}

/** Keeps others in this thread from sweeping up what the change stages, until `end`. */
export function beginStaging(change: string): { end(): void } {
  active.add(change);
  return { end: () => active.delete(change) };
}

/** Whether something was left behind. */
export function isLittered(db: Connection): boolean {
  return readNotes(db).some(isLeft);
}

/** Removes a little of what was left behind. Inside a write transaction. */
export function sweep(db: Connection): void {
  const found = readNotes(db).find(isLeft);
  if (!found) return;
  const [change, { documents, segments, upTo }] = found;
  if (upTo) {
    if (deleteUpTo(db, upTo)) writeStaged(db, change, { documents, segments });
    return;
  }
  const [segment, ...otherSegments] = segments;
  const [document, ...otherDocuments] = documents;
  if (segment !== undefined) {
    if (deleteBlocks(db, segment, STEP_BLOCKS))
      writeStaged(db, change, { documents, segments: otherSegments });
  } else if (document === undefined || deleteRows(db, document)) {
    writeStaged(db, change, { documents: otherDocuments, segments });
  }
}

/** Deletes some rows of a document; true when none is left. */
function deleteRows(db: Connection, document: number): boolean {
  const chunks = db.run(
    `DELETE FROM chunks WHERE document = ?1 AND ordinal IN
       (SELECT ordinal FROM chunks WHERE document = ?1 ORDER BY ordinal LIMIT ?2)`,
    document,
    STEP_CHUNKS,
  );
  if (chunks.changes > 0) return false;
  const pieces = db.run(
    `DELETE FROM texts WHERE document = ?1 AND start IN
       (SELECT start FROM texts WHERE document = ?1 ORDER BY start LIMIT ?2)`,
    document,
    STEP_PIECES,
  );
  if (pieces.changes > 0) return false;
  return db.run("DELETE FROM vectors WHERE document = ?", document).changes === 0;
}

/** Deletes some of all rows up to the keys; true when none is left. */
function deleteUpTo(db: Connection, { document, segment }: LastKeys): boolean {
  const deletes = [
    ["blocks", "key", "key", (segment + 1) * BLOCKS_EACH - 1, STEP_BLOCKS],
    ["chunks", "document, ordinal", "document", document, STEP_CHUNKS],
    ["texts", "document, start", "document", document, STEP_PIECES],
    ["vectors", "document", "document", document, STEP_VECTORS],
  ] as const;
  return deletes.every(([table, row, key, last, most]) => {
    const { changes } = db.run(
      `DELETE FROM ${table} WHERE (${row}) IN (SELECT ${row} FROM ${table} WHERE ${key} <= ? ORDER BY ${row} LIMIT ?)`,
      last,
      most,
    );
    return changes === 0;
  });
}

function readNotes(db: Connection): [change: string, note: Note][] {
  const rows = db.all<{ key: string; value: Uint8Array }>(
    "SELECT key, value FROM meta WHERE key >= ? AND key < ? ORDER BY key",
    PREFIX,
    `${PREFIX}~`,
  );
  return rows.map(({ key, value }) => [key.slice(PREFIX.length), JSON.parse(bytesToText(value)) as Note]);
}

/** Its change has ended, or the process that made it. */
function isLeft([change, { pid, host, thread, at }]: [string, Note]): boolean {
  if (host !== hostname()) return Math.abs(Date.now() - at) > ELSEWHERE_MS;
  if (pid !== process.pid) return !isRunning(pid);
  return thread === threadId && !active.has(change);
}
