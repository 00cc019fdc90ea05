import { setImmediate } from "node:timers/promises";
import { KonteksError, type ScoredChunk, type VectorQuery } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import type { IndexMemory } from "./index-memory.ts";
import type { Scan } from "./vector-scan.ts";
import {
  beginLarge,
  isLarge,
  searchNearest,
  searchVectors,
  type VectorSearch,
  type VectorSearchOptions,
} from "./vector-search.ts";
import { dimensionsOf } from "./write-document.ts";

/** How long a large search holds the event loop at a time, in milliseconds. */
const SLICE_MS = 2;

/** A large search under way. */
interface Begun {
  readonly search: VectorSearch;
  readonly scan: Scan;
  /** The changes that it was begun behind. */
  readonly changes: number;
}

/**
 * Vector searches of a store. A large one is begun at once and joined in a later turn of microtasks: what is started
 * right behind it in the same turn, a text search say, runs while helpers estimate (vector-blocks.ts). It sees one state
 * of the index: when that has changed before it is done, it is done anew.
 */
export function vectorReads(db: Connection, memory: IndexMemory, options: VectorSearchOptions) {
  const { vectors } = memory;
  const turns = oneAtATime();

  /** What is found, or the beginning of a large search. "unread": more vectors have to be read. "busy": it has no turn. */
  function begin(query: VectorQuery, turn: boolean): readonly ScoredChunk[] | Begun | "unread" | "busy" {
    return db.reading(() => {
      const live = memory.current();
      if (!vectors.refresh(db, live).next().done) return "unread";
      refuseOtherDimensions(vectors.bank?.dimensions ?? dimensionsOf(db), query.vector.length);
      if (!(query.limit >= 1)) return [];
      const search = { live, memory: vectors, query, allowed: memory.allowed(live, query.filter), options };
      if (!isLarge(search)) return searchVectors(search);
      const scan = turn ? beginLarge(search) : undefined;
      return scan ? { search, scan, changes: live.changes } : "busy";
    });
  }

  async function end({ search, scan, changes }: Begun): Promise<readonly ScoredChunk[]> {
    await undefined;
    while (!scan.work(performance.now() + SLICE_MS)) await setImmediate();
    if (vectors.isOf(search.live, changes)) return searchNearest(search, scan.nearest());
    return db.reading(() => {
      const live = memory.current();
      for (const _ of vectors.refresh(db, live));
      const allowed = memory.allowed(live, search.query.filter);
      return searchVectors({ ...search, live, allowed });
    });
  }

  async function search(query: VectorQuery, turn: boolean): Promise<readonly ScoredChunk[]> {
    let begun = begin(query, turn || turns.free());
    while (begun === "unread") {
      await setImmediate();
      begun = begin(query, turn || turns.free());
    }
    if (begun === "busy") return turns.run(() => search(query, true));
    if (!("scan" in begun)) return begun;
    const large = begun;
    return turn ? end(large) : turns.run(() => end(large));
  }

  return (query: VectorQuery) => search(query, false);
}

/** Runs one thing at a time, first come first served; at once where nothing runs. */
function oneAtATime() {
  const waiting: (() => void)[] = [];
  let taken = false;
  return {
    free: () => !taken,
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (taken) await new Promise<void>((resolve) => waiting.push(resolve));
      taken = true;
      try {
        return await work();
      } finally {
        // Stays taken where someone waits: nobody comes in between.
        taken = waiting.length > 0;
        waiting.shift()?.();
      }
    },
  };
}

function refuseOtherDimensions(dimensions: number | undefined, given: number): void {
  if (dimensions === undefined || dimensions === given) return;
  throw new KonteksError(
    "wrong-option",
    `The query's vector has ${given} dimensions, the index has ${dimensions}. Embed the query with the index's model.`,
    { facts: { dimensions, given } },
  );
}
