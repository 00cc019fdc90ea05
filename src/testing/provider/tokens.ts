import type { TokenPiece } from "./types.ts";

/**
 * The simulation's own count, rough on purpose and unlike the one that konteks plans with: six letters or three digits
 * to a token, a token for every other sign, none for white space.
 */
const piece = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}]+|\p{Nd}+|[^\s\p{Nd}]/gu;

export function* tokenPieces(text: string): Generator<TokenPiece> {
  for (const match of text.matchAll(piece)) {
    const size = /^\p{Nd}/u.test(match[0]) ? 3 : 6;
    yield { end: match.index + match[0].length, tokens: Math.ceil(match[0].length / size) };
  }
}

/** Counts with one way of taking texts apart; long texts come again and again and are counted once. */
export interface TokenCounter {
  pieces(text: string): Iterable<TokenPiece>;
  count(text: string): number;
  /** The beginning of a text that fits into a number of tokens. */
  first(text: string, limit: number): string;
}

const mostKnown = 5_000;

export function createTokenCounter(
  pieces: (text: string) => Iterable<TokenPiece> = tokenPieces,
): TokenCounter {
  const known = new Map<string, number>();
  return {
    pieces,
    count(text) {
      const before = known.get(text);
      if (before !== undefined) return before;
      let sum = 0;
      for (const { tokens } of pieces(text)) sum += tokens;
      if (known.size >= mostKnown) known.clear();
      known.set(text, sum);
      return sum;
    },
    first(text, limit) {
      let sum = 0;
      let end = 0;
      for (const next of pieces(text)) {
        sum += next.tokens;
        if (sum > limit) return text.slice(0, end);
        end = next.end;
      }
      return text;
    },
  };
}

export const roughTokens = createTokenCounter();

/** The rough count. */
export function tokensOf(text: string): number {
  return roughTokens.count(text);
}
