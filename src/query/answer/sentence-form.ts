import type { Hit } from "../../spec/index.ts";
import { datesOf } from "./facts-dates.ts";
import { numbersOf } from "./facts-numbers.ts";
import type { QuestionWord, ReadQuestion } from "./question.ts";
import type { Token } from "./sentence-tokens.ts";
import { said, type Terms, termsOf } from "./word-share.ts";

/** What the form of a sentence says for or against it, each 0 or 1. */
export interface SentenceForm {
  /** "36 full-time employees" where it is asked how many employees there are. */
  readonly counted: number;
  /** "X is …" where it is asked what X is. */
  readonly defines: number;
  /** It says nothing but words of the question, as captions do. */
  readonly echo: number;
  /** It names another thing of the title than the asked one, which neither it nor its section names. */
  readonly rival: number;
  /** Asked for a person or place, it has no name but the question's. */
  readonly nameless: number;
}

/** A sentence as its form is read. */
export interface FormedSentence {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly own: Terms;
  readonly isRow: boolean;
}

/** Words that join a thing and what it is, by language. */
const COPULAS: Readonly<Record<string, string>> = {
  en: "is are was were means denotes",
  id: "adalah ialah merupakan yaitu yakni",
  vi: "là",
  de: "ist sind war waren bezeichnet",
  fr: "est sont était désigne",
  es: "es son era eran significa",
  pt: "é são era",
  it: "è sono era",
  nl: "is zijn was",
  ru: "это является",
};
const COPULA: ReadonlySet<string> = new Set(Object.values(COPULAS).flatMap((words) => words.split(" ")));
/** More words than this name no single thing that could be defined. */
const MOST_DEFINED = 5;
/** The figure stands so many words in front of what is counted, at most. */
const COUNT_REACH = 3;

/** Reads what all sentences of a hit share once. */
export function formReader(question: ReadQuestion, hit: Hit): (sentence: FormedSentence) => SentenceForm {
  const { asks, words, counted } = question;
  const isRival = rivalReader(question, hit);
  return (sentence) => ({
    counted: Number(counted !== undefined && isCounted(sentence, counted)),
    defines: Number(asks === "thing" && isDefinition(sentence, words)),
    echo: Number(!sentence.isRow && saysNothingElse(sentence, words)),
    rival: Number(isRival(sentence)),
    nameless: Number((asks === "person" || asks === "place") && isNameless(sentence, words)),
  });
}

function isCounted({ text, tokens }: FormedSentence, counted: QuestionWord): boolean {
  const numbers = numbersOf(text, { words: true });
  return tokens.some(({ terms, start }, i) => {
    if (said(counted, terms) < 1) return false;
    const from = tokens[Math.max(0, i - COUNT_REACH)]?.start ?? 0;
    return numbers.some((number) => number.start >= from && number.start < start);
  });
}

/** The thing stands at the beginning, perhaps behind an article, and a word that joins it to what it is right behind. */
function isDefinition({ text, tokens }: FormedSentence, words: readonly QuestionWord[]): boolean {
  if (words.length === 0 || words.length > MOST_DEFINED) return false;
  const beginning = tokens.slice(0, words.length + 3);
  const places = words.map((word) => beginning.findIndex(({ terms }) => said(word, terms) > 0));
  if (places.includes(-1)) return false;
  const last = Math.max(...places);
  const next = tokens.slice(last + 1, last + 3).find(({ text: word }) => COPULA.has(word.toLowerCase()));
  return next !== undefined && !/[{}=;>]/.test(text.slice(tokens[last]?.end ?? 0, next.start));
}

function saysNothingElse({ own }: FormedSentence, words: readonly QuestionWord[]): boolean {
  const asked = new Set(words.flatMap(({ whole, parts }) => [...whole, ...parts]));
  return own.size > 0 && [...own].every((term) => asked.has(term));
}

function rivalReader({ words }: ReadQuestion, hit: Hit): (sentence: FormedSentence) => boolean {
  const { documentId, title, headings, language } = hit;
  const titled = termsOf(`${documentId}\n${title}`, language);
  const section = termsOf(headings.filter((heading) => heading !== title).join("\n"), language);
  const asked = words.filter((word) => word.exact && said(word, titled) === 1 && said(word, section) === 0);
  return ({ tokens, own }) =>
    asked.some((word) => said(word, own) === 0) &&
    tokens.some(
      ({ text, terms }) =>
        /^\p{Lu}/u.test(text) &&
        [...terms].some((term) => titled.has(term)) &&
        !words.some((word) => said(word, terms) > 0),
    );
}

/** Scripts without capitals do not show their names. */
function isNameless({ text, tokens }: FormedSentence, words: readonly QuestionWord[]): boolean {
  if (!/\p{Ll}/u.test(text)) return false;
  const dates = datesOf(text);
  return !tokens
    .slice(1)
    .some(
      ({ text: word, terms, start }) =>
        /^\p{Lu}\p{L}/u.test(word) &&
        !dates.some((date) => date.start <= start && start < date.end) &&
        !words.some((one) => said(one, terms) > 0),
    );
}
