import type { Judged } from "../judge.ts";
import { isScored } from "./places.ts";

/**
 * Score of the first hit where it is right (finds a gold passage). How far its mean lies above that of wrong ones
 * (`topScoreWrong`) says whether a threshold on the score can tell them apart. Not scored without hits, or when the
 * first hit is wrong.
 */
export function topScoreRight(judged: Judged): number | undefined {
  const [first] = judged.hits;
  return first !== undefined && first.finds.length > 0 ? first.score : undefined;
}

/** Score of the first hit where it is wrong although the question has gold. */
export function topScoreWrong(judged: Judged): number | undefined {
  const [first] = judged.hits;
  return isScored(judged) && first !== undefined && first.finds.length === 0 ? first.score : undefined;
}

/** Score of the first hit of a question without gold; for sets of unanswerable questions. */
export function topScoreUnanswerable(judged: Judged): number | undefined {
  return isScored(judged) ? undefined : judged.hits[0]?.score;
}
