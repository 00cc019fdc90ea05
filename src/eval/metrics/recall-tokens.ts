import type { Judged } from "../judge.ts";
import { foundWithin, isScored } from "./places.ts";

/**
 * recall-tokens@n = gold passages found by the hits that fit into n tokens, in order / gold passages. Recall for what a
 * reader pays: settings with chunks of different sizes are compared fairly by it, which recall@k does not do (larger
 * chunks hold more of the corpus in k places).
 */
export function recallTokens(judged: Judged, tokens: number): number | undefined {
  return isScored(judged)
    ? foundWithin(judged, hitsWithin(judged, tokens)) / judged.grades.length
    : undefined;
}

function hitsWithin(judged: Judged, tokens: number): number {
  let left = tokens;
  const beyond = judged.hits.findIndex((hit) => {
    left -= hit.tokens;
    return left < 0;
  });
  return beyond < 0 ? judged.hits.length : beyond;
}
