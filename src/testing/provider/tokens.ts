/**
 * The simulation's own count, rough on purpose and unlike the one that konteks plans with: six letters or three digits
 * to a token, a token for every other sign, none for white space.
 */
const piece = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}]+|\p{Nd}+|[^\s\p{Nd}]/gu;

export interface TokenPiece {
  /** End of the piece in the text. */
  readonly end: number;
  readonly tokens: number;
}

export function* tokenPieces(text: string): Generator<TokenPiece> {
  for (const match of text.matchAll(piece)) {
    const size = /^\p{Nd}/u.test(match[0]) ? 3 : 6;
    yield { end: match.index + match[0].length, tokens: Math.ceil(match[0].length / size) };
  }
}

export function tokensOf(text: string): number {
  let sum = 0;
  for (const { tokens } of tokenPieces(text)) sum += tokens;
  return sum;
}

/** The beginning of a text that fits into a number of tokens. */
export function firstTokens(text: string, limit: number): string {
  let sum = 0;
  let end = 0;
  for (const next of tokenPieces(text)) {
    sum += next.tokens;
    if (sum > limit) return text.slice(0, end);
    end = next.end;
  }
  return text;
}
