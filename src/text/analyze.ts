import type { FieldTerms, QueryTerm } from "../spec/index.ts";

/** Part of the index identity: an index made by another analyzer is refused. Raised with every change of terms. */
export const ANALYZER_ID = "konteks-analyzer-1";

export interface AnalyzedQuery {
  /** By term, each once. */
  readonly terms: readonly QueryTerm[];
  /** The query's words with their place in the query, for explanations and quotes. */
  readonly words: readonly {
    readonly text: string;
    readonly start: number;
    readonly end: number;
    readonly terms: readonly string[];
  }[];
  /** Quoted phrases as the exact terms of their words, in order. */
  readonly phrases: readonly (readonly string[])[];
  /** Words that look like a name or code (`getUserById`, `TS-999`), as written. */
  readonly identifiers: readonly string[];
}

/** The terms of a field's text. The language adds stems; without one, words stand as written. */
export function analyzeField(
  text: string,
  _options: { readonly language?: string | undefined } = {},
): FieldTerms {
  const terms = new Map<string, number>();
  let length = 0;
  for (const word of wordsOf(text)) {
    terms.set(word.term, (terms.get(word.term) ?? 0) + 1);
    length += 1;
  }
  return { length, terms };
}

/** The terms of a query. `languages`: those present in the index; a short query's own language cannot be told. */
export function analyzeQuery(
  text: string,
  _options: { readonly languages?: readonly string[] } = {},
): AnalyzedQuery {
  const words = wordsOf(text);
  const terms = [...new Set(words.map((word) => word.term))].sort();
  return {
    terms: terms.map((term) => ({ term, weight: 1 })),
    words: words.map((word) => ({ text: word.text, start: word.start, end: word.end, terms: [word.term] })),
    phrases: [],
    identifiers: [],
  };
}

/** The exact index term of each word of a query: what the query side of the lexical embedding needs frequencies of. */
export function lexicalIdfTerms(query: string): readonly string[] {
  return [...new Set(wordsOf(query).map((word) => word.term))];
}

function wordsOf(text: string) {
  return [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
    term: match[0].normalize("NFKC").toLowerCase(),
  }));
}
