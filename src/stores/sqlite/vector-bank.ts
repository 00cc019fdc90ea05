import { type Kernel, loadKernel, reserveMemory } from "./kernel/kernel.ts";
import type { VectorCodes } from "./vector-codes.ts";
import { encodeQuery, type QueryCodes, type QuerySketch, querySketch } from "./vector-query.ts";

/** Windows in a bank (kernel.as): the step in which memory grows. */
const BANK_SHIFT = 12;
const BANK_WINDOWS = 2 ** BANK_SHIFT;
/** Bytes from one component's 4-bit codes to the next one's. */
const ROW = 2_112;
/** Windows whose 4-bit codes are written together. */
const GROUP = 16;
/** Estimates are 16-bit numbers. */
const ESTIMATES = 65_536;
/** A step of a 4-bit code, in root mean squares of the codes: best for 16 even steps over a normal distribution (Max 1960). */
const STEP = 0.3352;

/** Numbers from `start` up to `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

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
  /** Makes the 4-bit codes of what was put since; `nearest` does it as well. */
  settle(): void;
  /** Sets the query that `dots` and `nearest` compare with. */
  ask(vector: Float32Array): QueryCodes;
  /** Calls `see` with the inner product of the query's codes and each window of a range. */
  dots(range: Range, see: (window: number, dot: number) => void): void;
  /** The same for windows by number. */
  dotsOf(windows: readonly number[], see: (window: number, dot: number) => void): void;
  /** Numbers of the windows in the ranges with the highest estimates, ascending: `wanted`, or more where some are equal. */
  nearest(ranges: readonly Range[], wanted: number): readonly number[];
}

interface State {
  readonly kernel: Kernel;
  readonly places: Places;
  readonly dimensions: number;
  inverseNorms: Float32Array<ArrayBuffer>;
  /** Number after the last window. */
  end: number;
  /** Windows before this number have their 4-bit codes. */
  settled: number;
}

export function vectorBank(dimensions: number): VectorBank {
  const places = layOut(dimensions);
  const kernel = loadKernel();
  reserveMemory(kernel, places.head);
  const state: State = {
    kernel,
    places,
    dimensions,
    inverseNorms: new Float32Array(BANK_WINDOWS),
    end: 0,
    settled: 0,
  };
  let codes: Int16Array = new Int16Array(dimensions);
  return {
    dimensions,
    get inverseNorms() {
      return state.inverseNorms;
    },
    put: (start, windows) => putWindows(state, start, windows),
    settle: () => settle(state),
    ask(vector) {
      const query = encodeQuery(vector);
      codes = query.codes;
      new Int16Array(kernel.memory.buffer, places.query, places.width).set(codes);
      return query;
    },
    dots: (range, see) => dotsOfRange(state, range, see),
    dotsOf: (windows, see) => dotsOfWindows(state, windows, see),
    nearest(ranges, wanted) {
      settle(state);
      const pieces = ranges.flatMap((range) => [...byBank(range)]);
      return highest(state, pieces, querySketch(codes), wanted);
    },
  };
}

function putWindows(state: State, start: number, windows: VectorCodes): void {
  const { kernel, places, dimensions } = state;
  const { owners, codes, inverseNorms } = windows;
  state.end = start + owners.length;
  state.inverseNorms = grown(state.inverseNorms, state.end);
  state.inverseNorms.set(inverseNorms, start);
  reserveMemory(kernel, bankAt(places, state.end) + places.stride);
  const memory = new Int8Array(kernel.memory.buffer);
  for (const piece of byBank({ start, end: state.end })) {
    const from = (piece.start - start) * dimensions;
    const to = codesAt(places, piece.start);
    if (places.width === dimensions)
      memory.set(codes.subarray(from, from + (piece.end - piece.start) * dimensions), to);
    else
      for (let i = 0; i < piece.end - piece.start; i++)
        memory.set(codes.subarray(from + i * dimensions, from + (i + 1) * dimensions), to + i * places.width);
  }
}

/** A group that was not full before is written anew. */
function settle(state: State): void {
  const { kernel, places, dimensions, inverseNorms, end } = state;
  if (state.settled === end) return;
  const scales = new Float32Array(kernel.memory.buffer, places.scales, GROUP);
  const scale = Math.sqrt(dimensions) / STEP;
  for (let window = state.settled - (state.settled % GROUP); window < end; window += GROUP) {
    for (let i = 0; i < GROUP; i++) scales[i] = (inverseNorms[window + i] ?? 0) * scale;
    const { scratch, width } = places;
    kernel.spread(
      codesAt(places, window),
      places.scales,
      width,
      rowsAt(places, window),
      window % BANK_WINDOWS,
      scratch,
    );
  }
  state.settled = end;
}

function dotsOfRange(
  { kernel, places }: State,
  range: Range,
  see: (window: number, dot: number) => void,
): void {
  for (const { start, end } of byBank(range)) {
    kernel.dots(codesAt(places, start), places.query, end - start, places.width, places.out);
    const products = new Int32Array(kernel.memory.buffer, places.out, end - start);
    for (let i = 0; i < products.length; i++) see(start + i, products[i] as number);
  }
}

function dotsOfWindows(
  { kernel, places }: State,
  windows: readonly number[],
  see: (window: number, dot: number) => void,
): void {
  const { query, width, head, stride, found, out } = places;
  for (let from = 0; from < windows.length; from += BANK_WINDOWS) {
    const count = Math.min(BANK_WINDOWS, windows.length - from);
    const numbers = new Uint32Array(kernel.memory.buffer, found, count);
    for (let i = 0; i < count; i++) numbers[i] = windows[from + i] as number;
    kernel.dotsOf(found, query, count, width, head, stride, out);
    const products = new Int32Array(kernel.memory.buffer, out, count);
    for (let i = 0; i < count; i++) see(numbers[i] as number, products[i] as number);
  }
}

/**
 * Goes through the banks with a bound that rises: no more than `wanted` windows seen so far lie above it, so nothing below
 * it can be among the highest. `above` counts the windows at or above the bound.
 */
function highest(
  state: State,
  pieces: readonly Range[],
  sketch: QuerySketch,
  wanted: number,
): readonly number[] {
  const { kernel, places } = state;
  const { buffer } = kernel.memory;
  writeSketch(state, sketch);
  const histogram = new Uint32Array(buffer, places.histogram, ESTIMATES).fill(0);
  const estimates = new Uint16Array(buffer, places.estimates, BANK_WINDOWS);
  const found = new Uint32Array(buffer, places.found, BANK_WINDOWS);
  const windows: number[] = [];
  const heights: number[] = [];
  let [bound, above, bank] = [0, 0, -1];
  for (const { start, end } of pieces) {
    if (start >>> BANK_SHIFT !== bank) estimateBank(state, sketch, start);
    bank = start >>> BANK_SHIFT;
    const at = places.estimates + (start % BANK_WINDOWS) * 2;
    const count = kernel.atLeast(at, end - start, bound, start, places.found, places.histogram);
    above += count;
    for (; above - (histogram[bound] as number) >= wanted; bound++) above -= histogram[bound] as number;
    for (let i = 0; i < count; i++) {
      const window = found[i] as number;
      const height = estimates[window % BANK_WINDOWS] as number;
      if (height < bound) continue;
      windows.push(window);
      heights.push(height);
    }
  }
  return windows.filter((_, i) => (heights[i] as number) >= bound);
}

function writeSketch({ kernel, places }: State, { components, codes }: QuerySketch): void {
  const { buffer } = kernel.memory;
  new Uint32Array(buffer, places.chosen, places.width).set(components.map((k) => k * ROW));
  new Int8Array(buffer, places.sketch, places.width * 8).set(inPairs(codes));
}

function estimateBank(
  { kernel, places }: State,
  { components, offset, shift }: QuerySketch,
  window: number,
): void {
  const { chosen, sketch, estimates } = places;
  kernel.estimate(rowsAt(places, window), chosen, sketch, components.length, offset, shift, estimates);
}

/** Cut where banks end; the kernel works within one. */
function* byBank({ start, end }: Range): Generator<Range> {
  for (let from = start; from < end; ) {
    const to = Math.min(end, ((from >>> BANK_SHIFT) + 1) << BANK_SHIFT);
    yield { start: from, end: to };
    from = to;
  }
}

/** Each pair of codes eight times over, as the kernel multiplies them. */
function inPairs(codes: readonly number[]): Int8Array {
  const pairs = new Int8Array(codes.length * 8);
  for (let i = 0; i < pairs.length; i++) pairs[i] = codes[(i >>> 4) * 2 + (i & 1)] ?? 0;
  return pairs;
}

/** Where things lie in the kernel's memory; the banks follow at `head`. */
function layOut(dimensions: number) {
  const width = roundUp(dimensions, 16);
  let next = 0;
  const take = (size: number) => {
    const place = next;
    next += roundUp(size, 64);
    return place;
  };
  return {
    width,
    query: take(width * 2),
    chosen: take(width * 4),
    sketch: take(width * 8),
    histogram: take(ESTIMATES * 4),
    estimates: take(BANK_WINDOWS * 2),
    found: take(BANK_WINDOWS * 4),
    out: take(BANK_WINDOWS * 4),
    scales: take(GROUP * 4),
    scratch: take(512),
    stride: BANK_WINDOWS * width + ROW * width,
    head: next,
  };
}

type Places = ReturnType<typeof layOut>;

function bankAt({ head, stride }: Places, window: number): number {
  return head + (window >>> BANK_SHIFT) * stride;
}

function codesAt(places: Places, window: number): number {
  return bankAt(places, window) + (window % BANK_WINDOWS) * places.width;
}

function rowsAt(places: Places, window: number): number {
  return bankAt(places, window) + BANK_WINDOWS * places.width;
}

function roundUp(size: number, step: number): number {
  return Math.ceil(size / step) * step;
}

function grown(array: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const larger = new Float32Array(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}
