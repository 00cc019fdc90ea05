import fc from "fast-check";
import { expect, it } from "vitest";
import { widthOf } from "./layout.ts";
import { snippet } from "./snippet.ts";

it("shows a short text as it is, on one line", () => {
  expect(snippet("\nOne.\n\n  Two.", "two", 40)).toEqual({ text: "One. Two.", linesBefore: 1 });
});

it("begins where the words of the query are", () => {
  const text = `${"Filler goes here. ".repeat(30)}The notice period is thirty days. ${"More filler. ".repeat(30)}`;
  const shown = snippet(text, "notice period", 60).text;
  expect(shown).toContain("The notice period is thirty days.");
  expect(shown).toMatch(/^….*…$/);
});

it("names the line, so that an editor opens at a table's row", () => {
  const rows = Array.from({ length: 40 }, (_, i) => `| SKU-${100 + i} | a part with a long name |`);
  const { text, linesBefore } = snippet(rows.join("\n"), "SKU-121", 70);
  expect(text).toMatch(/^…\| SKU-121 \|/);
  expect(linesBefore).toBe(21);
});

it("shows only words of the text, in the width asked for", () => {
  const piece = fc.constantFrom("alpha ", "beta. ", "漢字。", "gamma\n", "x".repeat(30));
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 10, max: 80 }), (pieces, width) => {
      const text = pieces.join("");
      const shown = snippet(text, "beta 漢字", width).text;
      expect(widthOf(shown)).toBeLessThanOrEqual(width);
      expect(text.replace(/\s+/g, " ")).toContain(shown.replace(/^…|…$/g, ""));
    }),
  );
});
