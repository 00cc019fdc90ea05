import type { NewBlock } from "./text-builder.ts";

export type Grid = readonly (readonly string[])[];

/**
 * Blocks of a grid of cells, as a spreadsheet or a table of slides has them. Blank rows part it; rows of a single cell at
 * the head of a part are captions; the first row of the rest is its header if it names columns.
 */
export function gridBlocks(grid: Grid, options: { readonly headerRows?: number } = {}): readonly NewBlock[] {
  const parts = partsOf(grid.map((row) => row.map(oneLine)));
  return withHeaders(parts).flatMap((rows) => partBlocks(rows, options.headerRows));
}

/** Reports leave a blank row between the names of the columns and the values. */
function withHeaders(parts: readonly Grid[]): readonly Grid[] {
  const joined: Grid[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const isHeader = last !== undefined && last.length <= mostHeaderRows && filled(last.at(-1) ?? []) > 1;
    if (isHeader && last.every((row) => !hasValues(row)) && part.some(hasValues))
      joined.splice(-1, 1, [...last, ...part]);
    else joined.push(part);
  }
  return joined;
}

const mostHeaderRows = 4;

/** A number, with a currency or a short unit. */
const value = /^[-+(]?(?:\p{Sc} ?|\p{L}{1,3} )?-?[\d.,]+(?:%| ?\p{Sc}| \p{L}{1,3})?\)?$/u;

/** Whether a row holds a number, which no name of a column is. */
function hasValues(row: readonly string[]): boolean {
  return row.some((cell) => value.test(cell) && !isYear(cell));
}

/** Rows of names above the first row of values; where there are no numbers at all, a first row that reads like names. */
function headerRowsOf(table: Grid): number {
  const values = table.findIndex(hasValues);
  if (values > 0 && values <= mostHeaderRows && filled(table[0] ?? []) > 1) return values;
  return namesColumns(table) ? 1 : 0;
}

function oneLine(cell: string): string {
  return cell.replace(/\s+/g, " ").trim();
}

function partsOf(grid: Grid): readonly Grid[] {
  const parts: (readonly string[])[][] = [[]];
  for (const row of grid) {
    if (row.some((cell) => cell !== "")) parts.at(-1)?.push(row);
    else if (parts.at(-1)?.length !== 0) parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}

function partBlocks(rows: Grid, headerRows: number | undefined): readonly NewBlock[] {
  const used = usedColumns(rows);
  const captions = used.length < 2 ? rows.length : rows.findIndex((row) => filled(row) > 1);
  const table = rows.slice(captions).map((row) => used.map((column) => row[column] ?? ""));
  const header = Math.min(headerRows ?? headerRowsOf(table), table.length - 1);
  return [
    ...rows
      .slice(0, captions)
      .map((row): NewBlock => ({ kind: "paragraph", text: row.filter(Boolean).join(" ") })),
    ...(table.length === 0
      ? []
      : [{ kind: "table", text: table.map(joined), headerRows: Math.max(0, header) } satisfies NewBlock]),
  ];
}

function joined(row: readonly string[]): string {
  return row
    .join(" | ")
    .replace(/( \| ?)+$/, "")
    .trim();
}

function usedColumns(rows: Grid): readonly number[] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: width }, (_, column) => column).filter((column) =>
    rows.some((row) => (row[column] ?? "") !== ""),
  );
}

function filled(row: readonly string[]): number {
  return row.reduce((count, cell) => count + (cell === "" ? 0 : 1), 0);
}

/** Names, not values: no number or date among them, none twice, and something below them. */
export function namesColumns(table: Grid): boolean {
  const [first, second] = table;
  if (first === undefined || second === undefined) return false;
  // One that is merged over several columns stands in each of them.
  const names = first.filter((cell, at) => cell !== "" && cell !== first[at - 1]);
  const isName = (cell: string) => /\p{L}/u.test(cell) && cell.length <= 100 && !/^[\d.,%\s/:-]+$/.test(cell);
  return (
    names.length > 1 &&
    names.length >= first.length / 2 &&
    names.every((cell) => isName(cell) || isYear(cell)) &&
    names.some(isName) &&
    new Set(names).size === names.length
  );
}

/** Columns of a report are often years or quarters. */
function isYear(cell: string): boolean {
  return /^(19|20)\d\d$|^Q[1-4]( (19|20)\d\d)?$/.test(cell);
}
