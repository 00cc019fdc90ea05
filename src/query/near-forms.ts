import type { StoredChunk } from "../spec/index.ts";
import { exactTerms } from "../text/exact-terms.ts";
import { textForBm25 } from "../text/index-text.ts";
import { isFunctionWord } from "../text/lexical-share.ts";
import { nearest } from "../util/nearest.ts";

/** Words of a query that stand nowhere, with the nearest word of each that does. */
export interface NearForms {
  /** By word of the query; undefined where nothing is near. */
  readonly words: ReadonlyMap<string, string | undefined>;
  /** Chunks that hold a near form. */
  readonly ids: ReadonlySet<string>;
}

/**
 * Looks in chunks for words that are a misspelling or another form of the query's: one edit for every four letters, or the
 * one the beginning of the other. Function words are not looked for.
 */
export function nearForms(query: string, chunks: readonly StoredChunk[]): NearForms {
  const wanted = [...new Set(exactTerms(query))].filter((word) => !isFunctionWord(word));
  const holders = new Map<string, string[]>();
  for (const stored of chunks) {
    const text = Object.values(textForBm25(stored)).join("\n");
    for (const word of new Set(exactTerms(text))) {
      const list = holders.get(word);
      if (list === undefined) holders.set(word, [stored.chunk.id]);
      else list.push(stored.chunk.id);
    }
  }
  const words = new Map<string, string | undefined>();
  const ids = new Set<string>();
  for (const word of wanted) {
    const near = nearTo(word, [...holders.keys()]);
    words.set(word, near[0]);
    for (const form of near) for (const id of holders.get(form) ?? []) ids.add(id);
  }
  return { words, ids };
}

const SHORTEST = 4;

/** Words near to one, the nearest first. */
export function nearTo(word: string, candidates: readonly string[]): readonly string[] {
  const most = Math.floor(word.length / SHORTEST);
  const near = candidates.filter((other) => mayBeNear(word, other, most) && isNear(word, other, most));
  const best = nearest(word, near, most);
  return best === undefined ? [] : [best, ...near.filter((other) => other !== best)];
}

function isNear(word: string, other: string, most: number): boolean {
  return nearest(word, [other], most) !== undefined;
}

/** Cheap tests before edits are counted: most words of a text fail them. */
function mayBeNear(word: string, other: string, most: number): boolean {
  if (most === 0 || other.length < SHORTEST) return false;
  if (word.startsWith(other) || other.startsWith(word)) return true;
  if (Math.abs(word.length - other.length) > most) return false;
  return word[0] === other[0] || word.slice(-2) === other.slice(-2);
}
