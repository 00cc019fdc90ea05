import type { ScoredChunk, VectorQuery } from "../../spec/index.ts";
import { bestOf } from "./best.ts";
import type { Allowed } from "./filtered-documents.ts";
import { kthLargest } from "./kth-largest.ts";
import type { LiveIndex } from "./live-index.ts";
import { DEFAULT_HELPERS } from "./scan-helpers.ts";
import type { VectorBank } from "./vector-bank.ts";
import type { Range } from "./vector-layout.ts";
import type { VectorMemory } from "./vector-memory.ts";
import type { QueryCodes } from "./vector-query.ts";
import type { Scan } from "./vector-scan.ts";

export interface VectorSearchOptions {
  /** Searches over at most so many windows compare all of them. Default 20,000. */
  readonly exactUpTo?: number | undefined;
  /**
   * Windows that are compared exactly in larger searches, the nearest by estimate. Default 1,200; at least four times as
   * many as are asked for.
   */
  readonly candidates?: number | undefined;
  /**
   * Threads that take part in larger searches, of all stores of the process together: 0 to 3, 0 for none. Results are the
   * same. Default: half of the processors, and one for each 200,000 windows; started with the second such search.
   */
  readonly helpers?: number | undefined;
}

const DEFAULTS = { exactUpTo: 20_000, candidates: 1_200 };
/** More would make estimates coarse. */
const MOST_DIMENSIONS = 8_192;
/** What a thread is worth starting for. */
const WINDOWS_OF_HELPER = 200_000;

/** A vector search over one state of the index. */
export interface VectorSearch {
  readonly live: LiveIndex;
  readonly memory: VectorMemory;
  readonly query: VectorQuery;
  readonly allowed: Allowed | undefined;
  readonly options: VectorSearchOptions;
}

/**
 * Cosine of the query with windows; a chunk scores as its best one. Large searches estimate first
 * (vector-query.ts) and compare the nearest exactly, so scores are always exact, and only who is among the candidates
 * is not certain. The answer depends on what is in the index, not on how it came there.
 */
export function searchVectors(search: VectorSearch): ScoredChunk[] {
  if (!isLarge(search)) return searchAll(search);
  const scan = beginLarge({ ...search, options: { ...search.options, helpers: 0 } });
  return scan ? searchNearest(search, scan.nearest()) : [];
}

/** Whether windows are estimated first. */
export function isLarge({ memory, query, allowed, options }: VectorSearch): boolean {
  const { bank } = memory;
  if (!bank || bank.dimensions > MOST_DIMENSIONS || query.vector.every((value) => value === 0)) return false;
  const windows = countOf(memory.ranges(allowed));
  return windows > Math.max(options.exactUpTo ?? DEFAULTS.exactUpTo, candidatesFor(query.limit, options));
}

/** Compares all windows. */
export function searchAll(search: VectorSearch): ScoredChunk[] {
  const { memory, query, allowed } = search;
  const { bank } = memory;
  if (!bank) return [];
  const ranges = memory.ranges(allowed);
  const scores = chunkScores(search, bank, bank.ask(query.vector), countOf(ranges));
  for (const range of ranges) bank.dots(range, scores.see);
  return scores.ranked();
}

/** The first half of a large search; `searchNearest` is the second one, over the same state. */
export function beginLarge({ memory, query, allowed, options }: VectorSearch): Scan | undefined {
  const { bank } = memory;
  if (!bank) return undefined;
  const ranges = memory.ranges(allowed);
  const { limit, vector } = query;
  const helpers = helpersFor(memory, countOf(ranges), options);
  return bank.scan(bank.ask(vector), ranges, candidatesFor(limit, options), helpers);
}

/** Compares the windows that were found nearest, and the others of their chunks. */
export function searchNearest(search: VectorSearch, nearest: readonly number[]): ScoredChunk[] {
  const { memory, query } = search;
  const { bank } = memory;
  if (!bank) return [];
  const windows = windowsOfChunks(memory, nearest);
  const scores = chunkScores(search, bank, bank.ask(query.vector), windows.length);
  bank.dotsOf(windows, scores.see);
  return scores.ranked();
}

/** One search alone, of a command say, is over before a thread has started. */
function helpersFor(memory: VectorMemory, windows: number, { helpers }: VectorSearchOptions): number {
  if (helpers !== undefined) return helpers;
  const worth = Math.ceil(windows / WINDOWS_OF_HELPER);
  return memory.countSearch() > 1 ? Math.min(DEFAULT_HELPERS, worth) : 0;
}

function countOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** Grows in powers of two, so that most limits share their candidates. */
function candidatesFor(limit: number, { candidates = DEFAULTS.candidates }: VectorSearchOptions): number {
  return Math.max(candidates, 2 ** Math.ceil(Math.log2(4 * limit)));
}

/** All windows of the chunks that some windows belong to: a chunk scores as the best of all of its windows. */
function windowsOfChunks({ continues }: VectorMemory, windows: readonly number[]): readonly number[] {
  const all: number[] = [];
  let done = 0;
  for (const window of windows) {
    if (window < done) continue;
    let first = window;
    while (continues[first]) first--;
    done = window + 1;
    while (continues[done]) done++;
    for (let i = first; i < done; i++) all.push(i);
  }
  return all;
}

/** Scores chunks by their best windows, at most `most` of them; a chunk's windows come one after the other. */
function chunkScores(
  { live, memory, query }: VectorSearch,
  { inverseNorms }: VectorBank,
  { norm }: QueryCodes,
  most: number,
) {
  const { documents, owners, continues } = memory;
  const scale = norm === 0 ? 0 : 1 / norm;
  const firsts = new Uint32Array(most);
  const scores = new Float64Array(most);
  let count = 0;
  return {
    see(window: number, dot: number): void {
      const cosine = clamped(dot * scale * (inverseNorms[window] as number));
      if (!continues[window]) {
        firsts[count] = window;
        scores[count++] = cosine;
      } else if (cosine > (scores[count - 1] as number)) scores[count - 1] = cosine;
    },
    ranked(): ScoredChunk[] {
      const least = kthLargest(scores.slice(0, count), query.limit);
      const best = bestOf(live, query.limit);
      for (let i = 0; i < count; i++) {
        const [window, score] = [firsts[i] as number, scores[i] as number];
        if (score >= least) best.offer(documents[window] as number, owners[window] as number, score);
      }
      return best.ranked();
    },
  };
}

function clamped(cosine: number): number {
  // `|| 0` turns -0 into 0.
  return Math.max(-1, Math.min(1, cosine)) || 0;
}
