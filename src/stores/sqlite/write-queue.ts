import { setImmediate } from "node:timers/promises";
import type { Connection } from "./connection.ts";
import { freePages, giveBackPages } from "./free-pages.ts";
import { inSteps, whenFree } from "./in-steps.ts";
import type { IndexMemory } from "./index-memory.ts";
import type { SegmentBuilder } from "./segment-builder.ts";
import { type UpkeepWorker, upkeepWorker } from "./upkeep.ts";
import { commitSegment, finishCommit } from "./write-document.ts";

/** A change, made inside of a commit; words of documents go to the commit's segment. */
export type Change<T> = (segment: SegmentBuilder) => T;

/** A change in several commits, each of which is one `next`. */
export type LargeChange<T> = () => Generator<void, T>;

/**
 * Changes in the order they were asked for. Those that wait at the same time share a commit, each whole or not at all,
 * and are answered once it is done. Between commits segments are merged, a little at a time.
 */
export interface WriteQueue {
  write<T>(change: Change<T>): Promise<T>;
  /** Makes a change that is too large for one commit, in its turn. */
  writeLarge<T>(change: LargeChange<T>): Promise<T>;
  /** After everything asked for, merges included; where something was, room that merges left is given back. */
  finish(): Promise<void>;
}

/** Chunks in a commit, and milliseconds after which it takes no further change: larger ones would hold up the event loop. */
const COMMIT_CHUNKS = 100;
const COMMIT_MS = 15;
/** With more segments than this, merging comes before new writes. */
const MOST_SEGMENTS = 80;

interface Waiting {
  readonly change: Change<unknown> | undefined;
  readonly large?: LargeChange<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Taken {
  readonly waiting: Waiting;
  value: unknown;
  done: boolean;
}

interface State {
  readonly db: Connection;
  readonly memory: IndexMemory;
  readonly upkeep: UpkeepWorker;
  readonly waiting: Waiting[];
}

export function writeQueue(db: Connection, memory: IndexMemory): WriteQueue {
  const state: State = { db, memory, upkeep: upkeepWorker(db, memory), waiting: [] };
  let running: Promise<void> | undefined;

  function start(): void {
    running ??= run(state).finally(() => {
      running = undefined;
      if (state.waiting.length > 0) start();
    });
  }

  let wrote = false;
  function put<T>(asked: Pick<Waiting, "change" | "large">): Promise<T> {
    wrote = true;
    return new Promise<T>((resolve, reject) => {
      state.waiting.push({ ...asked, resolve: resolve as (value: unknown) => void, reject });
      start();
    });
  }
  return {
    write: (change) => put({ change }),
    writeLarge: (large) => put({ change: undefined, large }),
    async finish() {
      while (running) await running;
      if (wrote) await giveBack(db);
    },
  };
}

/** Until nothing waits and nothing is left to merge. */
async function run(state: State): Promise<void> {
  const { memory, waiting } = state;
  // What is asked for in the same turn shares a commit.
  await Promise.resolve();
  for (;;) {
    const crowded = memory.segments() > MOST_SEGMENTS;
    if (waiting.length > 0 && !(crowded && (await merged(state)))) await commitNext(state);
    else if (waiting.length === 0 && !(await merged(state))) return;
    await setImmediate();
  }
}

/** One step of merging; false when there is nothing to do, or it cannot be done now. */
async function merged(state: State): Promise<boolean> {
  const { db, upkeep } = state;
  try {
    if (!db.reading(upkeep.due)) return false;
    await whenFree(db, upkeep.step, () => undo(state));
    return true;
  } catch {
    // Merging can wait: the next write tries again, and says what is wrong if it cannot be made either.
    undo(state);
    return false;
  }
}

/** Forgets what a commit that failed did in memory. */
function undo({ memory, upkeep }: State): void {
  memory.reset();
  upkeep.abandon();
}

/** Unused pages are no fault, so neither is failing to give them back. */
async function giveBack(db: Connection): Promise<void> {
  try {
    for (let before = Number.POSITIVE_INFINITY; ; ) {
      const free = db.reading(() => freePages(db));
      if (free === 0 || free >= before) return;
      before = free;
      await whenFree(db, () => giveBackPages(db));
      await setImmediate();
    }
  } catch {
    // A full disk, or another writer all the time: the next close tries again.
  }
}

async function commitNext(state: State): Promise<void> {
  const [next] = state.waiting;
  if (next?.large === undefined) return commitWaiting(state);
  state.waiting.shift();
  await makeLarge(state, next, next.large());
}

async function makeLarge(state: State, asked: Waiting, steps: Generator<void, unknown>): Promise<void> {
  try {
    asked.resolve(await inSteps(state.db, steps, () => undo(state)));
  } catch (error) {
    asked.reject(error);
  }
}

async function commitWaiting(state: State): Promise<void> {
  const taken: Taken[] = [];
  try {
    await whenFree(
      state.db,
      () => makeChanges(state, taken),
      () => undo(state),
    );
    for (const { waiting: one, value } of taken) one.resolve(value);
  } catch (error) {
    refuse(state.waiting, taken, error);
  }
}

function makeChanges({ db, memory, waiting }: State, taken: Taken[]): void {
  const segment = commitSegment(memory.current);
  const deadline = performance.now() + COMMIT_MS;
  for (let next = waiting[0]; next?.change; next = waiting[0]) {
    if (segment.chunks >= COMMIT_CHUNKS || performance.now() > deadline) break;
    waiting.shift();
    const one: Taken = { waiting: next, value: undefined, done: false };
    taken.push(one);
    one.value = next.change(segment);
    one.done = true;
  }
  finishCommit(db, memory, segment);
}

/** The change that failed is refused alone, the others are made in another commit; all are, if the commit failed. */
function refuse(waiting: Waiting[], taken: readonly Taken[], error: unknown): void {
  const failed = taken.find(({ done }) => !done);
  if (failed) {
    failed.waiting.reject(error);
    waiting.unshift(...taken.filter((one) => one !== failed).map((one) => one.waiting));
  } else {
    const all = taken.length > 0 ? taken.map((one) => one.waiting) : waiting.splice(0);
    for (const one of all) one.reject(error);
  }
}
