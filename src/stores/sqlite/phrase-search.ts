import type { ScoredChunk, TextQuery } from "../../spec/index.ts";
import { joinBrokenWords } from "../../text/line-break.ts";
import type { PhraseFields, PhraseTexts } from "./phrase-texts.ts";
import { holdsPhrase } from "./phrase-words.ts";

/** How many more than asked for are read at first; most chunks with all words of a phrase do not hold the phrase. */
const MORE = 4;

/** What was decided of a chunk, by document write, ordinal and phrases; a write has a key of its own, so it stays true. */
export type PhraseMemory = Map<string, boolean>;

const REMEMBERED = 20_000;

/**
 * The best chunks that hold every phrase. A phrase of one term is a list of the index; of longer ones the index keeps no
 * positions: chunks with all the words come best first, and their text is read until enough of them hold the phrases. So
 * a phrase costs in proportion to what is asked for, not to how common its words are.
 */
export function searchPhrases(
  query: TextQuery,
  search: (query: TextQuery) => readonly ScoredChunk[],
  texts: PhraseTexts,
  memory: PhraseMemory,
): readonly ScoredChunk[] {
  const phrases = query.phrases?.filter((phrase) => phrase.length > 1) ?? [];
  if (phrases.length === 0) return search(query);
  const holds = decider(phrases, texts, memory);
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

function decider(
  phrases: readonly (readonly string[])[],
  { keyOf, read }: PhraseTexts,
  memory: PhraseMemory,
): (chunkId: string) => boolean {
  const asked = JSON.stringify(phrases);
  return (chunkId) => {
    const key = keyOf(chunkId) + asked;
    const before = memory.get(key);
    if (before !== undefined) return before;
    const fields = read(chunkId);
    const found = fields !== undefined && holdsPhrases(fields, phrases);
    if (memory.size >= REMEMBERED) memory.clear();
    memory.set(key, found);
    return found;
  };
}

function holdsPhrases({ context, body }: PhraseFields, phrases: readonly (readonly string[])[]): boolean {
  const missing = phrases.filter((phrase) => !holdsPhrase(phrase, body));
  if (missing.length === 0) return true;
  // A hyphen at a line end may be the typesetter's or the word's own.
  const joined = joinBrokenWords(body);
  const others = joined === body ? [context] : [joined, context];
  return missing.every((phrase) => others.some((text) => holdsPhrase(phrase, text)));
}
