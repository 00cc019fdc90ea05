import type { Span } from "../../spec/index.ts";

/**
 * Every place of `quote` in `text`, compared by its words: runs of white space are equal, and case and everything else
 * must match. Offsets are of `text`. Overlapping places count once.
 */
export function findQuote(text: string, quote: string): readonly Span[] {
  const words = quote.trim().split(/\s+/u).map(literal);
  if (words[0] === "") return [];
  const pattern = new RegExp(words.join("\\s+"), "gu");
  return [...text.matchAll(pattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function literal(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
