/** A Markdown table whose columns also line up as plain text. The first column is left-aligned, the others right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(3, ...[title, ...rows.map((row) => row[column] ?? "")].map(width)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((size, column) => pad(cells[column] ?? "", size, column === 0)).join(" | ")} |`;
  const rule = widths.map((size, column) => (column === 0 ? "-".repeat(size) : `${"-".repeat(size - 1)}:`));
  return [line(header), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
}

function width(text: string): number {
  return [...text].length;
}

function pad(text: string, size: number, left: boolean): string {
  const blanks = " ".repeat(Math.max(0, size - width(text)));
  return left ? text + blanks : blanks + text;
}
