import type { StoredChunk } from "../spec/index.ts";
import { exactTerms } from "../text/exact-terms.ts";

/** The distinct words of a chunk's text. */
export function wordsOf({ chunk }: StoredChunk): ReadonlySet<string> {
  return new Set(exactTerms(chunk.text));
}

const SHINGLE = 3;

/** The distinct runs of three words of a chunk's text: equal words in another order are another text. */
export function shinglesOf({ chunk }: StoredChunk): ReadonlySet<string> {
  const words = exactTerms(chunk.text);
  if (words.length <= SHINGLE) return new Set([words.join(" ")]);
  return new Set(words.slice(SHINGLE - 1).map((_, i) => words.slice(i, i + SHINGLE).join(" ")));
}

/** Words in common over all words of both, 0 to 1 (Jaccard). Two texts without words are alike when both are empty. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let common = 0;
  for (const word of small) if (large.has(word)) common++;
  const all = a.size + b.size - common;
  return all === 0 ? 1 : common / all;
}
