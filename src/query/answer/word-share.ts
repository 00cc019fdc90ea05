import { analyzeField } from "../../text/analyze.ts";
import type { QuestionWord } from "./question.ts";

export type Terms = ReadonlySet<string>;

export function termsOf(text: string, language: string | undefined): Terms {
  return new Set(analyzeField(text, { language }).terms.keys());
}

/** How much of a word some terms say: 1 when it is there, less when only its parts are. */
export function said(word: QuestionWord, terms: Terms): number {
  if (word.whole.some((term) => terms.has(term))) return 1;
  return word.parts.length > 0 && word.parts.every((term) => terms.has(term)) ? word.partsShare : 0;
}

/** The share of the words' weight that is held; 0 without words. */
export function shareOf(words: readonly QuestionWord[], share: (word: QuestionWord) => number): number {
  let held = 0;
  let all = 0;
  for (const word of words) {
    all += word.weight;
    held += word.weight * share(word);
  }
  return all === 0 ? 0 : held / all;
}
