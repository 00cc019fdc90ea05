/** A table's cells as text. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A Markdown table whose columns also line up as plain text. The first column is left-aligned, the others right but those of words. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  ofWords: readonly number[] = [],
): string {
  const isLeft = (column: number) => column === 0 || ofWords.includes(column);
  const escaped = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = header.map((title, column) =>
    Math.max(3, ...[title, ...escaped.map((row) => row[column] ?? "")].map(width)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((size, column) => pad(cells[column] ?? "", size, isLeft(column))).join(" | ")} |`;
  const rule = widths.map((size, column) => (isLeft(column) ? "-".repeat(size) : `${"-".repeat(size - 1)}:`));
  return [line(header), `| ${rule.join(" | ")} |`, ...escaped.map(line)].join("\n");
}

/** The same in several tables below each other where one would be wider than `columns`; each begins with the first column. */
export function tables(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns = Number.POSITIVE_INFINITY,
): string {
  const sizeOf = (column: number) =>
    3 + Math.max(3, ...[header, ...rows].map((row) => width(row[column] ?? "")));
  const groups: number[][] = [];
  let used = 0;
  for (let column = 1; column < header.length; column++) {
    used += sizeOf(column);
    if (groups.length === 0 || used > columns) {
      groups.push([0]);
      used = 1 + sizeOf(0) + sizeOf(column);
    }
    groups.at(-1)?.push(column);
  }
  const pick = (row: readonly string[], group: readonly number[]) => group.map((column) => row[column] ?? "");
  return groups
    .map((group) =>
      table(
        pick(header, group),
        rows.map((row) => pick(row, group)),
      ),
    )
    .join("\n\n");
}

/** Columns that a text takes on a terminal: two for an East Asian sign, none for a mark on the sign before it. */
export function width(text: string): number {
  return [...text].reduce((sum, sign) => sum + (MARK.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1), 0);
}

const MARK = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const WIDE =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]$/u;

function pad(text: string, size: number, left: boolean): string {
  const blanks = " ".repeat(Math.max(0, size - width(text)));
  return left ? text + blanks : blanks + text;
}
