import type { ScoredChunk, StoredChunk, TextQuery } from "../../spec/index.ts";
import { exactTerms } from "../../text/exact-terms.ts";
import { textForBm25 } from "../../text/index-text.ts";
import { joinBrokenWords } from "../../text/line-break.ts";

/** How many more than asked for are read at first; most chunks with all words of a phrase do not hold the phrase. */
const MORE = 4;

/** What was decided of a chunk, by document write, ordinal and phrases; a write has a key of its own, so it stays true. */
export type PhraseMemory = Map<string, boolean>;

const REMEMBERED = 20_000;

/** Where a chunk is kept, and how it is read. */
export interface PhraseTexts {
  readonly memory: PhraseMemory;
  /** Of the present write of the chunk; undefined where it is gone. */
  keyOf(chunkId: string): string | undefined;
  read(chunkId: string): StoredChunk | undefined;
}

/**
 * The best chunks that hold every phrase. A phrase of one term is a list of the index; of longer ones the index keeps no
 * positions: chunks with all the words come best first, and their text is read until enough of them hold the phrases. So
 * a phrase costs in proportion to what is asked for, not to how common its words are.
 */
export function searchPhrases(
  query: TextQuery,
  search: (query: TextQuery) => readonly ScoredChunk[],
  texts: PhraseTexts,
): readonly ScoredChunk[] {
  const phrases = query.phrases?.filter((phrase) => phrase.length > 1) ?? [];
  if (phrases.length === 0) return search(query);
  const holds = decider(phrases, texts);
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

function decider(phrases: readonly (readonly string[])[], { memory, keyOf, read }: PhraseTexts) {
  const asked = JSON.stringify(phrases);
  return (chunkId: string): boolean => {
    const key = keyOf(chunkId) + asked;
    const before = memory.get(key);
    if (before !== undefined) return before;
    const chunk = read(chunkId);
    const found = chunk !== undefined && holdsPhrases(chunk, phrases);
    if (memory.size >= REMEMBERED) memory.clear();
    memory.set(key, found);
    return found;
  };
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
