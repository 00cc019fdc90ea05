import { loadKernel, reserveMemory } from "./kernel/kernel.ts";
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
  const { width, head, stride } = places;
  const at = (window: number) => head + (window >>> BANK_SHIFT) * stride;
  const codesAt = (window: number) => at(window) + (window % BANK_WINDOWS) * width;
  const tileAt = (window: number) =>
    at(window) +
    BANK_WINDOWS * width +
    Math.floor((window % BANK_WINDOWS) / TILE_WINDOWS) * (TILE_ROW * width);
  const estimatesAt = (window: number) =>
    at(window) + BANK_WINDOWS * (width + width / 2) + (window % BANK_WINDOWS) * 2;
  reserveMemory(kernel, head);
  let codes: Int16Array = new Int16Array(dimensions);
  let products = new Int32Array(0);

  /** Estimates of all windows of the tiles that the range touches. */
  function estimate({ start, end }: Range, sketch: ReturnType<typeof querySketch>): void {
    for (let window = start - (start % TILE_WINDOWS); window < end; window += TILE_WINDOWS) {
      kernel.estimate(
        tileAt(window),
        places.chosen,
        places.sketch,
        sketch.components.length,
        sketch.offset,
        sketch.shift,
        estimatesAt(window),
      );
    }
  }

  return {
    dimensions,
    put(start, { owners, codes, inverseNorms }) {
      reserveMemory(kernel, at(start + owners.length) + stride);
      const memory = new Int8Array(kernel.memory.buffer);
      for (let i = 0; i < owners.length; i++) {
        const to = codesAt(start + i);
        memory.set(codes.subarray(i * dimensions, (i + 1) * dimensions), to);
        const scale = ((inverseNorms[i] as number) * Math.sqrt(dimensions)) / STEP;
        kernel.spread(to, scale, width, tileAt(start + i), (start + i) % TILE_WINDOWS);
      }
    },
    ask(vector) {
      const query = encodeQuery(vector);
      codes = query.codes;
      const { buffer } = kernel.memory;
      new Int16Array(buffer, places.query, width).set(codes);
      if (products.buffer !== buffer) products = new Int32Array(buffer, places.out, BANK_WINDOWS);
      return query;
    },
    dots({ start, end }) {
      kernel.dots(codesAt(start), places.query, end - start, width, places.out);
      return products;
    },
    nearest(ranges, wanted) {
      const { buffer } = kernel.memory;
      const sketch = querySketch(codes);
      new Uint32Array(buffer, places.chosen, width).set(sketch.components.map((k) => k * TILE_ROW));
      new Int8Array(buffer, places.sketch, width * 8).set(inPairs(sketch.codes));
      const histogram = new Uint32Array(buffer, places.histogram, ESTIMATES);
      histogram.fill(0);
      const pieces = ranges.flatMap((range) => [...byBank(range)]);
      for (const piece of pieces) {
        estimate(piece, sketch);
        kernel.count(estimatesAt(piece.start), piece.end - piece.start, places.histogram);
      }
      const least = leastOf(histogram, wanted);
      const found: number[] = [];
      for (const { start, end } of pieces) {
        const count = kernel.atLeast(estimatesAt(start), end - start, least, start, places.out);
        for (const window of new Uint32Array(buffer, places.out, count)) found.push(window);
      }
      return found;
    },
  };
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
