import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { KonteksError } from "../../spec/index.ts";
import { type Connection, connect } from "./connection.ts";
import { damagedError, notAnIndexError, storeError } from "./errors.ts";
import { type Database, nodeSqlite } from "./node-sqlite.ts";
import { BUSY_MS, isCannotOpen, openReadOnly, renewal } from "./open-read-only.ts";
import { isRunning } from "./running.ts";
import type { FileKind } from "./schema.ts";

export interface FileOptions {
  readonly path: string;
  readonly readOnly?: boolean | undefined;
  readonly mustExist?: boolean | undefined;
}

/** Opens a file of a kind, making it when it is missing and may be made. */
export function openFile(
  kind: FileKind,
  { path, readOnly = false, mustExist = false }: FileOptions,
): Connection {
  let database: Database | undefined;
  try {
    if (!existsSync(path)) {
      if (readOnly || mustExist) throw missingError(path);
      createFile(kind, path);
    }
    refuseOtherThings(path);
    if (!readOnly) removeDrafts(path);
    database = readOnly ? openReadOnly(path) : openWritable(path);
    const version = checkKind(database, kind, path);
    database.exec(settings(kind));
    if (!readOnly) upgrade(database, kind, version);
    return connect(database, path, readOnly, readOnly ? renewal(path, database, settings(kind)) : undefined);
  } catch (error) {
    database?.close();
    throw storeError(reasonFor(error, path, readOnly), path);
  }
}

/**
 * The file is made under another name and then linked into place, so that whoever sees it sees all of it: an index file
 * without content is damage, never a new index.
 */
function createFile(kind: FileKind, path: string): void {
  makeFolder(dirname(path));
  const draft = `${path}.new-${process.pid}`;
  removeDatabase(draft);
  try {
    const database = openWritable(draft);
    database.exec(`
      PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA journal_mode = WAL;
      BEGIN;
      ${kind.schema}
      PRAGMA application_id = ${kind.applicationId};
      PRAGMA user_version = ${kind.version};
      COMMIT;
    `);
    database.close();
    publish(draft, path);
  } finally {
    removeDatabase(draft);
  }
}

/** A process that was killed while it made the file left its draft. */
function removeDrafts(path: string): void {
  const beginning = `${basename(path)}.new-`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(beginning)) continue;
    const pid = Number(/^\d+/.exec(name.slice(beginning.length))?.[0]);
    if (!isRunning(pid)) rmSync(join(dirname(path), name), { force: true });
  }
}

function removeDatabase(path: string): void {
  for (const ending of ["", "-wal", "-shm"]) rmSync(`${path}${ending}`, { force: true });
}

/** Asks for the right to write first: SQLite and `mkdir` do not say that a disk or folder is read-only. */
function makeFolder(folder: string): void {
  let present = folder;
  while (!existsSync(present)) present = dirname(present);
  accessSync(present, constants.W_OK);
  mkdirSync(folder, { recursive: true });
}

function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (existsSync(path)) return;
    // File systems without hard links (exFAT, some network shares).
    if (error instanceof Error) renameSync(draft, path);
  }
}

function refuseOtherThings(path: string): void {
  const file = statSync(path);
  if (!file.isFile()) throw notAnIndexError(path);
  if (file.size === 0) throw damagedError(path, "the file holds nothing");
}

function openWritable(path: string): Database {
  return new (nodeSqlite().DatabaseSync)(path, { timeout: BUSY_MS });
}

/** SQLite says no more than "unable to open" about a read-only disk. */
function reasonFor(error: unknown, path: string, readOnly: boolean): unknown {
  if (readOnly || !isCannotOpen(error)) return error;
  try {
    accessSync(dirname(path), constants.W_OK);
    return error;
  } catch (denied) {
    return denied;
  }
}

/** Gives the file's version. */
function checkKind(database: Database, kind: FileKind, path: string): number {
  const { application_id } = database.prepare("PRAGMA application_id").get() as { application_id: number };
  const { user_version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  if (application_id !== kind.applicationId) throw notAnIndexError(path);
  if (user_version > kind.version) throw newerError(path, user_version, kind.version);
  if (user_version < 1) throw damagedError(path, "its format version is missing");
  return user_version;
}

/** From here on, older versions of konteks refuse the file instead of misreading what is written to it. */
function upgrade(database: Database, kind: FileKind, from: number): void {
  for (let version = from; version < kind.version; version++) {
    database.exec(
      `BEGIN IMMEDIATE; ${kind.upgrades[version] ?? ""} PRAGMA user_version = ${version + 1}; COMMIT`,
    );
  }
}

/**
 * `secure_delete`: what is deleted is overwritten, not only unlinked. The write-ahead log is brought into the file each
 * 4 MB, by the commit that fills it: 10 ms and a wait for the disk. At 32 MB it is 50 ms and a longer wait, and builds are
 * no quicker.
 */
function settings(kind: FileKind): string {
  return `
    PRAGMA synchronous = ${kind.synchronous};
    PRAGMA secure_delete = ON;
    PRAGMA wal_autocheckpoint = 1000;
    PRAGMA cache_size = -16000;
    PRAGMA temp_store = MEMORY;
  `;
}

function missingError(path: string): KonteksError {
  return new KonteksError(
    "not-found",
    `There is no index at ${path}. Check the path, or make one with "konteks ingest".`,
    { facts: { path } },
  );
}

function newerError(path: string, version: number, supported: number): KonteksError {
  return new KonteksError(
    "index-newer",
    `${path} was written by a newer konteks (format ${version}, this one reads up to ${supported}). Update konteks, or index again at another path.`,
    { facts: { path, version, supported } },
  );
}
