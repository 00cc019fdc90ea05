import fc from "fast-check";
import { expect, test } from "vitest";
import { widthOf } from "./layout.ts";
import { wrappedColumns } from "./wrapped-columns.ts";

const word = fc.string({ unit: fc.constantFrom("a", "é", "租", "b"), minLength: 1, maxLength: 9 });
const cell = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));

test("every word is there, unbroken, and no line is wider than asked", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
      const text = wrappedColumns(rows, 80);
      for (const line of text) expect(widthOf(line)).toBeLessThanOrEqual(80);
      const words = (all: readonly string[]) =>
        all
          .flatMap((part) => part.split(/\s+/))
          .filter(Boolean)
          .sort();
      expect(words(text)).toEqual(words(rows.flat()));
    }),
  );
});

test("columns that fit stay one line each", () => {
  expect(
    wrappedColumns(
      [
        ["a", "long words here"],
        ["bb", "x"],
      ],
      40,
    ),
  ).toEqual(["a   long words here", "bb  x"]);
});
