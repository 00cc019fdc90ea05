import { basename } from "node:path";
import { KonteksError } from "../../spec/index.ts";
import { DamagedPart } from "./damaged-part.ts";
import { describeHolder, readHolder } from "./lock-holder.ts";

/** SQLite's primary result codes that a user can do something about (https://www.sqlite.org/rescode.html). */
const CODE = {
  error: 1,
  perm: 3,
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADb: 26,
};

/**
 * SQLITE_IOERR_SHMSIZE: the small file that users of a write-ahead log share could not be made as long as it has to be,
 * for the disk is full to the last page.
 */
export const NO_ROOM_TO_SHARE = 4874;

/** Turns whatever went wrong while the file was used into an error that says what to do; the one place that does. */
export function storeError(error: unknown, path: string): unknown {
  if (error instanceof KonteksError || !(error instanceof Error)) return error;
  if (isDamage(error)) return damagedError(path, error.message, error);
  const cause = { cause: error, facts: { path } };
  switch (sqliteCode(error) ?? systemCode(error)) {
    case CODE.busy:
    case CODE.locked:
      return lockedError(path, error);
    case CODE.corrupt:
      return damagedError(path, error.message, error);
    case CODE.notADb:
      return notAnIndexError(path, error);
    case CODE.full:
      return new KonteksError(
        "no-space",
        `There is no space left to write ${path}. Free some space, then run the same command again; nothing that was finished is lost.`,
        cause,
      );
    case CODE.readOnly:
    case CODE.perm:
      return new KonteksError(
        "read-only",
        `${path} cannot be written to. Check its permissions, open it read-only, or put the index elsewhere (--index).`,
        cause,
      );
    case CODE.cantOpen:
      return new KonteksError(
        "unreadable",
        `${path} cannot be opened. Check that the folder exists and that you may read and write it.`,
        cause,
      );
    case CODE.io:
      return new KonteksError(
        "unreadable",
        `Reading or writing ${path} failed (${error.message}). Check the disk, then run the same command again.`,
        cause,
      );
    default:
      return error;
  }
}

export function damagedError(path: string, detail: string, cause?: unknown): KonteksError {
  return new KonteksError(
    "index-damaged",
    `${path} is damaged (${detail}). Restore it from a backup, or ${insteadOf(path)}.`,
    { cause, facts: { path } },
  );
}

/** An index is made of the documents again; what was paid for is not. */
function insteadOf(path: string): string {
  return basename(path) === "contexts.sqlite"
    ? "move it away and bring back what you have exported with `konteks contexts import`: what is in neither is paid for again"
    : "index again with --rebuild; contexts kept beside it are reused";
}

export function notAnIndexError(path: string, cause?: unknown): KonteksError {
  return new KonteksError(
    "not-an-index",
    `${path} is not a konteks index, or its beginning was overwritten. Choose another path (--index), or move the file away and index again.`,
    { cause, facts: { path } },
  );
}

/** Somebody else writes; the message says who, when that is known. */
export function lockedError(path: string, cause?: unknown): KonteksError {
  const holder = readHolder(path);
  const by = holder ? ` by ${describeHolder(holder)}` : " by another process";
  return new KonteksError(
    "index-locked",
    `${path} is in use${by}. Wait until that has ended, or stop it, then try again.`,
    { cause, facts: { path, ...holder } },
  );
}

export function readOnlyError(path: string): KonteksError {
  return new KonteksError(
    "read-only",
    `${path} was opened read-only, so nothing can be written. Open it without readOnly.`,
    { facts: { path } },
  );
}

export function closedError(path: string): KonteksError {
  return new KonteksError("closed", `${path} was closed. Open it again before using it.`, {
    facts: { path },
  });
}

/** Parts that are cut or missing, rows that hold no JSON, tables that are gone. */
function isDamage(error: Error): boolean {
  if (error instanceof DamagedPart || error instanceof SyntaxError) return true;
  return sqliteCode(error) === CODE.error && error.message.startsWith("no such table");
}

function sqliteCode(error: Error): number | undefined {
  const code = "errcode" in error ? error.errcode : undefined;
  if (code === NO_ROOM_TO_SHARE) return CODE.full;
  // Extended codes carry the primary one in their low byte.
  return typeof code === "number" ? code & 0xff : undefined;
}

function systemCode(error: Error): number | undefined {
  const code = "code" in error ? error.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT") return CODE.full;
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return CODE.readOnly;
  if (code === "ENOENT" || code === "ENOTDIR" || code === "EEXIST") return CODE.cantOpen;
  return code === "EIO" ? CODE.io : undefined;
}
