import type { ScoredChunk, StoredChunk, TextQuery } from "../../spec/index.ts";
import { exactTerms } from "../../text/exact-terms.ts";
import { textForBm25 } from "../../text/index-text.ts";
import { joinBrokenWords } from "../../text/line-break.ts";

/** How many more than asked for are read at first; most chunks with all words of a phrase do not hold the phrase. */
const MORE = 4;

/**
 * The best chunks that hold every phrase. The index keeps no positions: chunks with all the words come best first, and
 * their text is read until enough of them hold the phrases. So a phrase costs in proportion to what is asked for, not
 * to how common its words are.
 */
export function searchPhrases(
  query: TextQuery,
  search: (query: TextQuery) => readonly ScoredChunk[],
  read: (chunkId: string) => StoredChunk | undefined,
): ScoredChunk[] {
  const phrases = query.phrases ?? [];
  const known = new Map<string, boolean>();
  const holds = (chunkId: string) => {
    const before = known.get(chunkId);
    if (before !== undefined) return before;
    const chunk = read(chunkId);
    const found = chunk !== undefined && holdsPhrases(chunk, phrases);
    known.set(chunkId, found);
    return found;
  };
  for (let limit = query.limit * MORE; ; limit *= MORE) {
    const candidates = search({ ...query, limit });
    const found: ScoredChunk[] = [];
    for (const candidate of candidates) {
      if (holds(candidate.chunkId)) found.push(candidate);
      if (found.length >= query.limit) return found;
    }
    if (candidates.length < limit) return found;
  }
}

function holdsPhrases(stored: StoredChunk, phrases: readonly (readonly string[])[]): boolean {
  const { context, body } = textForBm25(stored);
  // A hyphen at a line end may be the typesetter's or the word's own.
  const joined = joinBrokenWords(body);
  const fields = (joined === body ? [body, context] : [body, joined, context]).map(exactTerms);
  return phrases.every((phrase) => fields.some((terms) => standsIn(phrase, terms)));
}

function standsIn(phrase: readonly string[], terms: readonly string[]): boolean {
  for (let at = 0; at + phrase.length <= terms.length; at++) {
    if (phrase.every((term, i) => terms[at + i] === term)) return true;
  }
  return false;
}
