import type { Span } from "../../spec/index.ts";

/**
 * Every place of `quote` in `text`: runs of white space are equal, case and everything else must match. Where it stands
 * nowhere so, signs of one kind are taken for each other (“ and ", ’ and ', – and -), since word processors change them,
 * and then quotation marks around the whole quote are left out. Offsets are of `text`. Overlapping places count once.
 */
export function findQuote(text: string, quote: string): readonly Span[] {
  for (const pattern of quotePatterns(quote)) {
    const places = placesOf(pattern, text);
    if (places.length > 0) return places;
  }
  return [];
}

/** The same over several texts: as it is written in one of them goes before other signs in another. */
export function findQuoteIn<T extends { readonly text: string }>(
  texts: readonly T[],
  quote: string,
): readonly { readonly in: T; readonly place: Span }[] {
  for (const pattern of quotePatterns(quote)) {
    const found = texts.flatMap((each) => placesOf(pattern, each.text).map((place) => ({ in: each, place })));
    if (found.length > 0) return found;
  }
  return [];
}

/** From the strictest to the most lenient; equal ones are left out. */
function quotePatterns(quote: string): readonly RegExp[] {
  const words = quote.trim();
  const bare = new RegExp(`^${DOUBLE}(.+)${DOUBLE}$`, "su").exec(words)?.[1]?.trim() ?? words;
  const sources = [patternOf(words, literal), patternOf(words, ofAKind), patternOf(bare, ofAKind)];
  return [...new Set(sources)].filter((source) => source !== "").map((source) => new RegExp(source, "gu"));
}

function patternOf(words: string, write: (word: string) => string): string {
  return words.split(/\s+/u).map(write).join("\\s+");
}

function placesOf(pattern: RegExp, text: string): readonly Span[] {
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}

const DOUBLE = `["“”„‟«»]`;
const KINDS = [DOUBLE, "['‘’‚‛´`]", "[\\-‐‑‒–—−]"];

function ofAKind(word: string): string {
  return [...word]
    .map((sign) => KINDS.find((kind) => new RegExp(kind, "u").test(sign)) ?? literal(sign))
    .join("");
}

function literal(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
