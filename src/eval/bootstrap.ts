import { seededRandom } from "./random.ts";

export interface BootstrapOptions {
  /** Samples drawn with replacement. Default 10,000. */
  readonly resamples?: number;
  /** Share of samples inside the interval. Default 0.95. */
  readonly confidence?: number;
  /** Equal seeds draw equal samples. Default 1. */
  readonly seed?: number;
}

/** A mean with the interval that its questions allow. */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Standard error: standard deviation of the samples' means. */
  readonly error: number;
  /** Questions it rests on. */
  readonly n: number;
}

/**
 * Percentile bootstrap intervals of the means of several columns of numbers over the same questions: questions are
 * drawn with replacement, every column is averaged over the same draw, and the interval reaches from the 2.5th to the
 * 97.5th percentile of the averages. To compare two settings give the column of their differences by question: that is
 * the paired bootstrap, which leaves out what makes some questions harder than others.
 *
 * Percentile and not BCa: for means of values in [−1, 1] over a hundred or more questions the two agree to the third
 * digit, and percentiles never leave the range of the data. Under about thirty questions either is too narrow.
 * Columns must be equally long; without questions the interval is undefined.
 *
 * Sources: Efron, Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13; Sakai, "Evaluating evaluation
 * metrics based on the bootstrap" (SIGIR 2006) for its use in retrieval.
 */
export function bootstrap(
  columns: readonly (readonly number[])[],
  options: BootstrapOptions = {},
): readonly (Interval | undefined)[] {
  const { resamples = 10_000, confidence = 0.95, seed = 1 } = options;
  const n = columns[0]?.length ?? 0;
  if (columns.some((column) => column.length !== n))
    throw new RangeError("bootstrap: columns of unequal length");
  if (n === 0) return columns.map(() => undefined);
  const means = sampleMeans(
    columns.map((column) => Float64Array.from(column)),
    n,
    resamples,
    seed,
  );
  return columns.map((column, index) => toInterval(column, means[index] ?? new Float64Array(), confidence));
}

/** Mean of every column over each of the samples. */
function sampleMeans(
  columns: readonly Float64Array[],
  n: number,
  resamples: number,
  seed: number,
): readonly Float64Array[] {
  const random = seededRandom(seed);
  const drawn = new Uint32Array(n);
  const means = columns.map(() => new Float64Array(resamples));
  for (let sample = 0; sample < resamples; sample++) {
    for (let i = 0; i < n; i++) drawn[i] = random() * n;
    columns.forEach((column, index) => {
      const target = means[index];
      if (target !== undefined) target[sample] = meanOf(column, drawn);
    });
  }
  return means;
}

function meanOf(column: Float64Array, drawn: Uint32Array): number {
  let total = 0;
  for (let i = 0; i < drawn.length; i++) total += column[drawn[i] as number] as number;
  return total / drawn.length;
}

function toInterval(column: readonly number[], means: Float64Array, confidence: number): Interval {
  const sorted = means.slice().sort();
  const tail = (1 - confidence) / 2;
  return {
    mean: column.reduce((total, value) => total + value, 0) / column.length,
    low: percentile(sorted, tail),
    high: percentile(sorted, 1 - tail),
    error: deviation(means),
    n: column.length,
  };
}

/** Percentile by linear interpolation between order statistics (type 7 of Hyndman and Fan, 1996). `sorted` ascends. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

function deviation(values: Float64Array): number {
  const mean = values.reduce((total, value) => total + value, 0) / values.length;
  return Math.sqrt(values.reduce((total, value) => total + (value - mean) ** 2, 0) / values.length);
}
