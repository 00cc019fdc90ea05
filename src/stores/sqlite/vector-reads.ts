import { setImmediate } from "node:timers/promises";
import { KonteksError, type ScoredChunk, type VectorQuery } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import type { IndexMemory } from "./index-memory.ts";
import type { LiveIndex } from "./live-index.ts";
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

/** A large search under way, and the state it was begun over. */
interface Begun {
  readonly scan: Scan;
  readonly live: LiveIndex;
  readonly changes: number;
}

/**
 * Vector searches of a store. A large one is begun at once and joined in a later turn of microtasks: what is started
 * right behind it in the same turn, a text search say, runs while helpers estimate (vector-blocks.ts). It sees one state
 * of the index: when that has changed before it is done, it is done anew.
 */
export function vectorReads(db: Connection, memory: IndexMemory, options: VectorSearchOptions) {
  const turns = oneAtATime();

  function searchOver(live: LiveIndex, query: VectorQuery): VectorSearch {
    for (const _ of memory.vectors.refresh(db, live));
    return { live, memory: memory.vectors, query, allowed: memory.allowed(live, query.filter), options };
  }

  /** What is found, or the beginning of a large search; undefined where that one has to wait for its turn. */
  function begin(query: VectorQuery, turn: boolean): readonly ScoredChunk[] | Begun | undefined {
    return db.reading(() => {
      const live = memory.current();
      refuseOtherDimensions(db, query.vector.length);
      if (!(query.limit >= 1)) return [];
      const search = searchOver(live, query);
      if (!isLarge(search)) return searchVectors(search);
      const scan = turn ? beginLarge(search) : undefined;
      return scan && { scan, live, changes: live.changes };
    });
  }

  function end(query: VectorQuery, begun: Begun): readonly ScoredChunk[] {
    return db.reading(() => {
      const live = memory.current();
      const isSame = live === begun.live && live.changes === begun.changes;
      const search = searchOver(live, query);
      return isSame ? searchNearest(search, begun.scan.nearest()) : searchVectors(search);
    });
  }

  async function searchInTurn(query: VectorQuery): Promise<readonly ScoredChunk[]> {
    const begun = begin(query, true);
    if (begun === undefined || !("scan" in begun)) return begun ?? [];
    await undefined;
    while (!begun.scan.work(performance.now() + SLICE_MS)) await setImmediate();
    return end(query, begun);
  }

  return async (query: VectorQuery): Promise<readonly ScoredChunk[]> => {
    const step = () => db.reading(() => memory.vectors.refresh(db, memory.current()).next().done);
    while (!step()) await setImmediate();
    if (turns.free()) return turns.run(() => searchInTurn(query));
    const found = begin(query, false);
    if (found && !("scan" in found)) return found;
    return turns.run(() => searchInTurn(query));
  };
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

function refuseOtherDimensions(db: Connection, given: number): void {
  const dimensions = dimensionsOf(db);
  if (dimensions === undefined || dimensions === given) return;
  throw new KonteksError(
    "wrong-option",
    `The query's vector has ${given} dimensions, the index has ${dimensions}. Embed the query with the index's model.`,
    { facts: { dimensions, given } },
  );
}
