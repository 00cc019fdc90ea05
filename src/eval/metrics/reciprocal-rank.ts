import type { Judged } from "../judge.ts";
import { isScored } from "./places.ts";

/**
 * Reciprocal rank = 1 / place of the first hit that finds a gold passage, 0 when none does within k. Its mean is MRR@k.
 * Source: Voorhees, "The TREC-8 Question Answering Track Report" (1999).
 */
export function reciprocalRank(judged: Judged, k = Number.POSITIVE_INFINITY): number | undefined {
  if (!isScored(judged)) return undefined;
  const places = judged.places.filter((place) => place !== null && place <= k);
  return places.length === 0 ? 0 : 1 / Math.min(...(places as number[]));
}
