import type { Span } from "../../spec/index.ts";

/** A row of a table as it stands in the text: Markdown, cells parted by bars, tabs, semicolons or commas. */
export interface TableRow extends Span {
  readonly cells: readonly string[];
}

export interface Table extends Span {
  readonly rows: readonly TableRow[];
  /** The first row with a word in every cell, but for a first one; a list of names and values has none. */
  readonly header: TableRow | undefined;
}

/** Tables of a text, in order. Lines without blank ones between them are one when most of them have cells. */
export function tablesOf(text: string): readonly Table[] {
  return [...text.matchAll(/(?:[^\S\n]*\S[^\n]*(?:\n|$))+/g)].flatMap(({ 0: block, index }) => {
    const table = tableOf(block, index);
    return table ? [table] : [];
  });
}

export interface RowWithHeader {
  readonly header: TableRow | undefined;
  readonly row: TableRow;
}

/** The row at a place of a text, with its table's header; undefined outside of tables, and in and above the header. */
export function rowAt(text: string, at: number): RowWithHeader | undefined {
  const { start, end } = paragraphAt(text, at);
  const [table] = tablesOf(text.slice(start, end));
  const row = table?.rows.find((one) => start + one.start <= at && at < start + one.end);
  if (table === undefined || row === undefined) return undefined;
  const { header } = table;
  if (header !== undefined && row.start <= header.start) return undefined;
  return { header: header && moved(header, start), row: moved(row, start) };
}

function moved(row: TableRow, by: number): TableRow {
  return { ...row, start: row.start + by, end: row.end + by };
}

/** `Article: SKU-4521; Price: 96.50`: the cells of a row, each with that of the header; undefined when they do not fit. */
export function rowInWords({ header, row }: RowWithHeader): string | undefined {
  const [name = "", ...values] = row.cells;
  if (header === undefined) return name === "" ? values.join("; ") : `${name}: ${values.join("; ")}`;
  // A first column without a heading is common.
  const heads = header.cells.length === row.cells.length - 1 ? ["", ...header.cells] : header.cells;
  if (heads.length !== row.cells.length) return undefined;
  const words = row.cells.flatMap((cell, i) => {
    const head = heads[i] ?? "";
    return cell === "" ? [] : [head === "" || head === cell ? cell : `${head}: ${cell}`];
  });
  return words.join("; ");
}

/** The lines around a place without a blank one between them. */
function paragraphAt(text: string, at: number): Span {
  let start = text.lastIndexOf("\n", at - 1) + 1;
  while (start > 0) {
    const before = start > 1 ? text.lastIndexOf("\n", start - 2) + 1 : 0;
    if (text.slice(before, start).trim() === "") break;
    start = before;
  }
  let end = lineEnd(text, at);
  while (end < text.length && text.slice(end, lineEnd(text, end)).trim() !== "") end = lineEnd(text, end);
  return { start, end };
}

/** Behind the line feed of the line that a place is in. */
function lineEnd(text: string, at: number): number {
  const feed = text.indexOf("\n", at);
  return feed < 0 ? text.length : feed + 1;
}

/** Commas and semicolons stand in prose as well: there a space follows, and hardly so many lines have the same number. */
const FEWEST_LINES = 3;
const LONGEST_CELL = 60;

function tableOf(block: string, offset: number): Table | undefined {
  const lines = linesOf(block);
  const delimiter = delimiterOf(lines.map(({ text }) => text));
  if (delimiter === undefined) return undefined;
  const rows = lines.flatMap(({ text, start }): TableRow[] => {
    const cells = cellsOf(text, delimiter);
    if (cells.length < 2 || /^[\s|:-]+$/.test(text)) return [];
    return [{ start: offset + start, end: offset + start + text.length, cells }];
  });
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined || rows.length < 2) return undefined;
  const named =
    delimiter === "|" && !/^[\s|:-]*-[\s|:-]*$/m.test(block) && rows.every(({ cells }) => cells.length === 2);
  const header = rows.find(({ cells }) => cells.slice(1).every((cell) => cell !== "")) ?? first;
  return { start: first.start, end: last.end, rows, header: named ? undefined : header };
}

function linesOf(block: string): readonly { readonly text: string; readonly start: number }[] {
  return [...block.matchAll(/[^\n]+/g)].map(({ 0: line, index }) => {
    const text = line.trim();
    return { text, start: index + line.indexOf(text) };
  });
}

type Delimiter = "|" | "\t" | ";" | ",";

function delimiterOf(lines: readonly string[]): Delimiter | undefined {
  for (const delimiter of ["|", "\t"] as const)
    if (lines.filter((line) => cellsOf(line, delimiter).length > 1).length >= lines.length / 2)
      return delimiter;
  for (const delimiter of [";", ","] as const) {
    if (lines.some((line) => line.replace(/"[^"]*"/g, "").includes(`${delimiter} `))) continue;
    const cells = lines.map((line) => cellsOf(line, delimiter));
    const width = cells[0]?.length ?? 0;
    const even = cells.filter((row) => row.length === width).length;
    const short = cells.flat().every((cell) => cell.length <= LONGEST_CELL);
    if (width > 1 && lines.length >= FEWEST_LINES && even >= 0.8 * lines.length && short) return delimiter;
  }
  return undefined;
}

/** Cells of a line; a cell in quotation marks may hold the sign that parts them. */
function cellsOf(line: string, delimiter: Delimiter): readonly string[] {
  if (delimiter === "|") {
    const inner = line
      .trim()
      .replace(/^\|/, "")
      .replace(/(?<!\\)\|$/, "");
    return inner.split(/(?<!\\)\|/).map((cell) => cell.trim());
  }
  const cells = line.match(new RegExp(`(?:^|${delimiter})(?:"(?:[^"]|"")*"|[^${delimiter}]*)`, "g")) ?? [];
  return cells.map((cell) => {
    const bare = (cell.startsWith(delimiter) ? cell.slice(1) : cell).trim();
    return /^".*"$/.test(bare) ? bare.slice(1, -1).replaceAll('""', '"') : bare;
  });
}
