import type { FieldTerms, QueryTerm } from "../spec/index.ts";
import { brokenWordTerms, type PlacedWord } from "./line-break.ts";
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

const CACHED_WORDS = 150_000;
const LONGEST_CACHED = 40;
const LINE_FEED = 10;
const NO_WORD: PlacedWord = { start: 0, end: 0, terms: [] };
const caches = new Map<string, Map<string, WordTerms>>();

/**
 * The terms of a field's text, and its length in words. The language (BCP 47 primary tag) decides on stems; everything
 * else follows the script of each piece of the text. Terms are counted; variants of a word do not add to the length.
 */
export function analyzeField(
  text: string,
  options: { readonly language?: string | undefined } = {},
): FieldTerms {
  const language = options.language === undefined ? undefined : primaryTag(options.language);
  const cache = cacheOf(language ?? "");
  const terms = new Map<string, number>();
  const add = (term: string) => {
    const count = terms.get(term);
    terms.set(term, count === undefined ? 1 : count + 1);
  };
  const pairs = language === "vi" ? pairing(text, add) : undefined;
  let length = 0;
  let before = NO_WORD;
  scan(text, (start, end, kind) => {
    const raw = text.slice(start, end);
    const found =
      kind === "word"
        ? cached(raw, language, cache)
        : kind === "ideographs"
          ? ideographTerms(raw)
          : unspacedTerms(raw);
    length += found.words;
    for (const term of found.terms) add(term);
    pairs?.(start, end, found);
    if (kind !== "word") return;
    const word = { start, end, terms: found.terms };
    // Most words follow a single blank: nothing to look at.
    if (start > before.end + 1 || text.charCodeAt(before.end) === LINE_FEED) {
      for (const term of brokenWordTerms(text, before, word, language)) add(term);
    }
    before = word;
  });
  return { length, terms };
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

function cached(raw: string, language: string | undefined, cache: Map<string, WordTerms>): WordTerms {
  const known = cache.get(raw);
  if (known !== undefined) return known;
  const found = wordTerms(raw, language);
  if (cache.size >= CACHED_WORDS) cache.clear();
  if (raw.length <= LONGEST_CACHED) cache.set(raw, found);
  return found;
}

function cacheOf(language: string): Map<string, WordTerms> {
  const known = caches.get(language);
  if (known !== undefined) return known;
  const cache = new Map<string, WordTerms>();
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
