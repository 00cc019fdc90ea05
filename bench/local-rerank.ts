import { type Example, train } from "../scripts/lib/softmax-ranker.ts";
import type { LocalCandidate, LocalCase, LocalSet } from "./local-cases.ts";
import { type Fusion, fused } from "./local-orders.ts";

/** How deep the built-in reranker looks, and how strongly its coefficients are held near 0. */
const DEPTH = 50;
const RIDGE = 0.02;
/** Questions of a set that it is trained on; sets count the same, whatever their size. */
const TRAINED = 150;

/** A question's first candidates, with what a reranker sees of each. */
interface Ranked {
  readonly candidates: readonly LocalCandidate[];
  readonly rows: readonly (readonly number[])[];
  readonly rest: readonly LocalCandidate[];
}

/** The features of `src/models/rerank/features.ts`, and, when asked for, how near the model says a candidate is. */
function ranked(one: LocalCase, fusion: Fusion, withModel: boolean): Ranked {
  const order = fused(one, fusion);
  const top = order.slice(0, DEPTH);
  const best = Math.max(0, ...top.map(({ score }) => score));
  const nearness = nearnessIn(top.map(({ candidate }) => candidate));
  return {
    candidates: top.map(({ candidate }) => candidate),
    rows: top.map(({ candidate, score }) => [
      best > 0 ? score / best : 0,
      candidate.together,
      ...(withModel ? [nearness(candidate)] : []),
    ]),
    rest: order.slice(DEPTH).map(({ candidate }) => candidate),
  };
}

/**
 * How much of the way from the last candidate's cosine to 1. As a share of the way to the best one's it would say the same of a
 * list that knows nothing and of one that is sure.
 */
function nearnessIn(candidates: readonly LocalCandidate[]): (candidate: LocalCandidate) => number {
  const least = Math.min(1, ...candidates.flatMap(({ vector }) => vector ?? []));
  return ({ vector }) => (vector === undefined || least >= 1 ? 0 : (vector - least) / (1 - least));
}

/** Each set's questions in the order of a reranker that was trained on the other sets. */
export function rerankedUnseen(
  sets: readonly LocalSet[],
  fusion: Fusion,
  withModel: boolean,
): ReadonlyMap<string, readonly (readonly LocalCandidate[])[]> {
  const looked = sets.map(({ set, cases }) => ({
    set,
    all: cases.map((one) => ranked(one, fusion, withModel)),
  }));
  return new Map(
    looked.map(({ set, all }) => {
      // The same code in other chunks is no unseen set.
      const others = looked.filter((other) => familyOf(other.set) !== familyOf(set));
      const groups = others.map((other) => other.all.slice(0, TRAINED).map(toExample));
      const weights = train(groups, withModel ? 3 : 2, RIDGE);
      return [set, all.map((one) => reordered(one, weights))];
    }),
  );
}

function familyOf(set: string): string {
  return set.split(",")[0] ?? set;
}

function toExample({ rows, candidates }: Ranked): Example {
  return { rows, right: candidates.map(({ finds }) => finds.length > 0) };
}

function reordered(
  { candidates, rows, rest }: Ranked,
  weights: readonly number[],
): readonly LocalCandidate[] {
  const scores = rows.map((row) => row.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0));
  const order = candidates.map((_, i) => i).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return [...order.flatMap((i) => candidates[i] ?? []), ...rest];
}
