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
} from "./segment.ts";
import { readUpkeep, type Upkeep, writeUpkeep } from "./upkeep-rows.ts";

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

export function upkeepWorker(db: Connection, memory: IndexMemory): UpkeepWorker {
  const owner = randomUUID();
  let merge: Merge | undefined;
  /** Whether there may be blocks to delete; at first, because a killed process may have left some. */
  let left = true;
  /** Another process merges: nothing to do here until it has ended. */
  let othersUntil = 0;

  function begin(live: LiveIndex, upkeep: Upkeep): void {
    const due = nextMerge(live.segments.values());
    if (due.length === 0) return;
    const content = mergedContent(db, due);
    const key = reserveSegment(db);
    const terms = content.terms[Symbol.iterator]();
    merge = {
      key,
      sources: due.map((segment) => segment.key),
      content,
      terms,
      blocks: segmentBlocks(db, key),
    };
    writeUpkeep(db, { ...upkeep, owner, building: key });
  }

  function goOn(live: LiveIndex, job: Merge): void {
    const sources = job.sources.flatMap((key) => live.segments.get(key) ?? []);
    if (sources.length < job.sources.length) drop(job);
    else if (addTerms(job)) finish(live, job, sources);
  }

  function finish(live: LiveIndex, job: Merge, sources: readonly Segment[]): void {
    const { documents } = job.content;
    const directory = job.blocks.end();
    const merged = documents.length > 0 ? saveSegment(db, job.key, job.content, directory) : undefined;
    for (const { key } of sources) db.run("DELETE FROM segments WHERE key = ?", key);
    replaceSegments(live, sources, merged);
    const garbage = [...readUpkeep(db).garbage, ...job.sources, ...(merged ? [] : [job.key])];
    writeUpkeep(db, { owner, building: undefined, garbage });
    merge = undefined;
    left = true;
  }

  function drop(job: Merge): void {
    merge = undefined;
    writeUpkeep(db, { owner, building: undefined, garbage: [...readUpkeep(db).garbage, job.key] });
    left = true;
  }

  function clean(upkeep: Upkeep): void {
    const [first, ...others] = upkeep.garbage;
    if (first === undefined) return;
    const gone = deleteBlocks(db, first, STEP_BLOCKS);
    const garbage = gone ? others : upkeep.garbage;
    left = garbage.length > 0;
    writeUpkeep(db, { ...upkeep, owner, garbage });
  }

  return {
    due() {
      if (merge || left) return true;
      if (performance.now() < othersUntil) return false;
      return nextMerge(memory.current().segments.values()).length > 0;
    },
    step() {
      const live = memory.current();
      const upkeep = readUpkeep(db);
      if (upkeep.owner !== undefined && upkeep.owner !== owner && upkeep.fresh) {
        merge = undefined;
        left = false;
        othersUntil = performance.now() + 1_000;
        return;
      }
      const building = merge?.key;
      if (upkeep.building !== building) {
        // Left behind by a process that ended in the middle, or undone by one that took over.
        merge = undefined;
        const garbage = upkeep.building === undefined ? upkeep.garbage : [...upkeep.garbage, upkeep.building];
        writeUpkeep(db, { owner, building: undefined, garbage });
        left = garbage.length > 0;
        return;
      }
      if (merge) goOn(live, merge);
      else if (upkeep.garbage.length > 0) clean(upkeep);
      else {
        left = false;
        begin(live, upkeep);
      }
    },
    abandon() {
      merge = undefined;
    },
  };
}
