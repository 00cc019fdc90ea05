import type { Judged } from "../judge.ts";
import { foundWithin, isScored } from "./places.ts";

/**
 * recall@k = gold passages found by the first k hits / gold passages.
 * Source: Manning, Raghavan, Schütze, "Introduction to Information Retrieval" (2008), section 8.3.
 */
export function recall(judged: Judged, k: number): number | undefined {
  return isScored(judged) ? foundWithin(judged, k) / judged.grades.length : undefined;
}
