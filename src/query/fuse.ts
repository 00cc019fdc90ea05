import { KonteksError, type ScoredChunk } from "../spec/index.ts";

/** A list to fuse: best first, with its name in hits and traces. */
export interface RankedList {
  readonly name: string;
  readonly items: readonly ScoredChunk[];
  /** At least 0. Default 1; 0 equals leaving the list out. */
  readonly weight?: number;
}

export interface FuseOptions {
  /** The constant of reciprocal rank fusion: larger flattens the difference between ranks. Default 60. */
  readonly k?: number;
}

export interface FusedChunk {
  readonly chunkId: string;
  /** Σ over lists of weight / (k + rank). */
  readonly score: number;
  /** Rank in each list that holds it, from 1. */
  readonly ranks: Readonly<Record<string, number>>;
  /** Score in each list that holds it. */
  readonly scores: Readonly<Record<string, number>>;
}

/**
 * Reciprocal rank fusion: a chunk scores the sum over lists of weight / (k + rank), rank from 1.
 * An id counts once in a list, at its best place. Ties go to the better single rank, then to the smaller id.
 *
 * Source: Cormack, Clarke, Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
 * Methods", SIGIR 2009 (k = 60).
 */
export function fuse(lists: readonly RankedList[], options: FuseOptions = {}): readonly FusedChunk[] {
  const k = options.k ?? 60;
  if (!(k >= 0)) throw new KonteksError("wrong-option", `The k of rank fusion must be 0 or more, not ${k}.`);
  const fused = new Map<string, Accumulator>();
  for (const list of lists) addList(fused, list, k);
  return [...fused.values()].sort(compareFused);
}

interface Accumulator {
  readonly chunkId: string;
  score: number;
  readonly ranks: Record<string, number>;
  readonly scores: Record<string, number>;
}

function addList(fused: Map<string, Accumulator>, list: RankedList, k: number): void {
  const weight = list.weight ?? 1;
  if (!(weight >= 0)) {
    throw new KonteksError(
      "wrong-option",
      `The weight of list "${list.name}" must be 0 or more, not ${weight}.`,
    );
  }
  if (weight === 0) return;
  const seen = new Set<string>();
  for (const item of list.items) {
    if (seen.has(item.chunkId)) continue;
    seen.add(item.chunkId);
    const entry = entryOf(fused, item.chunkId);
    const rank = seen.size;
    entry.score += weight / (k + rank);
    entry.ranks[list.name] = rank;
    entry.scores[list.name] = item.score;
  }
}

function entryOf(fused: Map<string, Accumulator>, chunkId: string): Accumulator {
  const known = fused.get(chunkId);
  if (known) return known;
  const entry: Accumulator = { chunkId, score: 0, ranks: {}, scores: {} };
  fused.set(chunkId, entry);
  return entry;
}

function compareFused(a: FusedChunk, b: FusedChunk): number {
  return b.score - a.score || bestRank(a) - bestRank(b) || (a.chunkId < b.chunkId ? -1 : 1);
}

function bestRank(chunk: FusedChunk): number {
  return Math.min(...Object.values(chunk.ranks));
}
