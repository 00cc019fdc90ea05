import { columns, pad, widthOf, wrap } from "./layout.ts";

const GAP = 2;
/** A column is made no narrower for the sake of others than this, however short its words. */
const NARROWEST = 14;

/**
 * Rows in columns of at most `width` together: the widest columns are broken between words until they fit. `last` and
 * `first` are what is done to the text of these columns (a colour, which takes no room).
 */
export function wrappedColumns(
  rows: readonly (readonly string[])[],
  width: number,
  last: Painted = asItIs,
  first: Painted = asItIs,
): string[] {
  const widths = fitted(rows, width);
  return rows.flatMap((row) => lines(row, widths, last, first));
}

type Painted = (text: string) => string;

const asItIs: Painted = (text) => text;

function fitted(rows: readonly (readonly string[])[], width: number): readonly number[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const cellsOf = (i: number) => rows.map((row) => row[i] ?? "");
  const widths = Array.from({ length: count }, (_, i) => Math.max(...cellsOf(i).map(widthOf)));
  const least = widths.map((_, i) =>
    Math.min(width / 2, Math.max(NARROWEST, ...cellsOf(i).map(longestWord))),
  );
  for (let over = total(widths) - width; over > 0; over--) {
    const room = widths.map((each, i) => each - (least[i] ?? 0));
    const widest = widths.reduce(
      (best, each, i) => ((room[i] ?? 0) > 0 && each > (widths[best] ?? 0) ? i : best),
      room.findIndex((each) => each > 0),
    );
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each + GAP, -GAP);
}

function longestWord(text: string): number {
  return Math.max(0, ...text.split(/\s+/).map(widthOf));
}

function lines(row: readonly string[], widths: readonly number[], last: Painted, first: Painted): string[] {
  const cells = row.map((cell, i) =>
    widthOf(cell) <= (widths[i] ?? 0) ? [cell] : wrap(cell, widths[i] ?? 0),
  );
  const height = Math.max(1, ...cells.map((cell) => cell.length));
  return Array.from({ length: height }, (_, line) => {
    const texts = cells.map((cell) => cell[line] ?? "");
    const front = texts.slice(0, -1).map((text, i) => {
      const blanks = pad(text, widths[i] ?? 0).slice(text.length);
      return (i === 0 && text !== "" ? first(text) : text) + blanks;
    });
    const end = texts.at(-1) ?? "";
    return columns([[...front, end === "" ? "" : last(end)]])[0] ?? "";
  });
}
