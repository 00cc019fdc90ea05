import type { Judged } from "../judge.ts";
import { foundInOrder, isScored } from "./places.ts";

/**
 * nDCG@k = DCG@k / ideal DCG@k, where DCG@k = Σ grade / log2(place + 1) over the gold passages found within k (linear
 * gain, as trec_eval and BEIR have it), and the ideal has the most worthy passages on places 1, 2, …
 * A passage counts once, at its best place (`foundInOrder`).
 * Source: Järvelin, Kekäläinen, "Cumulated gain-based evaluation of IR techniques" (2002).
 */
export function ndcg(judged: Judged, k: number): number | undefined {
  if (!isScored(judged)) return undefined;
  const gain = foundInOrder(judged).map(({ grade, place }) => (place <= k ? discounted(grade, place) : 0));
  const best = [...judged.grades].sort((a, b) => b - a).slice(0, k);
  return sum(gain) / sum(best.map((grade, index) => discounted(grade, index + 1)));
}

function discounted(grade: number, place: number): number {
  return grade / Math.log2(place + 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
