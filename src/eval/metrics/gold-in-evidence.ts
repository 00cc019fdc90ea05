import type { JudgedAnswer } from "./answer.ts";

/**
 * Gold in the evidence = gold passages that stand in what the answer could rest on / gold passages. It tells an answer
 * that went wrong for want of its passage from one that went wrong beside it. Not scored without gold.
 */
export function goldInEvidence({ places }: JudgedAnswer): number | undefined {
  if (places.length === 0) return undefined;
  return places.filter((place) => place !== null).length / places.length;
}
