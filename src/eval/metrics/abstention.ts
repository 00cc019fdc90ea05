import type { JudgedAnswer } from "./answer.ts";

type Outcome = Pick<JudgedAnswer, "question" | "abstained">;

/** Abstention, right = 1 when an unanswerable question was refused, 0 when it was answered. Not scored for answerable ones. */
export function abstentionRight(answer: Outcome): number | undefined {
  return answer.question.unanswerable ? Number(answer.abstained) : undefined;
}

/**
 * Abstention, wrong = 1 when a question that has an answer was refused, 0 when it was answered. Not scored for
 * unanswerable questions. Both belong together: refusing everything makes the one perfect and the other worst.
 * Source: SQuAD 2.0 (Rajpurkar, Jia, Liang, "Know What You Don't Know", 2018).
 */
export function abstentionWrong(answer: Outcome): number | undefined {
  return answer.question.unanswerable ? undefined : Number(answer.abstained);
}
