import type { Span } from "../../spec/index.ts";
import { stopWords } from "../../text/stop-words.ts";

export interface NameFact extends Span {
  readonly text: string;
}

export interface NameOptions {
  /** Language of the sentence, when known: German writes every noun with a capital. */
  readonly language?: string | undefined;
  /** Whether a word, in lower case, is known as a common word where the answer comes from. */
  readonly isCommon: (word: string) => boolean;
  /** Whether a word is known as a name: written with a capital inside sentences. */
  readonly isName: (word: string) => boolean;
}

const WORD = /[\p{L}\p{N}\p{M}]+(?:[-_.'’&@/][\p{L}\p{N}\p{M}]+)*/gu;
const POSSESSIVE = /['’]s$/u;

/**
 * Words of a sentence that name something: with a capital inside the sentence, in capitals, with a digit or a capital
 * inside (SKU-4521, Q2, getUser), Latin words and runs of Katakana among other scripts. The first word of a sentence has
 * a capital anyway; it is a name when it is known as one, or unknown and without the look of a common word.
 */
export function namesOf(sentence: string, options: NameOptions): readonly NameFact[] {
  const words = [...sentence.matchAll(WORD)].map(({ 0: text, index }) => ({
    text: text.replace(POSSESSIVE, ""),
    start: index,
    end: index + text.replace(POSSESSIVE, "").length,
    possessive: POSSESSIVE.test(text),
  }));
  const names = words.filter((word, i) => isNameAt(sentence, word, words[i + 1], options));
  return [...names, ...katakana(sentence)].map(({ text, start, end }) => ({ text, start, end }));
}

interface Word extends Span {
  readonly text: string;
  readonly possessive: boolean;
}

function isNameAt(sentence: string, word: Word, next: Word | undefined, options: NameOptions): boolean {
  const { text } = word;
  if (/^\p{Nd}/u.test(text) || !/\p{L}/u.test(text)) return false;
  if (isCode(text)) return true;
  if (!/^\p{Lu}/u.test(text) || isStopWord(text, options.language)) return false;
  // In German a capital says no more than that it is a noun.
  if (options.language === "de" && !options.isName(text)) return false;
  if (!beginsSentence(sentence, word.start)) return true;
  return isNameAtStart(word, next, options);
}

/** Letters with digits, capitals inside, or nothing but capitals: an identifier, code or acronym. */
function isCode(text: string): boolean {
  if (/^(?:\p{Lu}\p{Ll}+)(?:-\p{Lu}?\p{Ll}+)*$/u.test(text)) return false;
  return (
    (/\p{L}/u.test(text) && /\p{Nd}/u.test(text)) ||
    /\p{Ll}\p{Lu}/u.test(text) ||
    /^\p{Lu}{2,}s?$/u.test(text.replace(/[-_.&/]/g, ""))
  );
}

/** A full stop inside a sentence ends an abbreviation. */
function beginsSentence(sentence: string, start: number): boolean {
  return /(?:^|[!?:。！？]\s+|\n\s*)[\s"'“‘„«(*_>#|-]*(?:\d{1,2}[.)]\s+)?$/u.test(sentence.slice(0, start));
}

function isNameAtStart(word: Word, next: Word | undefined, options: NameOptions): boolean {
  if (options.isName(word.text)) return true;
  if (options.isCommon(word.text.toLowerCase())) return false;
  const nextIsName = next !== undefined && next.start - word.end === 1 && /^\p{Lu}/u.test(next.text);
  return word.possessive || nextIsName || !COMMON_ENDING.test(word.text);
}

/** How words look that an answer may begin with although its source has others. */
const COMMON_ENDING =
  /(?:ly|ing|ed|tions?|ments?|ity|ness|ances?|ences?|[^s]s|ers?|able|ible|ive|ful|nya|kan|an)$/u;

function katakana(sentence: string): readonly NameFact[] {
  return [...sentence.matchAll(/[\p{Script=Katakana}ー]{4,}/gu)].map(({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));
}

/** Words that answers begin with and that say nothing of their own. */
const OPENERS = new Set(
  "yes no according based however therefore additionally overall also both each only ya tidak menurut namun".split(
    " ",
  ),
);

/** Of other languages than these and the sentence's own, function words are names here: Hans, Ben, Per. */
function isStopWord(text: string, language = "en"): boolean {
  const word = text.toLowerCase();
  return OPENERS.has(word) || ["en", "id", language].some((one) => stopWords(one).has(word));
}
