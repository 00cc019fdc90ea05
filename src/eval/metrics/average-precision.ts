import type { Judged } from "../judge.ts";
import { foundInOrder, isScored } from "./places.ts";

/**
 * Average precision = Σ over the found gold passages of (i / place of the i-th found) / gold passages; passages not
 * found, or beyond k, add 0. Its mean is MAP@k. A passage counts once, at its best place (`foundInOrder`).
 * Source: Manning, Raghavan, Schütze, "Introduction to Information Retrieval" (2008), section 8.4.
 */
export function averagePrecision(judged: Judged, k = Number.POSITIVE_INFINITY): number | undefined {
  if (!isScored(judged)) return undefined;
  const precisions = foundInOrder(judged).map(({ place }, index) => (place <= k ? (index + 1) / place : 0));
  return precisions.reduce((total, precision) => total + precision, 0) / judged.grades.length;
}
