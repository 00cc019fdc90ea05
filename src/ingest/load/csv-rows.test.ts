import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, it } from "vitest";
import { scanRows } from "./csv-rows.ts";

/** What a reader that builds every cell makes of it: the width of each row that is not blank. */
function widths(text: string, delimiter: string): number[] | undefined {
  try {
    const records = parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      record_delimiter: ["\r\n", "\n", "\r"],
    }) as string[][];
    return records.filter((cells) => cells.some((cell) => cell.trim() !== "")).map((cells) => cells.length);
  } catch {
    return undefined;
  }
}

it("finds the rows that a whole reader of CSV finds", () => {
  const cell = fc.oneof(
    fc.stringMatching(/^[ab ]{0,4}$/),
    fc.stringMatching(/^[ab]"[ab"]{0,3}$/),
    fc.stringMatching(/^(?:[ab,;\n\r]|""){0,5}[ab]$/).map((text) => `"${text}"`),
    fc.constant('"'),
  );
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
  fc.assert(
    fc.property(
      rows,
      fc.constantFrom(",", ";", "\t"),
      fc.constantFrom("\n", "\r\n", "\r"),
      (cells, delimiter, lineEnd) => {
        const text = cells.map((row) => row.join(delimiter)).join(lineEnd);
        const scanned = scanRows(text, 0, delimiter);
        expect(scanned?.map(({ width }) => width)).toEqual(widths(text, delimiter));
      },
    ),
    { numRuns: 2000 },
  );
});

it("gives places without line ends", () => {
  const text = 'a,b\r\n"x\ny",2\r\n,\r\n3';
  expect(scanRows(text, 0, ",")?.map(({ start, end }) => text.slice(start, end))).toEqual([
    "a,b",
    '"x\ny",2',
    "3",
  ]);
});
