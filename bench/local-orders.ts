import type { Judged } from "../src/eval/judge.ts";
import { metric } from "../src/eval/metrics/metrics.ts";
import type { Scored } from "../src/eval/summary.ts";
import { fuse, type RankedList } from "../src/query/fuse.ts";
import type { FusionMethod } from "../src/spec/index.ts";
import type { LocalCandidate, LocalCase } from "./local-cases.ts";

/** How much the model's list counts beside BM25, and how the two are made one. */
export interface Fusion {
  readonly method: FusionMethod;
  readonly weight: number;
  /** What the share of words that the index does not know adds to the weight. Default 0. */
  readonly unknown?: number;
}

/** A candidate with the score that ordered it. */
export interface Ordered {
  readonly candidate: LocalCandidate;
  readonly score: number;
}

const METRICS = ["recall@5", "recall@10", "recall@20", "ndcg@10", "mrr@10", "hit@1", "hit@5"].map(metric);

type Kind = "text" | "vector";

/** One list alone, best first. */
export function alone({ candidates, pinned }: LocalCase, kind: Kind): readonly LocalCandidate[] {
  const rank = (candidate: LocalCandidate) => rankIn(candidate, kind) ?? Number.POSITIVE_INFINITY;
  const list = candidates.filter((candidate) => rankIn(candidate, kind) !== undefined);
  const sorted = list.toSorted((a, b) => rank(a) - rank(b));
  return kind === "text" ? first(sorted, new Set(candidates.slice(0, pinned))) : sorted;
}

function rankIn({ textRank, vectorRank }: LocalCandidate, kind: Kind): number | undefined {
  return kind === "text" ? textRank : vectorRank;
}

/** Both lists in one order, as the default search of a local model makes it with this fusion. */
export function fused(one: LocalCase, fusion: Fusion): readonly Ordered[] {
  const { candidates, pinned } = one;
  const { method } = fusion;
  const weight = fusion.weight + (fusion.unknown ?? 0) * one.unknown;
  const text = listOf(candidates, "text");
  const vector = listOf(candidates, "vector");
  const floor = vector.items.at(-1)?.score;
  const found = fuse([text, { ...vector, weight, floor }], { method }).flatMap(({ chunkId, score }) => {
    const candidate = candidates[Number(chunkId)];
    return candidate === undefined ? [] : [{ candidate, score }];
  });
  const firsts = new Set(candidates.slice(0, pinned));
  const leads = ({ candidate }: Ordered) => firsts.has(candidate);
  return [...found.filter(leads), ...found.filter((ordered) => !leads(ordered))];
}

function listOf(candidates: readonly LocalCandidate[], kind: Kind): RankedList {
  const items = candidates.flatMap((candidate, i) => {
    const rank = rankIn(candidate, kind);
    return rank === undefined ? [] : [{ chunkId: String(i), score: candidate[kind] ?? 0, rank }];
  });
  return { name: kind, items: items.sort((a, b) => a.rank - b.rank) };
}

function first(
  list: readonly LocalCandidate[],
  firsts: ReadonlySet<LocalCandidate>,
): readonly LocalCandidate[] {
  return [
    ...list.filter((candidate) => firsts.has(candidate)),
    ...list.filter((candidate) => !firsts.has(candidate)),
  ];
}

/** What the first 20 of an order are worth. */
export function scored({ id, gold }: LocalCase, order: readonly (readonly number[])[]): Scored {
  const judged = judgedOf(gold, order.slice(0, 20));
  const values = METRICS.flatMap(({ name, of }) => {
    const value = of(judged);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { id, values: Object.fromEntries(values) };
}

function judgedOf(gold: number, order: readonly (readonly number[])[]): Judged {
  const passages = Array.from({ length: gold }, (_, i) => i);
  return {
    grades: passages.map(() => 1),
    lengths: passages.map(() => 0),
    places: passages.map((passage) => {
      const at = order.findIndex((finds) => finds.includes(passage));
      return at < 0 ? null : at + 1;
    }),
    hits: order.map((finds) => ({ score: 0, tokens: 0, goldTokens: 0, finds, covers: {} })),
  };
}
