import type { ChunkUnit, Span } from "../../spec/index.ts";
import { TOKEN_SCALE, tokenCost } from "../../text/count-tokens.ts";
import { isBlankAt } from "../../text/structure/index.ts";

/** Cost of a span of the text, in whole numbers; the parts of a span never cost less than the span. */
export type Measure = (text: string, span: Span) => number;

/** How a unit that text can be measured in is measured; one unit costs `scale`. */
export function measureOf(unit: Extract<ChunkUnit, "characters" | "words" | "tokens">): {
  measure: Measure;
  scale: number;
} {
  if (unit === "characters") return { measure: (_, { start, end }) => end - start, scale: 1 };
  if (unit === "words") return { measure: countWords, scale: 1 };
  return { measure: tokenCost, scale: TOKEN_SCALE };
}

/** Longest run without blank space that counts as one word. */
const LONGEST_WORD = 32;
/** The same for scripts that set no spaces between words (Thai, Lao, Burmese, Khmer). */
const LONGEST_UNSPACED = 5;

/** Words of a span: runs between blank spaces, every Han or kana character, every five characters of Thai and its like. */
export function countWords(text: string, { start, end }: Span): number {
  let words = 0;
  let left = 0;
  let longest = 0;
  for (let at = start; at < end; at++) {
    const limit = isBlankAt(text, at) ? 0 : longestWord(text.charCodeAt(at));
    if (limit !== longest) left = 0;
    longest = limit;
    if (limit === 0 || left-- > 0) continue;
    words++;
    left = limit - 1;
  }
  return words;
}

function longestWord(code: number): number {
  if (code < 0xe00) return LONGEST_WORD;
  if (code < 0x1000 || (code < 0x10a0 && code >= 0x1000) || (code >= 0x1780 && code < 0x1800))
    return LONGEST_UNSPACED;
  return (code >= 0x3040 && code < 0xa000) || (code >= 0xf900 && code < 0xfb00) ? 1 : LONGEST_WORD;
}
