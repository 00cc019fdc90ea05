import { randomUUID } from "node:crypto";
import type { Connection } from "./connection.ts";
import type { IndexMemory } from "./index-memory.ts";
import { type LiveIndex, replaceSegments } from "./live-index.ts";
import { mergedContent, nextMerge } from "./merge.ts";
import {
  deleteBlocks,
  reserveSegment,
  type Segment,
  type SegmentContent,
  saveSegment,
  segmentBlocks,
  segmentOf,
} from "./segment.ts";
import { isLittered, sweep } from "./staged-rows.ts";
import { readUpkeep, writeUpkeep } from "./upkeep-rows.ts";

/**
 * Merging in small steps, so that neither readers nor the event loop wait: blocks of the new segment are written first,
 * a little at a time; one commit puts it in the place of the old ones; then those are deleted, a little at a time.
 * What a process leaves behind when it is killed is noted in the file (`upkeep-rows.ts`), and the next one cleans it.
 */
export interface UpkeepWorker {
  /** Whether there is something to do. */
  due(): boolean;
  /** Does a little of it, in a commit of its own. Runs inside a write transaction. */
  step(): void;
  /** Forgets a merge under way: a transaction was rolled back. */
  abandon(): void;
}

/** Work of one step. */
const STEP_MS = 8;
/** How long another process's merging is left alone. */
const OTHERS_MS = 1_000;
/** Blocks deleted in one step. */
const STEP_BLOCKS = 400;

interface Merge {
  readonly key: number;
  /** Keys of the segments that are joined. */
  readonly sources: readonly number[];
  readonly content: SegmentContent;
  readonly terms: Iterator<SegmentContent["terms"] extends Iterable<infer T> ? T : never>;
  readonly blocks: ReturnType<typeof segmentBlocks>;
}

/** Adds terms for the time of a step; true when there is none left. */
function addTerms({ terms, blocks }: Merge): boolean {
  const deadline = performance.now() + STEP_MS;
  for (let n = 1; ; n++) {
    const next = terms.next();
    if (next.done) return true;
    blocks.add(next.value);
    if (n % 100 === 0 && performance.now() > deadline) return false;
  }
}

/** What one open store knows of its merging. */
interface State {
  readonly db: Connection;
  readonly owner: string;
  merge: Merge | undefined;
  /** Whether there may be blocks to delete; at first, because a killed process may have left some. */
  left: boolean;
  /** Another process merges: nothing to do here until then. */
  othersUntil: number;
}

export function upkeepWorker(db: Connection, memory: IndexMemory): UpkeepWorker {
  const state: State = { db, owner: randomUUID(), merge: undefined, left: true, othersUntil: 0 };
  return {
    due() {
      if (state.merge || state.left || isLittered(db)) return true;
      if (performance.now() < state.othersUntil) return false;
      return nextMerge(memory.current().segments.values()).length > 0;
    },
    step: () => step(state, memory.current()),
    abandon() {
      state.merge = undefined;
    },
  };
}

function step(state: State, live: LiveIndex): void {
  const upkeep = readUpkeep(state.db);
  const { merge } = state;
  if (isLittered(state.db)) sweep(state.db);
  else if (upkeep.owner !== undefined && upkeep.owner !== state.owner && upkeep.fresh) {
    state.merge = undefined;
    state.left = false;
    state.othersUntil = performance.now() + OTHERS_MS;
  } else if (upkeep.building !== merge?.key) {
    // Left behind by a process that ended in the middle, or undone by one that took over.
    state.merge = undefined;
    const building = upkeep.building === undefined ? [] : [upkeep.building];
    note(state, undefined, [...upkeep.garbage, ...building]);
  } else if (merge) goOn(state, live, merge);
  else if (upkeep.garbage.length > 0) clean(state, upkeep.garbage);
  else begin(state, live);
}

function begin(state: State, live: LiveIndex): void {
  state.left = false;
  const due = nextMerge(live.segments.values());
  if (due.length === 0) return;
  const content = mergedContent(state.db, due);
  const key = reserveSegment(state.db);
  state.merge = {
    key,
    sources: due.map((segment) => segment.key),
    content,
    terms: content.terms[Symbol.iterator](),
    blocks: segmentBlocks(state.db, key),
  };
  writeUpkeep(state.db, { owner: state.owner, building: key, garbage: [] });
}

function goOn(state: State, live: LiveIndex, merge: Merge): void {
  const sources = merge.sources.flatMap((key) => live.segments.get(key) ?? []);
  if (sources.length < merge.sources.length) {
    state.merge = undefined;
    note(state, undefined, [merge.key]);
  } else if (addTerms(merge)) finish(state, live, merge, sources);
  else note(state, merge.key, []);
}

function finish(state: State, live: LiveIndex, merge: Merge, sources: readonly Segment[]): void {
  const { key, content, blocks } = merge;
  const directory = blocks.end();
  const merged = content.documents.length > 0 ? segmentOf(key, content, directory) : undefined;
  if (merged) saveSegment(state.db, merged);
  for (const source of merge.sources) state.db.run("DELETE FROM segments WHERE key = ?", source);
  replaceSegments(live, sources, merged);
  state.merge = undefined;
  note(state, undefined, merge.sources);
}

function clean(state: State, [first, ...others]: readonly number[]): void {
  if (first === undefined) return;
  const gone = deleteBlocks(state.db, first, STEP_BLOCKS);
  note(state, undefined, gone ? others : [first, ...others]);
}

/** Notes in the file what would be left behind, and that this process is at it. */
function note(state: State, building: number | undefined, garbage: readonly number[]): void {
  writeUpkeep(state.db, { owner: state.owner, building, garbage });
  state.left = garbage.length > 0;
}
