import type { Connection } from "./connection.ts";
import { DamagedPart } from "./damaged-part.ts";
import type { Allowed } from "./filtered-documents.ts";
import type { LiveIndex } from "./live-index.ts";
import { type VectorBank, vectorBank } from "./vector-bank.ts";
import { unpackVectors, type VectorCodes } from "./vector-codes.ts";
import type { Range } from "./vector-layout.ts";

/** Vectors of the live documents; read when the first vector search needs them. */
export interface VectorMemory {
  readonly bank: VectorBank | undefined;
  /** Key of the document that each window belongs to. */
  readonly documents: Float64Array;
  /** Ordinal of its chunk; ascending within a document. */
  readonly owners: Uint32Array;
  /** 1 for a window of the same chunk as the one before it. */
  readonly continues: Uint8Array;
  /** Ranges of live windows, or those of some documents, ascending and joined. */
  ranges(allowed: Allowed | undefined): readonly Range[];
  /**
   * Reads what is missing, some documents a step, and forgets what is gone. Under its key a document's vectors change
   * only by more of them coming; then all of them are read again.
   */
  refresh(db: Connection, live: LiveIndex): Generator<void>;
  /** Whether it still holds what it held for this state of an index, and the index is still in it. */
  isOf(live: LiveIndex, changes: number): boolean;
  /** How many large searches there were, with this one. */
  countSearch(): number;
  /** Other threads give up what they share. */
  close(): void;
}

/** Windows that are read in one step: about 3 MB of the built-in embedding. */
const STEP_WINDOWS = 4_096;
/** Fewer windows are compared in full by default, so that nobody asks for their 4-bit codes. */
const SETTLED_FROM = 20_000;
/** With a larger share of unused numbers everything is read anew. */
const UNUSED_SHARE = 1 / 2;

interface State {
  /** Windows by key of their document. */
  readonly places: Map<number, Range>;
  documents: Float64Array<ArrayBuffer>;
  owners: Uint32Array<ArrayBuffer>;
  continues: Uint8Array<ArrayBuffer>;
  bank: VectorBank | undefined;
  /** Live windows. */
  windows: number;
  /** Number after the last window. */
  end: number;
  liveRanges: readonly Range[] | undefined;
}

export function vectorMemory(): VectorMemory {
  const state: State = {
    places: new Map(),
    documents: new Float64Array(STEP_WINDOWS),
    owners: new Uint32Array(STEP_WINDOWS),
    continues: new Uint8Array(STEP_WINDOWS),
    bank: undefined,
    windows: 0,
    end: 0,
    liveRanges: undefined,
  };
  let searches = 0;
  /** The live documents at the last complete refresh, by identity and number of changes. */
  let seen: { readonly live: LiveIndex; readonly changes: number } | undefined;
  return {
    get bank() {
      return state.bank;
    },
    get documents() {
      return state.documents;
    },
    get owners() {
      return state.owners;
    },
    get continues() {
      return state.continues;
    },
    ranges(allowed) {
      state.liveRanges ??= joined([...state.places.values()]);
      return allowed
        ? joined([...allowed.keys].flatMap((key) => state.places.get(key) ?? []))
        : state.liveRanges;
    },
    *refresh(db, live) {
      if (seen?.live === live && seen.changes === live.changes) return;
      forgetGone(state, live);
      yield* readMissing(state, db, live);
      seen = { live, changes: live.changes };
    },
    isOf: (live, changes) => seen?.live === live && seen.changes === changes && live.changes === changes,
    countSearch: () => ++searches,
    close: () => state.bank?.close(),
  };
}

function forgetGone(state: State, live: LiveIndex): void {
  const { places } = state;
  for (const [key, { start, end }] of places) {
    if (live.documents.get(key)?.vectors === end - start) continue;
    places.delete(key);
    state.windows -= end - start;
    state.liveRanges = undefined;
  }
  if (state.end <= STEP_WINDOWS || state.windows >= state.end * (1 - UNUSED_SHARE)) return;
  places.clear();
  state.bank?.close();
  state.documents.fill(0);
  state.continues.fill(0);
  Object.assign(state, { bank: undefined, windows: 0, end: 0 });
}

function* readMissing(state: State, db: Connection, live: LiveIndex): Generator<void> {
  let read = 0;
  for (const { key, vectors } of live.documents.values()) {
    if (vectors === 0 || state.places.has(key)) continue;
    const row = db.get<{ data: Uint8Array }>("SELECT data FROM vectors WHERE document = ?", key);
    if (!row) throw new DamagedPart(`vectors of document ${key} are missing`);
    const codes = unpackVectors(row.data);
    if (codes.owners.length !== vectors) throw new DamagedPart(`vectors of document ${key} are missing`);
    add(state, key, codes);
    read += vectors;
    if (read < STEP_WINDOWS) continue;
    settle(state);
    yield;
    read = 0;
  }
  settle(state);
}

function settle({ bank, windows }: State): void {
  if (windows > SETTLED_FROM) bank?.settle();
}

function add(state: State, key: number, codes: VectorCodes): void {
  const { owners, dimensions } = codes;
  state.bank ??= vectorBank(dimensions);
  if (state.bank.dimensions !== dimensions) throw new DamagedPart("vectors differ in dimension");
  const { end: start } = state;
  const end = start + owners.length;
  state.bank.put(start, codes);
  if (end > state.owners.length) grow(state, end);
  state.owners.set(owners, start);
  for (let i = 0; i < owners.length; i++)
    state.continues[start + i] = i > 0 && owners[i] === owners[i - 1] ? 1 : 0;
  state.documents.fill(key, start, end);
  state.places.set(key, { start, end });
  state.end = end;
  state.windows += owners.length;
  state.liveRanges = undefined;
}

function grow(state: State, length: number): void {
  const { owners, documents, continues } = state;
  const size = Math.max(length, owners.length * 2);
  state.owners = new Uint32Array(size);
  state.owners.set(owners);
  state.continues = new Uint8Array(size);
  state.continues.set(continues);
  state.documents = new Float64Array(size);
  state.documents.set(documents);
}

function joined(places: readonly Range[]): Range[] {
  const sorted = places.toSorted((a, b) => a.start - b.start);
  const ranges: { start: number; end: number }[] = [];
  for (const { start, end } of sorted) {
    const last = ranges.at(-1);
    if (last?.end === start) last.end = end;
    else ranges.push({ start, end });
  }
  return ranges;
}
