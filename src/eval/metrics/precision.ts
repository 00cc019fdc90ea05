import type { Judged } from "../judge.ts";
import { isScored } from "./places.ts";

/**
 * precision@k = hits among the first k that find a gold passage / k. A second hit of the same passage (an overlapping
 * chunk) is relevant too; what it wastes is in `tokenEfficiency`.
 * Source: Manning, Raghavan, Schütze, "Introduction to Information Retrieval" (2008), section 8.4.
 */
export function precision(judged: Judged, k: number): number | undefined {
  if (!isScored(judged)) return undefined;
  return judged.hits.slice(0, k).filter((hit) => hit.finds.length > 0).length / k;
}
