import type { Judged } from "../judge.ts";
import { recall } from "./recall.ts";

/**
 * failure@k = 1 − recall@k; at k = 20 the "failure rate" that contextual retrieval was published with.
 * Source: Anthropic, "Introducing Contextual Retrieval" (2024): 5.7 → 3.7 → 2.9 → 1.9 %.
 */
export function failure(judged: Judged, k: number): number | undefined {
  const found = recall(judged, k);
  return found === undefined ? undefined : 1 - found;
}
