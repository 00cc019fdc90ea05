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
  /** The place that holds a window. */
  placeOf(window: number): VectorPlace;
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

/** `ordered` has the places of all windows ever added, by number. */
interface State {
  readonly places: Map<number, VectorPlace>;
  ordered: VectorPlace[];
  bank: VectorBank | undefined;
  windows: number;
  end: number;
  liveRanges: readonly Range[] | undefined;
}

export function vectorMemory(): VectorMemory {
  const state: State = {
    places: new Map(),
    ordered: [],
    bank: undefined,
    windows: 0,
    end: 0,
    liveRanges: undefined,
  };
  /** The live documents at the last complete refresh, by identity and number of changes. */
  let seen: { readonly live: LiveIndex; readonly changes: number } | undefined;
  return {
    get bank() {
      return state.bank;
    },
    placeOf: (window) => state.ordered[lastAtOrBefore(state.ordered, window)] as VectorPlace,
    ranges(allowed) {
      state.liveRanges ??= joined([...state.places.values()]);
      return allowed ? joined([...allowed].flatMap((key) => state.places.get(key) ?? [])) : state.liveRanges;
    },
    *refresh(db, live) {
      if (seen?.live === live && seen.changes === live.changes) return;
      forgetGone(state, live);
      yield* readMissing(state, db, live);
      seen = { live, changes: live.changes };
    },
  };
}

function forgetGone(state: State, live: LiveIndex): void {
  const { places } = state;
  for (const { key, start, end } of places.values()) {
    if (live.documents.has(key)) continue;
    places.delete(key);
    state.windows -= end - start;
    state.liveRanges = undefined;
  }
  if (state.end <= STEP_WINDOWS || state.windows >= state.end * (1 - UNUSED_SHARE)) return;
  places.clear();
  Object.assign(state, { ordered: [], bank: undefined, windows: 0, end: 0 });
}

function* readMissing(state: State, db: Connection, live: LiveIndex): Generator<void> {
  let read = 0;
  for (const { key, vectors } of live.documents.values()) {
    if (vectors === 0 || state.places.has(key)) continue;
    const row = db.get<{ data: Uint8Array }>("SELECT data FROM vectors WHERE document = ?", key);
    if (!row) throw new DamagedPart(`vectors of document ${key} are missing`);
    add(state, key, unpackVectors(row.data));
    read += vectors;
    if (read < STEP_WINDOWS) continue;
    yield;
    read = 0;
  }
}

function add(state: State, key: number, codes: VectorCodes): void {
  const { owners, inverseNorms, dimensions } = codes;
  state.bank ??= vectorBank(dimensions);
  if (state.bank.dimensions !== dimensions) throw new DamagedPart("vectors differ in dimension");
  state.bank.put(state.end, codes);
  const place = { key, start: state.end, end: state.end + owners.length, owners, inverseNorms };
  state.places.set(key, place);
  state.ordered.push(place);
  state.end = place.end;
  state.windows += owners.length;
  state.liveRanges = undefined;
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
