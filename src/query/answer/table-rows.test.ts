import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { passageUnits } from "./passage-units.ts";
import { rowAt, rowInWords, tablesOf } from "./table-rows.ts";

const words = (text: string, part: string) => {
  const row = rowAt(text, text.indexOf(part));
  return row && rowInWords(row);
};

describe("a row in words", () => {
  test.each([
    [
      "Markdown",
      "Text.\n\n| Team | Cups |\n|---|---|\n| Blues | 1 |\n| Leafs | 13 |\n\nMore.",
      "Team: Leafs; Cups: 13",
    ],
    [
      "CSV with a title",
      "Cups,,\nTeam,City,Cups\nBlues,STL,1\nLeafs,TOR,13\n",
      "Team: Leafs; City: TOR; Cups: 13",
    ],
    [
      "semicolons and quotes",
      'Team;City;Cups\nBlues;STL;1\nLeafs;"Toronto;ON";13\r\n',
      "Team: Leafs; City: Toronto;ON; Cups: 13",
    ],
    [
      "a first column without a heading",
      "| 2021 | 2020\nRevenue:\nFees | 9 | 8\nLeafs | 19 | 10\n",
      "Leafs; 2021: 19; 2020: 10",
    ],
    ["names and values", "Founded | 1917\nLeafs | 13 cups\nCity | Toronto", "Leafs: 13 cups"],
  ])("%s", (_, text, expected) => {
    expect(words(text, "Leafs")).toBe(expected);
  });

  test("a header has none, nor has prose with commas", () => {
    expect(words("Team,City,Cups\nBlues,STL,1\nLeafs,TOR,13\n", "Team")).toBeUndefined();
    const prose =
      "We like apples, pears, and figs.\nThey like plums, nuts, and dates.\nI like bread, jam, and tea.";
    expect(tablesOf(prose)).toEqual([]);
    expect(words(prose, "plums")).toBeUndefined();
  });
});

test("of fenced code a few lines are quoted, without the fence", () => {
  const text = "See:\n\n```js {2}\nfoo();\nbar(x);\n\nbaz();\n```\n\nThe end is near.\n";
  expect(passageUnits(text, "en").map(({ start, end }) => text.slice(start, end))).toEqual([
    "See:",
    "foo();\nbar(x);",
    "baz();",
    "The end is near.",
  ]);
});

test("units are in order, apart, inside the text and trimmed, whatever it is", () => {
  const line = fc.constantFrom(
    "a,b,c",
    "1;2;3",
    "| a | b |",
    "|---|---|",
    "x | y",
    "```js",
    "```",
    "",
    "Said she. So?",
    "f();",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string()), { maxLength: 14 }), (lines) => {
      const text = lines.join("\n");
      let before = 0;
      for (const { start, end } of passageUnits(text, "en")) {
        expect(start).toBeGreaterThanOrEqual(before);
        expect(end).toBeGreaterThan(start);
        expect(text.slice(start, end)).toBe(text.slice(start, end).trim());
        before = end;
      }
      expect(before).toBeLessThanOrEqual(text.length);
    }),
  );
});
