import { finds } from "../judge.ts";
import type { CitedPlace, JudgedAnswer } from "./answer.ts";

/**
 * Citation accuracy = citations that support / citations. A citation supports when its words stand in the source and
 * it finds one of the question's gold passages (`finds`). Not scored without gold or without citations.
 * Source: citation precision in ALCE (Gao et al., "Enabling Large Language Models to Generate Text with Citations", 2023).
 */
export function citationAccuracy(answer: JudgedAnswer): number | undefined {
  if (answer.question.gold.length === 0 || answer.citations.length === 0) return undefined;
  return answer.citations.filter((citation) => supports(citation, answer)).length / answer.citations.length;
}

export function supports(citation: CitedPlace, answer: JudgedAnswer): boolean {
  return citation.verified && answer.question.gold.some((gold) => finds(citation, gold));
}
