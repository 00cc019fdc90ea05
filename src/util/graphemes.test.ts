import fc from "fast-check";
import { expect, test } from "vitest";
import { graphemeBorders } from "./graphemes.ts";

test("borders are those of the segmenter over the whole text", () => {
  const piece = fc.constantFrom(
    "a",
    " ",
    "\r",
    "\n",
    "\u0301",
    "👩",
    "\u200d",
    "🇮",
    "🇩",
    "ก",
    "ำ",
    "中",
    "か",
    "\u3099",
    "\u0600",
    "각",
    "\ud83d",
    "©",
    "\ufe0f",
    "क",
    "्",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (parts) => {
      const text = parts.join("");
      const expected = new Set([text.length]);
      for (const { index } of new Intl.Segmenter("und", { granularity: "grapheme" }).segment(text))
        expected.add(index);
      const isBorder = graphemeBorders(text);
      for (let at = 0; at <= text.length; at++) expect(isBorder(at)).toBe(at === 0 || expected.has(at));
    }),
    { numRuns: 500 },
  );
});
