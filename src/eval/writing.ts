import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { KonteksError } from "../spec/index.ts";

/** Does what writes `path`; a file that cannot be written is told in a sentence. Errors: "read-only", "no-space". */
export async function writing<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** The same for what does not wait. */
export function writingNow<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Refuses a file that could not be written, before the work whose outcome it is for. */
export function refuseUnwritable(path: string): void {
  writingNow(path, () => {
    const nearest = nearestExisting(path);
    const isFolder = statSync(nearest).isDirectory();
    if (nearest === path && isFolder) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    if (nearest !== path && !isFolder) throw Object.assign(new Error("no folder"), { code: "ENOTDIR" });
    accessSync(nearest, constants.W_OK);
  });
}

function nearestExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestExisting(dirname(path));
}

function unwritable(path: string, cause: unknown): unknown {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "ENOSPC" || code === "EDQUOT")
    return new KonteksError(
      "no-space",
      `There is no space left to write ${path}. Free some space, then run the same command again.`,
      { facts: { path }, cause },
    );
  const reason = REASONS[code];
  if (reason === undefined) return cause;
  return new KonteksError(
    "read-only",
    `${path} cannot be written: ${reason}. Check its name and permissions, or name a file elsewhere.`,
    { facts: { path }, cause },
  );
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "there is no permission",
  EPERM: "there is no permission",
  EROFS: "the disk is read-only",
  EISDIR: "it is a folder",
  ENOTDIR: "what it lies in is no folder",
  EEXIST: "what it lies in is no folder",
};
