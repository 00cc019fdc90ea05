import type { ScoredChunk } from "../../spec/index.ts";
import { bestOf } from "./best.ts";
import type { LiveIndex } from "./live-index.ts";
import { byBank, type Range, type VectorBank } from "./vector-bank.ts";
import type { VectorMemory, VectorPlace } from "./vector-memory.ts";

export interface VectorSearchOptions {
  /** Searches over at most so many windows compare all of them. Default 20,000. */
  readonly exactUpTo?: number | undefined;
  /**
   * Windows that are compared exactly in larger searches, the nearest by estimate. Default 1,000; at least four times as
   * many as are asked for.
   */
  readonly candidates?: number | undefined;
}

const DEFAULTS = { exactUpTo: 20_000, candidates: 1_000 };
/** Sums of estimates stay within the kernel's 32 bits. */
const MOST_DIMENSIONS = 8_192;

/**
 * Cosine of the query with windows; a chunk scores as its best one. Large searches estimate first
 * (vector-query.ts) and compare the nearest exactly, so scores are always exact, and only who is among the candidates
 * is not certain. The answer depends on what is in the index, not on how it came there.
 */
export function searchVectors(
  live: LiveIndex,
  memory: VectorMemory,
  query: { readonly vector: Float32Array; readonly limit: number },
  allowed: ReadonlySet<number> | undefined,
  options: VectorSearchOptions = {},
): ScoredChunk[] {
  const { bank } = memory;
  if (!bank) return [];
  const best = bestOf(live, query.limit);
  const ranges = memory.ranges(allowed);
  const { norm } = bank.ask(query.vector);
  const scale = norm === 0 ? 0 : 1 / norm;
  const offer = (place: VectorPlace, range: Range) => offerWindows(bank, place, range, scale, best.offer);
  if (norm === 0 || isExact(bank, ranges, query.limit, options)) scanAll(memory, ranges, offer);
  else scanNearest(memory, bank.nearest(ranges, candidatesFor(query.limit, options)), offer);
  return best.ranked();
}

type OfferWindows = (place: VectorPlace, range: Range) => void;

function isExact(
  bank: VectorBank,
  ranges: readonly Range[],
  limit: number,
  options: VectorSearchOptions,
): boolean {
  const windows = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  const most = Math.max(options.exactUpTo ?? DEFAULTS.exactUpTo, candidatesFor(limit, options));
  return windows <= most || bank.dimensions > MOST_DIMENSIONS;
}

/** Grows in powers of two, so that most limits share their candidates. */
function candidatesFor(limit: number, { candidates = DEFAULTS.candidates }: VectorSearchOptions): number {
  return Math.max(candidates, 2 ** Math.ceil(Math.log2(4 * limit)));
}

function scanAll(memory: VectorMemory, ranges: readonly Range[], offer: OfferWindows): void {
  for (const range of ranges) {
    for (let from = range.start; from < range.end; ) {
      const place = memory.placeOf(from);
      offer(place, place);
      from = place.end;
    }
  }
}

function scanNearest(memory: VectorMemory, nearest: readonly number[], offer: OfferWindows): void {
  let done = -1;
  for (const window of nearest) {
    if (window < done) continue;
    const place = memory.placeOf(window);
    const range = windowsOfChunk(place, window);
    offer(place, range);
    done = range.end;
  }
}

/** All windows of the chunk that a window belongs to: the chunk scores as the best of all. */
function windowsOfChunk({ start, owners }: VectorPlace, window: number): Range {
  const owner = owners[window - start];
  let first = window - start;
  let last = first;
  while (first > 0 && owners[first - 1] === owner) first--;
  while (last + 1 < owners.length && owners[last + 1] === owner) last++;
  return { start: start + first, end: start + last + 1 };
}

function offerWindows(
  bank: VectorBank,
  { key, start, owners, inverseNorms }: VectorPlace,
  range: Range,
  scale: number,
  offer: ReturnType<typeof bestOf>["offer"],
): void {
  let owner = -1;
  let nearest = -1;
  for (const piece of byBank(range)) {
    const dots = bank.dots(piece);
    for (let i = 0; i < piece.end - piece.start; i++) {
      const place = piece.start + i - start;
      const cosine = clamped((dots[i] as number) * scale * (inverseNorms[place] as number));
      if (owners[place] !== owner) {
        if (owner >= 0) offer(key, owner, nearest);
        owner = owners[place] as number;
        nearest = -1;
      }
      if (cosine > nearest) nearest = cosine;
    }
  }
  if (owner >= 0) offer(key, owner, nearest);
}

function clamped(cosine: number): number {
  // `|| 0` turns -0 into 0.
  return Math.max(-1, Math.min(1, cosine)) || 0;
}
