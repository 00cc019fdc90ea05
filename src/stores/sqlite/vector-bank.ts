import { loadKernel, reserveMemory } from "./kernel/kernel.ts";
import { type ScanHelpers, scanHelpers } from "./scan-helpers.ts";
import { type Blocks, blocksOf } from "./vector-blocks.ts";
import type { VectorCodes } from "./vector-codes.ts";
import {
  BANK_SHIFT,
  BANK_WINDOWS,
  bankAt,
  byBank,
  codesAt,
  GROUP,
  layOut,
  type Range,
} from "./vector-layout.ts";
import { encodeQuery, type QueryCodes, querySketch } from "./vector-query.ts";
import { beginScan, type Scan } from "./vector-scan.ts";

/** A step of a 4-bit code, in root mean squares of the codes: best for 16 even steps over a normal distribution (Max 1960). */
const STEP = 0.3352;

/**
 * Windows of one dimension in the kernel's memory, by number: their 8-bit codes, and 4-bit ones in rows for estimates.
 * Both depend on the window alone, never on what else is there.
 */
export interface VectorBank {
  readonly dimensions: number;
  /** 1 / length of each window's codes. */
  readonly inverseNorms: Float32Array;
  /** Writes windows to `start` and after; nothing may lie there or beyond. */
  put(start: number, codes: VectorCodes): void;
  /** Makes the 4-bit codes of what was put since; `scan` does it as well. */
  settle(): void;
  /** Sets the query that `dots` compare with. */
  ask(vector: Float32Array): QueryCodes;
  /** Calls `see` with the inner product of the query's codes and each window of a range. */
  dots(range: Range, see: (window: number, dot: number) => void): void;
  /** The same for windows by number. */
  dotsOf(windows: readonly number[], see: (window: number, dot: number) => void): void;
  /**
   * Begins to look for the windows in the ranges with the highest estimates: `wanted`, or more where some are equal. One
   * at a time. Windows that are put meanwhile do no harm. Up to `helpers` other threads take part.
   */
  scan(query: QueryCodes, ranges: readonly Range[], wanted: number, helpers?: number): Scan;
  /** Other threads give up the memory. */
  close(): void;
}

interface State extends Blocks {
  inverseNorms: Float32Array<ArrayBuffer>;
  /** Number after the last window. */
  end: number;
  /** Windows before this number have their 4-bit codes. */
  settled: number;
  helpers: ScanHelpers | undefined;
}

export function vectorBank(dimensions: number): VectorBank {
  const layout = layOut(dimensions);
  const kernel = loadKernel();
  reserveMemory(kernel, layout.head);
  const state: State = {
    ...blocksOf(kernel, layout, 0),
    inverseNorms: new Float32Array(BANK_WINDOWS),
    end: 0,
    settled: 0,
    helpers: undefined,
  };
  return {
    dimensions,
    get inverseNorms() {
      return state.inverseNorms;
    },
    put: (start, windows) => putWindows(state, start, windows),
    settle: () => settle(state),
    ask(vector) {
      const query = encodeQuery(vector);
      new Int16Array(kernel.memory.buffer, layout.query, layout.width).set(query.codes);
      return query;
    },
    dots: (range, see) => dotsOfRange(state, range, see),
    dotsOf: (windows, see) => dotsOfWindows(state, windows, see),
    scan({ codes }, ranges, wanted, helpers = 0) {
      settle(state);
      const scan = beginScan(state, ranges, querySketch(codes), wanted);
      if (helpers > 0) {
        state.helpers ??= scanHelpers(kernel.memory, dimensions, helpers);
        state.helpers.wake();
      }
      return scan;
    },
    close() {
      state.helpers?.close();
      state.helpers = undefined;
    },
  };
}

function putWindows(state: State, start: number, windows: VectorCodes): void {
  const { kernel, layout } = state;
  const { dimensions } = layout;
  const { owners, codes, inverseNorms } = windows;
  state.end = start + owners.length;
  state.inverseNorms = grown(state.inverseNorms, state.end);
  state.inverseNorms.set(inverseNorms, start);
  reserveMemory(kernel, bankAt(layout, (state.end >>> BANK_SHIFT) + 1));
  const memory = new Int8Array(kernel.memory.buffer);
  for (const piece of byBank({ start, end: state.end })) {
    const from = (piece.start - start) * dimensions;
    const to = codesAt(layout, piece.start);
    if (layout.width === dimensions)
      memory.set(codes.subarray(from, from + (piece.end - piece.start) * dimensions), to);
    else
      for (let i = 0; i < piece.end - piece.start; i++)
        memory.set(codes.subarray(from + i * dimensions, from + (i + 1) * dimensions), to + i * layout.width);
  }
}

/** A group that was not full before is written anew. */
function settle(state: State): void {
  const { kernel, layout, inverseNorms, end } = state;
  if (state.settled === end) return;
  const scales = new Float32Array(kernel.memory.buffer, layout.scales, GROUP);
  const scale = Math.sqrt(layout.dimensions) / STEP;
  for (let window = state.settled - (state.settled % GROUP); window < end; window += GROUP) {
    for (let i = 0; i < GROUP; i++) scales[i] = (inverseNorms[window + i] ?? 0) * scale;
    const rows = bankAt(layout, window >>> BANK_SHIFT) + layout.rows;
    const { scratch, width } = layout;
    kernel.spread(codesAt(layout, window), layout.scales, width, rows, window % BANK_WINDOWS, scratch);
  }
  state.settled = end;
}

function dotsOfRange(
  { kernel, layout }: State,
  range: Range,
  see: (window: number, dot: number) => void,
): void {
  for (const { start, end } of byBank(range)) {
    kernel.dots(codesAt(layout, start), layout.query, end - start, layout.width, layout.out);
    const products = new Int32Array(kernel.memory.buffer, layout.out, end - start);
    for (let i = 0; i < products.length; i++) see(start + i, products[i] as number);
  }
}

function dotsOfWindows(
  { kernel, layout }: State,
  windows: readonly number[],
  see: (window: number, dot: number) => void,
): void {
  const { query, width, head, stride, found, out } = layout;
  for (let from = 0; from < windows.length; from += BANK_WINDOWS) {
    const count = Math.min(BANK_WINDOWS, windows.length - from);
    const numbers = new Uint32Array(kernel.memory.buffer, found, count);
    for (let i = 0; i < count; i++) numbers[i] = windows[from + i] as number;
    kernel.dotsOf(found, query, count, width, head, stride, out);
    const products = new Int32Array(kernel.memory.buffer, out, count);
    for (let i = 0; i < count; i++) see(numbers[i] as number, products[i] as number);
  }
}

function grown(array: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const larger = new Float32Array(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}
