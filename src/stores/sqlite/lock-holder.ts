import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";

/** Who works on an index as its only writer. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  readonly purpose: string;
  /** ISO 8601. */
  readonly since: string;
}

/**
 * The note beside the index that says who holds the lock. It only informs: the lock itself is a transaction on a file of
 * its own (`lock.ts`), so a note left behind by a killed process locks nobody out.
 */
export function writeHolder(path: string, purpose: string): void {
  const holder: LockHolder = {
    pid: process.pid,
    host: hostname(),
    purpose,
    since: new Date().toISOString(),
  };
  try {
    writeFileSync(notePath(path), JSON.stringify(holder));
  } catch {
    // A full disk must not stop work for the sake of a note; the message then says "another process".
  }
}

export function clearHolder(path: string): void {
  rmSync(notePath(path), { force: true });
}

/** Undefined when nobody said, or while the note is being written. */
export function readHolder(path: string): LockHolder | undefined {
  try {
    const holder = JSON.parse(readFileSync(notePath(path), "utf8")) as LockHolder;
    return Number.isInteger(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

export function describeHolder(holder: LockHolder): string {
  return `process ${holder.pid} on ${holder.host} (${holder.purpose}, since ${holder.since})`;
}

function notePath(path: string): string {
  return `${path}.lock.json`;
}
