import { expect, it } from "vitest";
import { mayBeTurned, turnedWords, withWords } from "./pdf-ligatures.ts";

/** A page that shows these glyphs, in the order in which they are drawn, from left to right. */
async function pageOf(shown: readonly (readonly (string | number)[])[]) {
  const { OPS } = await import("unpdf/pdfjs");
  const argsArray = shown.map((glyphs) => [
    glyphs.map((glyph) => (typeof glyph === "string" ? { unicode: glyph } : glyph)),
  ]);
  const operators = { fnArray: shown.map(() => OPS.showText), argsArray };
  return { getOperatorList: async () => operators } as unknown as Parameters<typeof turnedWords>[0];
}

it("turns a lam-alef ligature back, and no word that has none", async () => {
  const page = await pageOf([
    ["ة", 12, "و", "لا", "ع", " ", "ل", "ا", "ق"],
    ["ة", "ل", "ا", "ح"],
  ]);
  const words = await turnedWords(page);
  expect(withWords("عالوة قال حالة", words)).toBe("علاوة قال حالة");
});

it("leaves a word alone that the page has in both ways", async () => {
  const page = await pageOf([
    ["لا", "ح"],
    ["ل", "ا", "ح"],
  ]);
  expect(withWords("حال", await turnedWords(page))).toBe("حال");
});

it("is asked only where it can matter", () => {
  expect(mayBeTurned("من خالل")).toBe(true);
  expect(mayBeTurned("بعض")).toBe(false);
});
