import type { JudgedAnswer } from "./answer.ts";
import { supports } from "./citation-accuracy.ts";
import { gradedCorrectness } from "./graded.ts";

/**
 * Correct = 1 when the question was dealt with rightly: an unanswerable one refused, another one answered and the answer
 * right. Whether it is, a grading model says (share of its runs); without one it is when it cites a gold passage. Not
 * scored for an answer that neither gold nor a grade can tell of. One figure over all questions, so that neither refusing
 * everything nor answering everything is best.
 */
export function correct(answer: JudgedAnswer): number | undefined {
  const { question, abstained, citations, verdicts } = answer;
  if (question.unanswerable) return Number(abstained);
  if (abstained) return 0;
  const graded = gradedCorrectness(verdicts);
  if (graded !== undefined) return graded;
  if (question.gold.length === 0) return undefined;
  return Number(citations.some((citation) => supports(citation, answer)));
}
