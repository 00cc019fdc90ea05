import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { KonteksError } from "../../spec/index.ts";
import type { Renew } from "./connection.ts";
import { NO_ROOM_TO_SHARE } from "./errors.ts";
import { type Database, nodeSqlite } from "./node-sqlite.ts";

/** How long a commit, or a read, waits for the commit of another process. */
export const BUSY_MS = 5_000;

/** Connections that read a file as one that never changes. */
const immutable = new WeakSet<Database>();

/**
 * A read-only or full disk, or a folder that this user may only read, cannot hold the shared-memory file that readers of
 * a write-ahead log need. While no writer has it open, the file is then read as one that never changes (`renewal`).
 */
export function openReadOnly(path: string): Database {
  const { DatabaseSync } = nodeSqlite();
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  try {
    database.exec("SELECT count(*) FROM sqlite_schema");
    return database;
  } catch (error) {
    database.close();
    if (!isCannotShare(error)) throw error;
    if (hasLog(path)) throw unfinishedError(path, error);
    const url = pathToFileURL(path);
    url.searchParams.set("immutable", "1");
    const fixed = new DatabaseSync(url, { readOnly: true });
    immutable.add(fixed);
    return fixed;
  }
}

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Somebody who may write to the folder can change the file all the same: it is then opened anew. */
export function renewal(path: string, first: Database, settings: string): Renew | undefined {
  if (!immutable.has(first)) return undefined;
  let database = first;
  let seen = stateOf(path);
  return () => {
    if (!immutable.has(database)) return undefined;
    const now = stateOf(path);
    if (now === seen) return undefined;
    database = openReadOnly(path);
    database.exec(settings);
    seen = now;
    return database;
  };
}

/** Changes with every change of the file, and once there is a log that may hold some. */
function stateOf(path: string): string {
  const { ino, mtimeNs, size } = statSync(path, { bigint: true });
  return `${ino} ${mtimeNs} ${size} ${hasLog(path)}`;
}

export function isCannotOpen(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === 14;
}

/** No file can be made beside the index (SQLITE_READONLY_DIRECTORY, a full disk), or the one there may only be read. */
function isCannotShare(error: unknown): boolean {
  if (!(error instanceof Error && "errcode" in error)) return false;
  const code = Number(error.errcode);
  return (code & 0xff) === 8 || code === NO_ROOM_TO_SHARE || isCannotOpen(error);
}

function unfinishedError(path: string, cause: unknown): KonteksError {
  return new KonteksError(
    "unreadable",
    `${path} was not closed by who wrote to it last, so it can only be opened where its folder may be written to. Run any "konteks ingest" there once, then try again.`,
    { cause, facts: { path } },
  );
}
