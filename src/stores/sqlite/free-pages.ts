import type { Connection } from "./connection.ts";

/** Pages given back in one step: some milliseconds. */
const STEP_PAGES = 300;
/** Fewer are left for what is written next. */
const LEAST_PAGES = 64;
const LEAST_SHARE = 1 / 50;

/** Unused pages of the file beyond those that are worth keeping; 0 when it is short enough. */
export function freePages(db: Connection): number {
  const free = unusedPages(db);
  const { page_count: all } = db.get<{ page_count: number }>("PRAGMA page_count") ?? { page_count: 0 };
  return free > Math.max(LEAST_PAGES, all * LEAST_SHARE) ? free : 0;
}

/** Moves pages from the end of the file into unused ones, and makes it so much shorter. Inside a write transaction. */
export function giveBackPages(db: Connection): void {
  db.exec(`PRAGMA incremental_vacuum(${STEP_PAGES})`);
}

function unusedPages(db: Connection): number {
  return db.get<{ freelist_count: number }>("PRAGMA freelist_count")?.freelist_count ?? 0;
}

/** Gives back all pages that are not used, in steps. */
export function* giveBack(db: Connection): Generator<void, void> {
  let before = Number.POSITIVE_INFINITY;
  for (let free = unusedPages(db); free > 0 && free < before; free = unusedPages(db)) {
    before = free;
    giveBackPages(db);
    yield;
  }
}
