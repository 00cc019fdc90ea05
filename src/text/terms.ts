import { takeApart, termOf } from "./compound.ts";
import { foldMarks, isAscii, normaliseWord } from "./normalise.ts";
import { grams, segmentWords } from "./segment.ts";
import { stemmerOf } from "./stem/stem.ts";

/*
 * A term is a word in normal form, or a weaker variant of it, told by its first character. No word begins with these.
 */
/** Stem. */
export const STEM = "~";
/** Form without marks of a word that has marks. */
export const FOLDED = "^";
/** Form without the joining signs of a word that has them. */
export const JOINED = "=";
/** Three characters of a script without spaces. */
export const PIECE = "*";
/** Two neighbouring syllables of Vietnamese. */
export const PAIR = '"';

/**
 * Stems of words in documents whose language is unknown, and of every query as well: names and terms in English stand in
 * texts of all languages.
 */
export const FALLBACK_LANGUAGE = "en";

/** Every term under which a scanned word is found, and how many words it counts for. */
export interface WordTerms {
  readonly words: number;
  readonly terms: readonly string[];
}

/** Terms of a word in a document. */
export function wordTerms(raw: string, language: string | undefined): WordTerms {
  const { wholes, joined, leaves } = takeApart(raw);
  const terms: string[] = [...wholes, ...joined.map((form) => JOINED + form)];
  for (const leaf of leaves) terms.push(...leafTerms(termOf(leaf), language ?? FALLBACK_LANGUAGE));
  return { words: leaves.length, terms };
}

function leafTerms(exact: string, language: string): readonly string[] {
  const terms = [exact];
  const folded = foldMarks(exact);
  if (folded !== exact) terms.push(FOLDED + folded);
  const stem = stemOf(exact, language);
  if (stem !== undefined) terms.push(STEM + stem);
  terms.push(...syllablePairs(exact));
  return terms;
}

/** Languages written in Latin letters without marks. */
const UNMARKED: ReadonlySet<string> = new Set(["en", "id", "ms"]);

/** The stem of a query's word: one with marks is no word of a language that has none. */
export function queryStemOf(word: string, language: string): string | undefined {
  return UNMARKED.has(language) && !isAscii(word) ? undefined : stemOf(word, language);
}

/** Languages that are not written in Latin letters: a word in these is mostly English there. */
const OTHER_SCRIPTS: ReadonlySet<string> = new Set(
  "am ar be bg bn el fa gu he hi hy ja ka km kn ko lo mk ml mr my ne pa ru sa si sr ta te th uk ur zh".split(
    " ",
  ),
);

/** The stem with its marks folded away; undefined for numbers and where the language has no stemmer for such a word. */
export function stemOf(word: string, of: string): string | undefined {
  const language = isAscii(word) && OTHER_SCRIPTS.has(of) ? FALLBACK_LANGUAGE : of;
  if (UNMARKED.has(language) && !/^\p{Script=Latin}/u.test(word)) return undefined;
  if (!/^\p{L}/u.test(word)) return undefined;
  const stemmer = stemmerOf(language);
  return stemmer === undefined ? undefined : foldMarks(stemmer(word));
}

/** Korean writes particles onto the word; pairs of syllables meet whatever hangs on it. */
export function syllablePairs(word: string): readonly string[] {
  return /\p{Script=Hangul}{2}/u.test(word) ? grams(word, 2).filter((pair) => pair !== word) : [];
}

/**
 * Terms of a run of Han or Kana: its characters and overlapping pairs. No dictionary words, so that no text is hidden by
 * a cut that the query's dictionary makes elsewhere. Counts as one word for two characters.
 */
export function ideographTerms(raw: string): WordTerms {
  const run = normaliseWord(raw);
  const characters = [...run];
  const terms = characters.length > 1 ? [...characters, ...grams(run, 2)] : characters;
  return { words: Math.ceil(characters.length / 2), terms };
}

/** Terms of a run of Thai, Lao, Khmer or Myanmar: dictionary words, and pieces for where the dictionary cuts otherwise. */
export function unspacedTerms(raw: string): WordTerms {
  const run = normaliseWord(raw);
  const words = segmentWords(run).map(termOf);
  return { words: words.length, terms: [...words, ...unspacedPieces(run)] };
}

export function unspacedPieces(run: string): readonly string[] {
  return grams(run, 3).map((piece) => PIECE + piece);
}

/** A syllable that may be paired with its neighbour: where it stands, and its forms with and without marks. */
export interface Syllable {
  readonly start: number;
  readonly end: number;
  readonly exact: string;
  readonly folded: string;
}

/** A scanned word as a syllable, by its terms in the order that `wordTerms` gives. */
export function syllableOf(start: number, end: number, terms: readonly string[]): Syllable {
  const [exact = "", second = ""] = terms;
  return { start, end, exact, folded: second.startsWith(FOLDED) ? second.slice(FOLDED.length) : exact };
}

/**
 * Vietnamese writes syllables apart; two of them are mostly a word: the pair as written, and without marks where it has
 * any. Undefined when more than one blank is between.
 */
export function pairTerm(
  text: string,
  before: Syllable,
  next: Syllable,
): { readonly exact: string; readonly folded: string } | undefined {
  if (next.start !== before.end + 1 || before.exact === "" || next.exact === "") return undefined;
  if (!/\s/u.test(text[before.end] ?? "")) return undefined;
  return { exact: `${PAIR}${before.exact} ${next.exact}`, folded: `${PAIR}${before.folded} ${next.folded}` };
}
