import type { Connection } from "./connection.ts";
import { DamagedPart } from "./damaged-part.ts";
import type { LiveIndex } from "./live-index.ts";
import { type Range, type VectorBank, vectorBank } from "./vector-bank.ts";
import { unpackVectors, type VectorCodes } from "./vector-codes.ts";

/** The windows of a document: numbers in the bank from `start` on. */
export interface VectorPlace {
  readonly key: number;
  readonly start: number;
  readonly end: number;
  /** Ordinal of the chunk that each window belongs to, ascending. */
  readonly owners: Uint32Array;
  readonly inverseNorms: Float32Array;
}

/** Vectors of the live documents; read when the first vector search needs them. */
export interface VectorMemory {
  readonly bank: VectorBank | undefined;
  /** By document key. */
  readonly places: ReadonlyMap<number, VectorPlace>;
  /** The place that holds a window. */
  placeOf(window: number): VectorPlace;
  /** Windows of live documents. */
  readonly windows: number;
  /** First number that was never used. */
  readonly end: number;
  /** Ranges of live windows, or those of some documents, ascending and joined. */
  ranges(allowed: ReadonlySet<number> | undefined): readonly Range[];
  /**
   * Reads what is missing, some documents a step, and forgets what is gone. A document's vectors never change under
   * its key.
   */
  refresh(db: Connection, live: LiveIndex): Generator<void>;
}

/** Windows that are read in one step: about 3 MB of the built-in embedding. */
const STEP_WINDOWS = 4_096;
/** With a larger share of unused numbers everything is read anew. */
const UNUSED_SHARE = 1 / 2;

export function vectorMemory(): VectorMemory {
  const places = new Map<number, VectorPlace>();
  let ordered: VectorPlace[] = [];
  let bank: VectorBank | undefined;
  let windows = 0;
  let end = 0;
  let liveRanges: readonly Range[] | undefined;
  /** The live documents at the last complete refresh, by identity and number of changes. */
  let seen: { readonly live: LiveIndex; readonly changes: number } | undefined;

  function forgetGone(live: LiveIndex): void {
    for (const place of places.values()) {
      if (live.documents.has(place.key)) continue;
      places.delete(place.key);
      windows -= place.end - place.start;
      liveRanges = undefined;
    }
    if (end > STEP_WINDOWS && windows < end * (1 - UNUSED_SHARE)) clear();
  }

  function clear(): void {
    places.clear();
    ordered = [];
    bank = undefined;
    windows = 0;
    end = 0;
    liveRanges = undefined;
  }

  function add(key: number, codes: VectorCodes): void {
    if (bank && bank.dimensions !== codes.dimensions) throw new DamagedPart("vectors differ in dimension");
    bank ??= vectorBank(codes.dimensions);
    const { owners, inverseNorms } = codes;
    bank.put(end, codes);
    const place = { key, start: end, end: end + owners.length, owners, inverseNorms };
    places.set(key, place);
    ordered.push(place);
    end = place.end;
    windows += owners.length;
    liveRanges = undefined;
  }

  return {
    get bank() {
      return bank;
    },
    get windows() {
      return windows;
    },
    get end() {
      return end;
    },
    places,
    placeOf: (window) => ordered[lastAtOrBefore(ordered, window)] as VectorPlace,
    ranges(allowed) {
      if (!allowed) {
        liveRanges ??= joined([...places.values()]);
        return liveRanges;
      }
      const chosen: VectorPlace[] = [];
      for (const key of allowed) {
        const place = places.get(key);
        if (place) chosen.push(place);
      }
      return joined(chosen);
    },
    *refresh(db, live) {
      if (seen?.live === live && seen.changes === live.changes) return;
      forgetGone(live);
      let read = 0;
      for (const { key, vectors } of live.documents.values()) {
        if (vectors === 0 || places.has(key)) continue;
        const row = db.get<{ data: Uint8Array }>("SELECT data FROM vectors WHERE document = ?", key);
        if (!row) throw new DamagedPart(`vectors of document ${key} are missing`);
        add(key, unpackVectors(row.data));
        read += vectors;
        if (read < STEP_WINDOWS) continue;
        yield;
        read = 0;
      }
      seen = { live, changes: live.changes };
    },
  };
}

function joined(places: readonly VectorPlace[]): Range[] {
  const sorted = places.toSorted((a, b) => a.start - b.start);
  const ranges: { start: number; end: number }[] = [];
  for (const { start, end } of sorted) {
    const last = ranges.at(-1);
    if (last?.end === start) last.end = end;
    else ranges.push({ start, end });
  }
  return ranges;
}

/** Places are in order of their numbers. */
function lastAtOrBefore(places: readonly VectorPlace[], window: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] as VectorPlace).start <= window) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
