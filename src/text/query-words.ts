import type { QueryTerm } from "../spec/index.ts";
import { takeApart, termOf } from "./compound.ts";
import { brokenWord } from "./line-break.ts";
import { foldMarks, normaliseWord } from "./normalise.ts";
import { type RunKind, scan } from "./scan.ts";
import { grams, segmentWords } from "./segment.ts";
import { stopWords } from "./stop-words.ts";
import {
  FALLBACK_LANGUAGE,
  FOLDED,
  JOINED,
  pairTerm,
  queryStemOf,
  STEM,
  syllablePairs,
  unspacedPieces,
} from "./terms.ts";

export interface QueryWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly terms: readonly QueryTerm[];
}

/**
 * How much each variant of a query word counts. Chosen by measurement over texts in English, Indonesian, Vietnamese,
 * Chinese and Thai and over code; the ranking changes little within a factor of two of each.
 */
export const WEIGHTS = {
  /** Exact form of a word whose language has no stemmer. */
  exact: 1,
  /** Exact form on top of the stem's weight. */
  exactBesideStem: 0.3,
  stem: 0.8,
  folded: 0.2,
  /** An identifier, code or number as written, on top of its parts. */
  whole: 1,
  /** The same for words joined by hyphens (`well-known`): those are often written apart. */
  hyphenated: 0.3,
  joined: 0.15,
  /** A plain word found in a joined one (`email` in `e-mail`). */
  joinedOfPlain: 0.3,
  /** A function word, unless the query is made of nothing else. */
  stopWord: 0.15,
  ideographPair: 1,
  /** A pair that lies across two dictionary words. */
  ideographAcross: 0.6,
  ideograph: 0.5,
  /** Factor for pieces in Hiragana only. */
  hiragana: 0.4,
  piece: 0.3,
  syllablePair: 0.7,
  /** The same without marks: single syllables say little without them, pairs as much as with them. */
  foldedPair: 0.7,
  hangulPair: 0.3,
};

/** The query's words in order, with the terms each is looked up under. */
export function queryWords(text: string, languages: readonly string[]): readonly QueryWord[] {
  const words: QueryWord[] = [];
  const stems = [...new Set([...languages, FALLBACK_LANGUAGE])];
  scan(text, (start, end, kind) => {
    const raw = text.slice(start, end);
    const before = words.at(-1);
    const broken = before === undefined ? [] : brokenWord(text, before, { start, end });
    const forms = kind === "word" ? [raw, ...broken] : [raw];
    const terms = forms.flatMap((form) => runTerms(form, kind, languages, stems));
    words.push({ text: raw, start, end, terms });
  });
  const weighted = lowerStopWords(words, languages);
  return languages.includes("vi") ? withPairs(text, weighted) : weighted;
}

/** Whether a word looks like a name or code rather than prose: joined other than by hyphens, or letters with digits. */
export function looksLikeIdentifier(raw: string): boolean {
  const { wholes } = takeApart(raw);
  return wholes.length > 0 && !isProse(raw);
}

function isProse(raw: string): boolean {
  return /^[\p{L}\p{M}]+(?:[-'\u2019/][\p{L}\p{M}]+)+$/u.test(raw) && !/\p{Ll}\p{Lu}/u.test(raw);
}

/** Terms of words that were asked for before, by the languages of the index. About a kilobyte each. */
const known = new Map<string, Map<string, readonly QueryTerm[]>>();
const REMEMBERED_WORDS = 2_000;
const REMEMBERED_INDEXES = 4;
const LONGEST_REMEMBERED = 40;

function runTerms(
  raw: string,
  kind: RunKind,
  languages: readonly string[],
  stems: readonly string[],
): readonly QueryTerm[] {
  const words = remembered(known, languages.join(" "), REMEMBERED_INDEXES, () => new Map());
  const make = () => termsOf(raw, kind, languages, stems);
  return raw.length > LONGEST_REMEMBERED ? make() : remembered(words, raw, REMEMBERED_WORDS, make);
}

/** What `make` gave for the key; forgets all when there is too much. */
function remembered<T>(values: Map<string, T>, key: string, most: number, make: () => T): T {
  const before = values.get(key);
  if (before !== undefined) return before;
  const made = make();
  if (values.size >= most) values.clear();
  values.set(key, made);
  return made;
}

function termsOf(
  raw: string,
  kind: RunKind,
  languages: readonly string[],
  stems: readonly string[],
): readonly QueryTerm[] {
  if (kind === "ideographs") return ideographs(normaliseWord(raw));
  if (kind === "unspaced") return unspaced(normaliseWord(raw));
  return word(raw, languages, stems);
}

function word(raw: string, languages: readonly string[], stems: readonly string[]): readonly QueryTerm[] {
  const { wholes, joined, leaves } = takeApart(raw);
  const terms = wholes.map((term) => ({ term, weight: isProse(raw) ? WEIGHTS.hyphenated : WEIGHTS.whole }));
  for (const form of joined) {
    terms.push({ term: JOINED + form, weight: WEIGHTS.joined });
    if (!wholes.includes(form)) terms.push({ term: form, weight: WEIGHTS.joined });
  }
  for (const leaf of leaves) terms.push(...plain(termOf(leaf), languages, stems));
  const [only] = leaves;
  if (wholes.length === 0 && only !== undefined) {
    terms.push({ term: JOINED + termOf(only), weight: WEIGHTS.joinedOfPlain });
  }
  return terms;
}

function plain(exact: string, languages: readonly string[], stems: readonly string[]): QueryTerm[] {
  const forms = new Set(
    stems.map((language) => queryStemOf(exact, language)).filter((stem) => stem !== undefined),
  );
  const stemmed = languages.some((language) => queryStemOf(exact, language) !== undefined);
  const terms = [{ term: exact, weight: stemmed ? WEIGHTS.exactBesideStem : WEIGHTS.exact }];
  for (const form of forms) terms.push({ term: STEM + form, weight: WEIGHTS.stem });
  const folded = foldMarks(exact);
  terms.push({ term: FOLDED + folded, weight: WEIGHTS.folded });
  if (folded !== exact) terms.push({ term: folded, weight: WEIGHTS.folded });
  for (const pair of syllablePairs(exact)) terms.push({ term: pair, weight: WEIGHTS.hangulPair });
  return terms;
}

/** Pairs inside a dictionary word count in full, pairs across two words less, single characters where they are words. */
function ideographs(run: string): readonly QueryTerm[] {
  const pairs = grams(run, 2);
  if (pairs.length === 1) return [{ term: run, weight: WEIGHTS.ideographPair }];
  const terms: QueryTerm[] = [];
  const inside = new Map<string, number>();
  const found = segmentWords(run);
  const factorOf = functionWordFactor(found, ["zh", "ja"]);
  for (const part of found) {
    const factor = factorOf(part);
    if ([...part].length === 1) {
      terms.push({ term: part, weight: factor * grammatical(part) * WEIGHTS.ideograph });
    } else for (const pair of grams(part, 2)) inside.set(pair, Math.max(factor, inside.get(pair) ?? 0));
  }
  for (const pair of pairs) {
    const weight = WEIGHTS.ideographPair * (inside.get(pair) ?? WEIGHTS.ideographAcross);
    terms.push({ term: pair, weight: grammatical(pair) * weight });
  }
  return terms;
}

/** Function words of a run count little, unless it is made of nothing else. */
function functionWordFactor(
  found: readonly string[],
  languages: readonly string[],
): (part: string) => number {
  const lists = languages.map(stopWords);
  const isStop = (part: string) => lists.some((list) => list.has(part));
  return found.every(isStop) ? () => 1 : (part) => (isStop(part) ? WEIGHTS.stopWord : 1);
}

/** Japanese writes particles and endings in Hiragana, the words themselves mostly in Han and Katakana. */
function grammatical(piece: string): number {
  return /^\p{Script=Hiragana}+$/u.test(piece) ? WEIGHTS.hiragana : 1;
}

function unspaced(run: string): readonly QueryTerm[] {
  const found = segmentWords(run);
  const factorOf = functionWordFactor(found, ["th"]);
  const words = found.map((part) => ({ term: termOf(part), weight: WEIGHTS.exact * factorOf(part) }));
  return [...words, ...unspacedPieces(run).map((term) => ({ term, weight: WEIGHTS.piece }))];
}

function withPairs(text: string, words: readonly QueryWord[]): readonly QueryWord[] {
  const syllables = words.map(({ start, end, terms }) => {
    const exact = terms[0]?.term ?? "";
    return { start, end, exact, folded: foldMarks(exact) };
  });
  return words.map((next, at) => {
    const [before, syllable] = [syllables[at - 1], syllables[at]];
    const pair = before && syllable && pairTerm(text, before, syllable);
    return pair === undefined ? next : { ...next, terms: [...next.terms, ...pairForms(pair)] };
  });
}

/** A pair with marks is also looked up where it stands without them, one without marks under every marking. */
function pairForms({
  exact,
  folded,
}: {
  readonly exact: string;
  readonly folded: string;
}): readonly QueryTerm[] {
  const other = folded === exact ? FOLDED + folded : folded;
  return [
    { term: exact, weight: WEIGHTS.syllablePair },
    { term: other, weight: WEIGHTS.foldedPair },
  ];
}

function lowerStopWords(words: readonly QueryWord[], languages: readonly string[]): readonly QueryWord[] {
  const forms = words.map((found) => bareForm(found.text));
  const lists = plausible(forms, languages).map(stopWords);
  const stops = forms.map((form) => lists.some((list) => list.has(form)));
  if (stops.every(Boolean)) return words;
  return words.map((found, at) => (stops[at] === true ? scaled(found, WEIGHTS.stopWord) : found));
}

/** Function words of one language are content in another ("die", "war"): only the languages that the query speaks count. */
function plausible(forms: readonly string[], languages: readonly string[]): readonly string[] {
  const hits = languages.map((language) => forms.filter((form) => stopWords(language).has(form)).length);
  const most = Math.max(...hits);
  return languages.filter((_, at) => (hits[at] ?? 0) * 2 > most);
}

/** `don't` and `what's` are judged as `do` and `what`. */
function bareForm(raw: string): string {
  return termOf(raw).replace(/n?['\u2019](?:[tsdm]|re|ll|ve)$/u, "");
}

function scaled(found: QueryWord, factor: number): QueryWord {
  return { ...found, terms: found.terms.map(({ term, weight }) => ({ term, weight: weight * factor })) };
}
