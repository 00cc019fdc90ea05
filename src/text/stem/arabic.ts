import { foldMarks } from "../normalise.ts";

/** Articles, with the conjunction or preposition written before them. */
const ARTICLE = /^(?:ال(?=\p{L}{2})|[وفبك]ال(?=\p{L}{3})|[وف]?لل(?=\p{L}{3}))/u;
/** Conjunctions and prepositions written onto the word, where enough of it stays. */
const PARTICLE = /^(?:و(?!ال)|[فبل])(?=\p{L}{4})/u;
const LONG_ENDING = /(?<=\p{L}{3})(?:ها|هم|ان|ات|ون|ين|يه)$/u;
const SHORT_ENDING = /(?<=\p{L}{2})[هي]$/u;

/**
 * A light stemmer after light10 (Larkey, Ballesteros, Connell 2007, "Light stemming for Arabic information retrieval"),
 * on letters without marks and with one form of alef, ya and ha. Unlike there, prefixes are taken off until none is left,
 * so that a word keeps the same rest whatever stands in front of it ("وزير", "والوزير").
 */
export function stemArabic(word: string): string {
  let bare = foldMarks(word);
  for (let before = ""; before !== bare; ) {
    before = bare;
    bare = bare.replace(ARTICLE, "").replace(PARTICLE, "");
  }
  return bare.replace(LONG_ENDING, "").replace(SHORT_ENDING, "");
}
