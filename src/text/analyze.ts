import type { FieldTerms, QueryTerm } from "../spec/index.ts";
import { brokenWordTerms } from "./line-break.ts";
import { quotedPhrases } from "./phrases.ts";
import { looksLikeIdentifier, queryWords } from "./query-words.ts";
import { scan } from "./scan.ts";
import {
  FALLBACK_LANGUAGE,
  FOLDED,
  ideographTerms,
  pairTerm,
  syllableOf,
  unspacedTerms,
  type WordTerms,
  wordTerms,
} from "./terms.ts";

/** Part of the index identity: an index made by another analyzer is refused. Raised with every change of terms. */
export const ANALYZER_ID = "konteks-analyzer-7";

export interface AnalyzedQuery {
  /** By term, ascending, each once. No terms (a query of punctuation) means no hits. */
  readonly terms: readonly QueryTerm[];
  /** The query's words with their place in the query, for explanations and highlights. */
  readonly words: readonly {
    readonly text: string;
    readonly start: number;
    readonly end: number;
    readonly terms: readonly string[];
  }[];
  /** Phrases in double quotation marks, each as the normal forms of its words in order. Their words are in `terms` too. */
  readonly phrases: readonly (readonly string[])[];
  /** Words that look like a name or code (`getUserById`, `TS-999`), as written. */
  readonly identifiers: readonly string[];
}

/** Of all languages together: about 25 MB, in each process that analyses. */
const CACHED_WORDS = 50_000;
const LONGEST_CACHED = 40;
const LINE_FEED = 10;
const NO_TERMS: readonly string[] = [];
const caches = new Map<string, Map<string, CachedWord>>();

/**
 * The terms of a field's text, and its length in words. The language (BCP 47 primary tag) decides on stems; everything
 * else follows the script of each piece of the text. Terms are counted; variants of a word do not add to the length.
 */
export function analyzeField(
  text: string,
  options: { readonly language?: string | undefined } = {},
): FieldTerms {
  const language = options.language === undefined ? undefined : primaryTag(options.language);
  const field: Field = {
    cache: cacheOf(language ?? ""),
    language,
    pass: ++passes,
    seen: [],
    terms: new Map(),
  };
  const add = (term: string) => addTerm(field.terms, term, 1);
  const pairs = language === "vi" ? pairing(text, add) : undefined;
  let length = 0;
  let [beforeStart, beforeEnd, before] = [0, 0, NO_TERMS];
  scan(text, (start, end, kind) => {
    const raw = text.slice(start, end);
    if (kind !== "word") {
      const found = kind === "ideographs" ? ideographTerms(raw) : unspacedTerms(raw);
      length += found.words;
      for (const term of found.terms) add(term);
      pairs?.(start, end, found);
      return;
    }
    const found = counted(raw, field);
    length += found.words;
    pairs?.(start, end, found);
    // Most words follow a single blank: nothing to look at.
    if (start > beforeEnd + 1 || text.charCodeAt(beforeEnd) === LINE_FEED) {
      const [first, second] = [
        { start: beforeStart, end: beforeEnd, terms: before },
        { start, end, terms: found.terms },
      ];
      for (const term of brokenWordTerms(text, first, second, language)) add(term);
    }
    beforeStart = start;
    beforeEnd = end;
    before = found.terms;
  });
  for (const { terms, count } of field.seen) for (const term of terms) addTerm(field.terms, term, count);
  return { length, terms: field.terms };
}

/** A word that was analysed before, and how often it stands in the field of the last pass that met it. */
interface CachedWord extends WordTerms {
  pass: number;
  count: number;
}

/** What is at work on one text. */
interface Field {
  readonly cache: Map<string, CachedWord>;
  readonly language: string | undefined;
  readonly pass: number;
  /** Words of this text, each once: their terms are counted at its end. */
  readonly seen: CachedWord[];
  readonly terms: Map<string, number>;
}

let passes = 0;

function counted(raw: string, { cache, language, pass, seen }: Field): WordTerms {
  let word = cache.get(raw);
  if (word === undefined) {
    word = { ...wordTerms(raw, language), pass: 0, count: 0 };
    if (raw.length <= LONGEST_CACHED) keep(cache, raw, word);
  }
  if (word.pass === pass) word.count++;
  else {
    word.pass = pass;
    word.count = 1;
    seen.push(word);
  }
  return word;
}

let kept = 0;

function keep(cache: Map<string, CachedWord>, raw: string, word: CachedWord): void {
  if (kept >= CACHED_WORDS) {
    for (const each of caches.values()) each.clear();
    kept = 0;
  }
  cache.set(raw, word);
  kept++;
}

function addTerm(terms: Map<string, number>, term: string, count: number): void {
  const known = terms.get(term);
  terms.set(term, known === undefined ? count : known + count);
}

/**
 * The terms of a query, weighted so that an exact form counts above a stem, and a stem above a form without its marks.
 * `languages` are those of the documents in the index: a word is looked up under the stems of each, since the language
 * of a short query cannot be told. Default: English alone. Nothing in the text is syntax but double quotation marks.
 */
export function analyzeQuery(
  text: string,
  options: { readonly languages?: readonly string[] | undefined } = {},
): AnalyzedQuery {
  const given = new Set(options.languages?.map(primaryTag));
  const languages = given.size > 0 ? [...given] : [FALLBACK_LANGUAGE];
  const words = queryWords(text, languages);
  const weights = new Map<string, number>();
  for (const { term, weight } of words.flatMap((word) => word.terms)) {
    weights.set(term, Math.max(weights.get(term) ?? 0, weight));
  }
  const terms = [...weights].map(([term, weight]) => ({ term, weight }));
  return {
    terms: terms.sort((a, b) => (a.term < b.term ? -1 : 1)),
    words: words.map((word) => ({ ...word, terms: [...new Set(word.terms.map(({ term }) => term))] })),
    phrases: quotedPhrases(text),
    identifiers: words.map((word) => word.text).filter(looksLikeIdentifier),
  };
}

/** "zh-Hant", "pt_BR" → "zh", "pt". */
function primaryTag(tag: string): string {
  return tag.split(/[-_]/u)[0]?.toLowerCase() ?? tag;
}

function cacheOf(language: string): Map<string, CachedWord> {
  const known = caches.get(language);
  if (known !== undefined) return known;
  const cache = new Map<string, CachedWord>();
  caches.set(language, cache);
  return cache;
}

/** Adds the pairs of neighbouring syllables while a Vietnamese text is read. */
function pairing(text: string, add: (term: string) => void) {
  let before = syllableOf(-1, -1, []);
  return (start: number, end: number, found: WordTerms) => {
    const next = syllableOf(start, end, found.terms);
    const pair = pairTerm(text, before, next);
    if (pair !== undefined) {
      add(pair.exact);
      if (pair.folded !== pair.exact) add(FOLDED + pair.folded);
    }
    before = next;
  };
}
