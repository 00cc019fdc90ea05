import { setTimeout as sleep } from "node:timers/promises";
import { lockedError, storeError } from "./errors.ts";
import { clearHolder, writeHolder } from "./lock-holder.ts";
import { type Database, nodeSqlite } from "./node-sqlite.ts";

const RETRY_MS = 25;
/** How long others are waited for by default. */
const WAIT_MS = 5_000;

/**
 * Runs `work` while no other process, and no other caller in this one, does the same for this path. The lock is an open
 * transaction on a small database beside the index: the operating system drops it when the process dies, however it dies.
 */
export async function withLock<T>(
  path: string,
  purpose: string,
  work: () => Promise<T>,
  waitMs = WAIT_MS,
): Promise<T> {
  const lock = await acquire(path, waitMs);
  try {
    writeHolder(path, purpose);
    return await work();
  } finally {
    clearHolder(path);
    lock.close();
  }
}

async function acquire(path: string, waitMs: number): Promise<Database> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const lock = tryAcquire(path);
    if (lock) return lock;
    const left = deadline - performance.now();
    if (left <= 0) throw lockedError(path);
    await sleep(Math.min(RETRY_MS, left));
  }
}

function tryAcquire(path: string): Database | undefined {
  let lock: Database | undefined;
  try {
    lock = new (nodeSqlite().DatabaseSync)(`${path}.lock`, { timeout: 0 });
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock?.close();
    const mapped = storeError(error, path);
    if (mapped instanceof Error && "code" in mapped && mapped.code === "index-locked") return undefined;
    throw mapped;
  }
}
