import { type Terms, termsOf } from "./word-share.ts";

/** A word of a sentence, and the terms that it has by itself. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly terms: Terms;
}

export function tokensOf(text: string, language: string | undefined): readonly Token[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}_]+(?:[-.'][\p{L}\p{N}\p{M}_]+)*/gu)].map(
    ({ 0: word, index }) => ({
      text: word,
      start: index,
      end: index + word.length,
      terms: tokenTerms(word, language),
    }),
  );
}

const known = new Map<string, Terms>();
const MOST_KNOWN = 20_000;

/** Terms of one word, remembered: the words of neighbouring hits are mostly the same. */
function tokenTerms(token: string, language: string | undefined): Terms {
  const key = `${language ?? ""} ${token}`;
  const remembered = known.get(key);
  if (remembered) return remembered;
  const terms = termsOf(token, language);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, terms);
  return terms;
}
