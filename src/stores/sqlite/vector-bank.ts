import { type Kernel, loadKernel, reserveMemory } from "./kernel/kernel.ts";
import type { VectorCodes } from "./vector-codes.ts";
import { encodeQuery, type QueryCodes, querySketch } from "./vector-query.ts";

/** Windows in a bank: the step in which memory grows. */
const BANK_SHIFT = 12;
const BANK_WINDOWS = 2 ** BANK_SHIFT;
/** Windows in a tile of 4-bit codes (kernel.as). */
const TILE_WINDOWS = 128;
const TILE_ROW = TILE_WINDOWS / 2;
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
 * Windows of one dimension in the kernel's memory, by number: their 8-bit codes, and 4-bit ones in tiles for estimates.
 * Both depend on the window alone, never on what else is there.
 */
export interface VectorBank {
  readonly dimensions: number;
  /** Writes windows to `start` and after. */
  put(start: number, codes: VectorCodes): void;
  /** Sets the query that `dots` and `nearest` compare with. */
  ask(vector: Float32Array): QueryCodes;
  /** Inner products of windows of one bank with the query's codes; the first ones of the array, until the next call. */
  dots(range: Range): Int32Array;
  /** Numbers of the windows in the ranges with the highest estimates, ascending: `wanted`, or more where some are equal. */
  nearest(ranges: readonly Range[], wanted: number): number[];
}

export function vectorBank(dimensions: number): VectorBank {
  const kernel = loadKernel();
  const places = layOut(dimensions);
  reserveMemory(kernel, places.head);
  let codes: Int16Array = new Int16Array(dimensions);
  let products = new Int32Array(0);
  return {
    dimensions,
    put: (start, windows) => putWindows(kernel, places, start, windows),
    ask(vector) {
      const query = encodeQuery(vector);
      codes = query.codes;
      const { buffer } = kernel.memory;
      new Int16Array(buffer, places.query, places.width).set(codes);
      if (products.buffer !== buffer) products = new Int32Array(buffer, places.out, BANK_WINDOWS);
      return query;
    },
    dots({ start, end }) {
      const at = codesAt(places, start);
      kernel.dots(at, places.query, end - start, places.width, places.out);
      return products;
    },
    nearest(ranges, wanted) {
      const pieces = ranges.flatMap((range) => [...byBank(range)]);
      const histogram = countEstimates(kernel, places, pieces, querySketch(codes));
      return windowsAbove(kernel, places, pieces, leastOf(histogram, wanted));
    },
  };
}

function putWindows(
  kernel: Kernel,
  places: Places,
  start: number,
  { dimensions, owners, codes, inverseNorms }: VectorCodes,
): void {
  reserveMemory(kernel, bankAt(places, start + owners.length) + places.stride);
  const memory = new Int8Array(kernel.memory.buffer);
  for (let i = 0; i < owners.length; i++) {
    const window = start + i;
    const to = codesAt(places, window);
    memory.set(codes.subarray(i * dimensions, (i + 1) * dimensions), to);
    const scale = ((inverseNorms[i] as number) * Math.sqrt(dimensions)) / STEP;
    kernel.spread(to, scale, places.width, tileAt(places, window), window % TILE_WINDOWS);
  }
}

/** Estimates all windows of the tiles that the pieces touch; how often each estimate occurs among the pieces. */
function countEstimates(
  kernel: Kernel,
  places: Places,
  pieces: readonly Range[],
  { components, codes, offset, shift }: ReturnType<typeof querySketch>,
): Uint32Array {
  const { buffer } = kernel.memory;
  const { chosen, sketch, width } = places;
  new Uint32Array(buffer, chosen, width).set(components.map((k) => k * TILE_ROW));
  new Int8Array(buffer, sketch, width * 8).set(inPairs(codes));
  const histogram = new Uint32Array(buffer, places.histogram, ESTIMATES);
  histogram.fill(0);
  for (const { start, end } of pieces) {
    for (let window = start - (start % TILE_WINDOWS); window < end; window += TILE_WINDOWS) {
      const out = estimatesAt(places, window);
      kernel.estimate(tileAt(places, window), chosen, sketch, components.length, offset, shift, out);
    }
    kernel.count(estimatesAt(places, start), end - start, places.histogram);
  }
  return histogram;
}

function windowsAbove(kernel: Kernel, places: Places, pieces: readonly Range[], least: number): number[] {
  const found: number[] = [];
  for (const { start, end } of pieces) {
    const count = kernel.atLeast(estimatesAt(places, start), end - start, least, start, places.out);
    for (const window of new Uint32Array(kernel.memory.buffer, places.out, count)) found.push(window);
  }
  return found;
}

/** Cut where banks end; the kernel works within one. */
export function* byBank({ start, end }: Range): Generator<Range> {
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
    out: take(BANK_WINDOWS * 4),
    stride: BANK_WINDOWS * (width + width / 2 + 2),
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

function tileAt(places: Places, window: number): number {
  const tile = Math.floor((window % BANK_WINDOWS) / TILE_WINDOWS);
  return bankAt(places, window) + (BANK_WINDOWS + tile * TILE_ROW) * places.width;
}

function estimatesAt(places: Places, window: number): number {
  return bankAt(places, window) + BANK_WINDOWS * 1.5 * places.width + (window % BANK_WINDOWS) * 2;
}

function roundUp(size: number, step: number): number {
  return Math.ceil(size / step) * step;
}

/** The largest estimate that `wanted` windows reach. */
function leastOf(histogram: Uint32Array, wanted: number): number {
  let count = 0;
  for (let estimate = histogram.length - 1; estimate > 0; estimate--) {
    count += histogram[estimate] as number;
    if (count >= wanted) return estimate;
  }
  return 0;
}
