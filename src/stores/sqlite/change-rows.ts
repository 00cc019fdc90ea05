import type { Connection } from "./connection.ts";

/** What happened to documents since a reader looked last. */
export interface Changes {
  /** Of the last change. */
  readonly number: number;
  /** Keys of documents whose rows went or changed; undefined when they are not known, so that all may have. */
  readonly documents: readonly number[] | undefined;
}

/** More are not kept: a reader that missed some of them reads everything again. */
const KEPT = 10_000;
/** How often old ones are deleted. */
const EVERY = 1_000;
const EVERYTHING = 0;
const UNKNOWN = -1;

/**
 * Notes in the same commit that a document's row went or changed, or came with a key that is not above all before; gives
 * the change's number. Other new documents show by their keys.
 */
export function noteChange(db: Connection, document: number): number {
  const { key } = db.run("INSERT INTO changes (document) VALUES (?)", document);
  if (key % EVERY === 0) db.run("DELETE FROM changes WHERE number <= ?", key - KEPT);
  return key;
}

/** Notes that every row may have changed. */
export function noteAllChanged(db: Connection): number {
  return noteChange(db, EVERYTHING);
}

export function lastChange(db: Connection): number {
  // A file of format 1 that was only opened to be read has no changes yet, and none of its writers notes any.
  if (!hasChanges(db)) return UNKNOWN;
  const row = db.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'changes'");
  return row?.seq ?? 0;
}

export function readChanges(db: Connection, after: number): Changes {
  const number = lastChange(db);
  if (number === UNKNOWN || after === UNKNOWN) return { number, documents: undefined };
  const rows = db.all<{ document: number }>("SELECT document FROM changes WHERE number > ?", after);
  const known = rows.length === number - after && rows.every(({ document }) => document !== EVERYTHING);
  return { number, documents: known ? rows.map(({ document }) => document) : undefined };
}

function hasChanges(db: Connection): boolean {
  return db.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'changes'") !== undefined;
}
