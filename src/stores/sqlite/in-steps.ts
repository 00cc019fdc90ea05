import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "./connection.ts";
import { lockedError } from "./errors.ts";

/** How long a commit waits for those of other processes; the event loop is free meanwhile. */
const BUSY_MS = 5_000;
const RETRY_MS = 5;

/**
 * Makes a commit as soon as no other process makes one. Where it fails, `undo` runs at once: whoever searches next, even in
 * the same turn of the event loop, must not meet in memory what is not in the file.
 */
export async function whenFree(db: Connection, work: () => void, undo?: () => void): Promise<void> {
  const deadline = performance.now() + BUSY_MS;
  try {
    while (!db.tryWriting(work)) {
      if (performance.now() > deadline) throw lockedError(db.path);
      await sleep(RETRY_MS);
    }
  } catch (error) {
    undo?.();
    throw error;
  }
}

/** Each `next` in a commit of its own, with a turn of the event loop between them. */
export async function inSteps<T>(db: Connection, steps: Generator<void, T>, undo?: () => void): Promise<T> {
  try {
    for (;;) {
      let step: IteratorResult<void, T> | undefined;
      await whenFree(
        db,
        () => {
          step = steps.next();
        },
        undo,
      );
      if (step?.done) return step.value;
      await setImmediate();
    }
  } finally {
    // Where a commit could not be made, what the steps hold is let go of.
    steps.return(undefined as T);
  }
}
