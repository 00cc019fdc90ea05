import { lexicalIdfTerms } from "./exact-terms.ts";
import { STOP_WORD_LANGUAGES, stopWords } from "./stop-words.ts";

/** Pairs of Han or Kana that lie across two words are mostly unknown, and have no near forms. */
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

let functionWords: ReadonlySet<string> | undefined;

/**
 * The share, 0 to 1, of a query's content words that stand nowhere in the index (misspelt, or in a form of their own).
 * Where BM25 knows every word a lexical embedding only blurs its ranking; where it does not, the embedding is what
 * finds the near forms. So its weight in the fusion follows this share.
 */
export function unknownShare(query: string, frequency: (term: string) => number): number {
  const content = lexicalIdfTerms(query).filter((term) => !IDEOGRAPHS.test(term) && !isFunctionWord(term));
  if (content.length === 0) return 0;
  return content.filter((term) => frequency(term) === 0).length / content.length;
}

/** Whether a term is a function word of any language with a list. */
export function isFunctionWord(term: string): boolean {
  functionWords ??= new Set(STOP_WORD_LANGUAGES.flatMap((language) => [...stopWords(language)]));
  return functionWords.has(term);
}
