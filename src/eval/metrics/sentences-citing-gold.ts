import type { JudgedAnswer } from "./answer.ts";
import { supports } from "./citation-accuracy.ts";

/**
 * Sentences citing gold = sentences of the answer with at least one citation that supports / sentences of the answer.
 * A sentence that its source bears out (verdict "supported") does not count when that source is no gold passage.
 * Not scored without gold, or when nothing was answered.
 * Source: citation recall in ALCE (Gao et al., 2023).
 */
export function sentencesCitingGold(answer: JudgedAnswer): number | undefined {
  const { question, sentences, citations, abstained } = answer;
  if (question.gold.length === 0 || abstained || sentences.length === 0) return undefined;
  const supporting = citations.map((citation) => supports(citation, answer));
  return (
    sentences.filter((cited) => cited.some((index) => supporting[index] === true)).length / sentences.length
  );
}
