import { takeApart, termOf } from "./compound.ts";
import { normaliseWord } from "./normalise.ts";
import { scan } from "./scan.ts";
import { grams, segmentWords } from "./segment.ts";

/**
 * The words of a text in order, each as its exact term in the index: the parts of joined words, pairs of characters of
 * Han and Kana, dictionary words of Thai and the like. No stems or other variants.
 */
export function exactTerms(text: string): readonly string[] {
  const terms: string[] = [];
  scan(text, (start, end, kind) => {
    const raw = text.slice(start, end);
    if (kind === "word") for (const leaf of takeApart(raw).leaves) terms.push(termOf(leaf));
    else if (kind === "ideographs") terms.push(...grams(normaliseWord(raw), 2));
    else terms.push(...segmentWords(normaliseWord(raw)).map(termOf));
  });
  return terms;
}

/** The terms whose document frequencies the query side of the lexical embedding asks for, each once. */
export function lexicalIdfTerms(query: string): readonly string[] {
  return [...new Set(exactTerms(query))];
}
