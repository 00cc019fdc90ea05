import { type FusionMethod, KonteksError, type ScoredChunk } from "../spec/index.ts";
import type { FusedChunk } from "./candidate.ts";

export type { FusedChunk } from "./candidate.ts";

/** A list to fuse: best first, with its name in hits and traces. */
export interface RankedList {
  readonly name: string;
  readonly items: readonly ScoredChunk[];
  /** At least 0. Default 1; 0 equals leaving the list out. */
  readonly weight?: number;
  /** What scores are counted from in fusion by scores. Default 0. */
  readonly floor?: number | undefined;
}

export interface FuseOptions {
  /** Default "rrf". */
  readonly method?: FusionMethod;
  /** The constant of reciprocal rank fusion: larger flattens the difference between ranks. Default 60. */
  readonly k?: number;
}

/**
 * One order out of several. By ranks ("rrf"): a chunk scores the sum over lists of weight / (k + rank), rank from 1.
 * By scores: the sum over lists of weight × score / best score of the list, both above its floor (below it counts as 0).
 * An id counts once in a list, at its best place. Ties go to the better single rank, then to the smaller id.
 *
 * Sources: Cormack, Clarke, Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
 * Methods", SIGIR 2009 (k = 60). Fox, Shaw, "Combination of Multiple Searches", TREC-2, 1994 (CombSUM).
 */
export function fuse(lists: readonly RankedList[], options: FuseOptions = {}): readonly FusedChunk[] {
  const k = options.k ?? 60;
  if (!(k >= 0)) throw new KonteksError("wrong-option", `The k of rank fusion must be 0 or more, not ${k}.`);
  const fused = new Map<string, Accumulator>();
  for (const list of lists) addList(fused, list, gainOf(list, options.method ?? "rrf", k));
  return [...fused.values()].sort(compareFused);
}

interface Accumulator {
  readonly chunkId: string;
  score: number;
  readonly parts: Record<string, number>;
  readonly ranks: Record<string, number>;
  readonly scores: Record<string, number>;
}

/** What a place in a list is worth. */
type Gain = (rank: number, score: number) => number;

function gainOf(list: RankedList, method: FusionMethod, k: number): Gain {
  const weight = weightOf(list);
  if (method === "rrf") return (rank) => weight / (k + rank);
  const { floor = 0 } = list;
  const best = list.items.reduce((most, { score }) => Math.max(most, score - floor), 0);
  return (_, score) => (best > 0 ? (weight * Math.max(0, score - floor)) / best : 0);
}

function weightOf({ name, weight = 1 }: RankedList): number {
  if (weight >= 0) return weight;
  throw new KonteksError("wrong-option", `The weight of list "${name}" must be 0 or more, not ${weight}.`);
}

function addList(fused: Map<string, Accumulator>, list: RankedList, gain: Gain): void {
  if (weightOf(list) === 0) return;
  const seen = new Set<string>();
  for (const item of list.items) {
    if (seen.has(item.chunkId)) continue;
    seen.add(item.chunkId);
    const entry = entryOf(fused, item.chunkId);
    const rank = seen.size;
    const part = gain(rank, item.score);
    entry.score += part;
    entry.parts[list.name] = part;
    entry.ranks[list.name] = rank;
    entry.scores[list.name] = item.score;
  }
}

function entryOf(fused: Map<string, Accumulator>, chunkId: string): Accumulator {
  const known = fused.get(chunkId);
  if (known) return known;
  const entry: Accumulator = { chunkId, score: 0, parts: {}, ranks: {}, scores: {} };
  fused.set(chunkId, entry);
  return entry;
}

export function compareFused(a: FusedChunk, b: FusedChunk): number {
  return b.score - a.score || bestRank(a) - bestRank(b) || (a.chunkId < b.chunkId ? -1 : 1);
}

function bestRank(chunk: FusedChunk): number {
  return Math.min(...Object.values(chunk.ranks));
}
