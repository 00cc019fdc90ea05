import type { PDFPageProxy } from "unpdf/pdfjs";

/** What the library writes for a lam-alef ligature whose two letters it has turned round with the rest of the line. */
const doubtful = /[\u0622\u0623\u0625\u0627]\u0644/;

export function mayBeTurned(text: string): boolean {
  return doubtful.test(text);
}

interface Glyph {
  readonly unicode: string;
}

/**
 * Arabic words with ligatures, as the library writes them and as they are read. It turns right-to-left text round letter
 * by letter, also inside a glyph that stands for several letters; which glyphs do so is told only by the drawing
 * instructions. A word that stands on the page without the ligature as well is left alone.
 */
export async function turnedWords(page: PDFPageProxy): Promise<ReadonlyMap<string, string>> {
  const { OPS } = await import("unpdf/pdfjs");
  const { fnArray, argsArray } = await page.getOperatorList();
  const words = new Map<string, string>();
  const plain = new Set<string>();
  for (const [index, operation] of fnArray.entries()) {
    if (operation !== OPS.showText) continue;
    for (const glyphs of wordsOf(argsArray[index]?.[0])) {
      const written = Array.from(glyphs.join("")).reverse().join("");
      const read = glyphs.toReversed().join("");
      if (written === read) plain.add(written);
      else words.set(written, read);
    }
  }
  for (const word of plain) words.delete(word);
  return words;
}

/** The glyphs of each word; numbers between them move the next one. */
function wordsOf(shown: unknown): readonly (readonly string[])[] {
  if (!Array.isArray(shown)) return [];
  const words: string[][] = [[]];
  for (const item of shown) {
    if (!isGlyph(item)) continue;
    if (/^[\p{L}\p{M}]+$/u.test(item.unicode)) words.at(-1)?.push(item.unicode);
    else words.push([]);
  }
  return words.filter((word) => /\p{Script=Arabic}/u.test(word.join("")));
}

function isGlyph(item: unknown): item is Glyph {
  return typeof item === "object" && item !== null && "unicode" in item && typeof item.unicode === "string";
}

export function withWords(text: string, words: ReadonlyMap<string, string>): string {
  return text.replace(/[\p{L}\p{M}]+/gu, (word) => words.get(word) ?? word);
}
