import type { Hit } from "../../spec/index.ts";
import { datesOf } from "./facts-dates.ts";
import { numbersOf } from "./facts-numbers.ts";
import { isNegated } from "./negation.ts";
import type { QuestionWord, ReadQuestion } from "./question.ts";
import { type ScoredSentence, surroundingText } from "./sentence-features.ts";
import { said, shareOf, termsOf } from "./word-share.ts";

/** What tells whether a sentence answers a question; shares from 0 to 1 but where said. */
export interface ConfidenceFeatures {
  /** The question's words in the sentence; those of title, headings, context and chunk count in part. */
  readonly coverage: number;
  /** The question's words in the sentence, its neighbours, title, headings or context. */
  readonly window: number;
  /** The question's words that stand nowhere in the chunk or around it. */
  readonly absent: number;
  /** Its names, numbers and codes that stand neither in the sentence nor beside it nor in title, headings or context. */
  readonly namesAbsent: number;
  /** The best BM25 score, over the most that the question's words could bring. */
  readonly bm25: number;
  /** How far the best sentence of another document is behind. */
  readonly gap: number;
  /** 1 for a sentence of the first hit, falling with the rank. */
  readonly rank: number;
  /** 1: asked for a person, place, time or amount, and nothing of the kind stands there or beside it. */
  readonly kindAbsent: number;
  /** 1: the question denies something, and the sentence denies nothing. */
  readonly notDenied: number;
  /** 1: the sentence is a heading. */
  readonly heading: number;
  /** Logarithm of the number of the question's words: of many, fewer are found again. */
  readonly words: number;
}

export interface Weighed extends ScoredSentence {
  readonly score: number;
}

/** `sentences` are those of the hits, best first. Undefined without any. */
export function confidenceFeatures(
  question: ReadQuestion,
  text: string,
  sentences: readonly Weighed[],
  hits: readonly Hit[],
): ConfidenceFeatures | undefined {
  const [best] = sentences;
  if (best === undefined) return undefined;
  const { hit, features } = best;
  const { words } = question;
  const sentence = hit.text.slice(best.start, best.end);
  const around = hit.text.slice(best.around.start, best.around.end);
  const beside = saidBeside(best);
  const chunk = termsOf(hit.text, hit.language);
  const other = sentences.find((one) => one.hit.documentId !== hit.documentId);
  return {
    coverage: features.coverage,
    window: shareOf(words, beside),
    absent: shareOf(words, (word) => 1 - Math.max(said(word, chunk), beside(word))),
    namesAbsent: shareOf(
      words.filter(({ exact }) => exact),
      (word) => Number(beside(word) === 0),
    ),
    bm25:
      bm25Share(
        words.reduce((sum, { weight }) => sum + weight, 0),
        hits,
      ) ?? features.coverage,
    gap: other === undefined ? LONE : best.score - other.score,
    rank: 1 / (1 + best.place / 2),
    kindAbsent: Number(lacksKind(question, text, around)),
    notDenied: Number(question.negated && !isNegated(sentence, hit.language)),
    heading: features.heading,
    words: Math.log(Math.max(1, words.length)),
  };
}

/** How much of a word is said by a sentence, the sentences beside it, or the title, metadata, headings or context. */
export function saidBeside({ hit, around, header }: ScoredSentence): (word: QuestionWord) => number {
  const words = hit.text.slice(around.start, around.end);
  const window = termsOf([header ?? "", words].join("\n"), hit.language);
  const surroundings = termsOf(surroundingText(hit), hit.language);
  return (word) => Math.max(said(word, window), said(word, surroundings));
}

/** The gap where no other document was found. */
const LONE = 0.5;
/** The most that a term can bring beside its weight: BM25's k1 + 1. */
const SATURATION = 2.2;

function bm25Share(weight: number, hits: readonly Hit[]): number | undefined {
  const scores = hits.flatMap(({ scores: { bm25 } }) => bm25 ?? []);
  return scores.length === 0 || weight === 0 ? undefined : Math.max(...scores) / (SATURATION * weight);
}

function lacksKind({ asks }: ReadQuestion, question: string, passage: string): boolean {
  if (asks === "amount") return !hasOtherNumber(question, passage);
  if (asks === "time") return datesOf(passage).length === 0 && !hasOtherNumber(question, passage);
  // Scripts without capitals do not show their names.
  if (asks === "person" || asks === "place")
    return /\p{Ll}/u.test(passage) && !hasOtherName(question, passage);
  return false;
}

function hasOtherNumber(question: string, passage: string): boolean {
  const asked = new Set(numbersOf(question).flatMap(({ values }) => values));
  return numbersOf(passage, { words: true }).some(({ values }) => !values.some((value) => asked.has(value)));
}

function hasOtherName(question: string, passage: string): boolean {
  const asked = termsOf(question, undefined);
  return [...passage.matchAll(/(?<=[\p{L}\p{N},"(] ?)\p{Lu}[\p{L}\p{M}'-]+/gu)].some(
    ([name]) => ![...termsOf(name, undefined)].some((term) => asked.has(term)),
  );
}

/** Names, numbers and codes of a question, and its rarest words, that neither the passage nor what is around it holds. */
export function lackingWords({ words }: ReadQuestion, { hit }: ScoredSentence): readonly string[] {
  const chunk = termsOf(hit.text, hit.language);
  const surroundings = termsOf(surroundingText(hit), hit.language);
  const weightiest = Math.max(0, ...words.map(({ weight }) => weight));
  const lacking = words.filter(
    (word) =>
      (word.exact || word.weight > weightiest / 2) &&
      said(word, chunk) === 0 &&
      said(word, surroundings) === 0,
  );
  return [...new Set(lacking.map(({ text }) => text))];
}
