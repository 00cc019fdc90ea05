import type { ScoredChunk } from "../../spec/index.ts";
import { bestOf } from "./best.ts";
import type { Allowed } from "./filtered-documents.ts";
import type { LiveIndex } from "./live-index.ts";
import type { Range, VectorBank } from "./vector-bank.ts";
import type { VectorMemory } from "./vector-memory.ts";

export interface VectorSearchOptions {
  /** Searches over at most so many windows compare all of them. Default 20,000. */
  readonly exactUpTo?: number | undefined;
  /**
   * Windows that are compared exactly in larger searches, the nearest by estimate. Default 1,200; at least four times as
   * many as are asked for.
   */
  readonly candidates?: number | undefined;
}

const DEFAULTS = { exactUpTo: 20_000, candidates: 1_200 };
/** More would make estimates coarse. */
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
  allowed: Allowed | undefined,
  options: VectorSearchOptions = {},
): ScoredChunk[] {
  const { bank } = memory;
  if (!bank) return [];
  const best = bestOf(live, query.limit);
  const ranges = memory.ranges(allowed);
  const { norm } = bank.ask(query.vector);
  const chunks = chunkScores(memory, bank, norm === 0 ? 0 : 1 / norm, best.offer);
  if (norm === 0 || isExact(bank, ranges, query.limit, options)) {
    for (const range of ranges) bank.dots(range, chunks.see);
  } else {
    const nearest = bank.nearest(ranges, candidatesFor(query.limit, options));
    bank.dotsOf(windowsOfChunks(memory, nearest), chunks.see);
  }
  chunks.end();
  return best.ranked();
}

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

/** All windows of the chunks that some windows belong to: a chunk scores as the best of all of its windows. */
function windowsOfChunks({ documents, owners }: VectorMemory, windows: readonly number[]): readonly number[] {
  const same = (a: number, b: number) => owners[a] === owners[b] && documents[a] === documents[b];
  const all: number[] = [];
  let done = 0;
  for (const window of windows) {
    if (window < done) continue;
    let first = window;
    while (first > done && same(first - 1, window)) first--;
    done = window + 1;
    while (done < owners.length && same(done, window)) done++;
    for (let i = first; i < done; i++) all.push(i);
  }
  return all;
}

/** Offers each chunk with the cosine of its best window; a chunk's windows come one after the other. */
function chunkScores(
  { documents, owners }: VectorMemory,
  { inverseNorms }: VectorBank,
  scale: number,
  offer: ReturnType<typeof bestOf>["offer"],
) {
  let document = -1;
  let owner = -1;
  let best = -1;
  const end = () => {
    if (owner >= 0) offer(document, owner, best);
  };
  return {
    see(window: number, dot: number): void {
      const cosine = clamped(dot * scale * (inverseNorms[window] as number));
      if (owners[window] !== owner || documents[window] !== document) {
        end();
        document = documents[window] as number;
        owner = owners[window] as number;
        best = cosine;
      } else if (cosine > best) best = cosine;
    },
    end,
  };
}

function clamped(cosine: number): number {
  // `|| 0` turns -0 into 0.
  return Math.max(-1, Math.min(1, cosine)) || 0;
}
