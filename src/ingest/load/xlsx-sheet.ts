import type { Grid } from "./grid.ts";
import type { NumberFormat } from "./xlsx-numbers.ts";

interface Cell {
  type: string;
  style: number;
  column: number;
  value: string;
  formula: string;
}

/** Beyond what people lay out by hand; a stray cell in the last column must not make every row as wide. */
const mostColumns = 2000;

/** As many as spreadsheet programs have, with the blank rows between. */
const mostRows = 2 * 1_048_576;

/** Rows of a sheet as texts. Read as a stream of tags: a tree of a large sheet would take twenty times its size. */
export async function readSheet(
  xml: string,
  strings: readonly string[],
  formats: readonly NumberFormat[],
): Promise<Grid> {
  const { Parser } = await import("htmlparser2");
  const rows: string[][] = [];
  let row: string[] = [];
  let cell: Cell | undefined;
  let rowNumber = 0;
  let inValue = false;
  let inFormula = false;
  const byNumber = new Map<number, string[]>();
  const merged: string[] = [];

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const tag = localName(name);
        if (tag === "row") {
          const number = Number(attributes.r) || rowNumber + 1;
          // Blank rows part tables; one stands for any number of them.
          if (number > rowNumber + 1 && rows.length > 0) rows.push([]);
          rowNumber = number;
          row = [];
          byNumber.set(number, row);
        }
        if (tag === "c") cell = openCell(attributes, row.length);
        if (tag === "v" || tag === "t") inValue = true;
        if (tag === "rPh" || tag === "f") inValue = false;
        inFormula = tag === "f";
        if (tag === "mergeCell") merged.push(attributes.ref ?? "");
      },
      ontext(text) {
        if (inValue && cell !== undefined) cell.value += text;
        if (inFormula && cell !== undefined) cell.formula += text;
      },
      onclosetag(name) {
        const tag = localName(name);
        if (tag === "v" || tag === "t") inValue = false;
        if (tag === "f") inFormula = false;
        if (tag === "c" && cell !== undefined) {
          place(row, cell, textOf(cell, strings, formats));
          cell = undefined;
        }
        if (tag === "row") rows.push(row);
        if (rows.length > mostRows) throw new Error(`it has more than ${mostRows} rows`);
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  for (const range of merged) fillAcross(range, byNumber, width);
  for (const range of merged) fillDown(range, byNumber, rowNumber);
  return rows;
}

/** A name that is merged over several columns stands for all of them; a row with nothing else is a caption. */
function fillAcross(range: string, rows: ReadonlyMap<number, string[]>, width: number): void {
  const [, from = "", number, to = ""] = /^([A-Z]+)(\d+):([A-Z]+)\d+$/.exec(range) ?? [];
  const row = rows.get(Number(number));
  const column = columnOf(from);
  const text = row?.[column] ?? "";
  if (row === undefined || text === "" || !row.every(isName)) return;
  if (row.every((cell, at) => cell === "" || at === column)) return;
  const end = Math.min(columnOf(to), width - 1);
  for (let next = column + 1; next <= end; next++)
    if ((row[next] ?? "") === "") place(row, { column: next }, text);
}

/** Words or a year, not a value. */
function isName(cell: string): boolean {
  return cell === "" || /^\P{N}*\p{L}/u.test(cell) || /^(?:19|20)\d\d$/.test(cell);
}

/** A cell that is merged over several rows stands for all of them; rows without anything else stay blank. */
function fillDown(range: string, rows: ReadonlyMap<number, string[]>, lastRow: number): void {
  const [, letters = "", first, last] = /^([A-Z]+)(\d+):[A-Z]+(\d+)$/.exec(range) ?? [];
  const column = columnOf(letters);
  const text = rows.get(Number(first))?.[column] ?? "";
  if (text === "") return;
  const end = Math.min(Number(last), lastRow);
  for (let number = Number(first) + 1; number <= end; number++) {
    const row = rows.get(number);
    if (row?.some((cell) => cell !== "")) place(row, { column }, text);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function openCell(attributes: Readonly<Record<string, string>>, next: number): Cell {
  const letters = /^[A-Z]+/.exec(attributes.r ?? "")?.[0];
  const column = letters === undefined ? next : columnOf(letters);
  return { type: attributes.t ?? "n", style: Number(attributes.s ?? 0), column, value: "", formula: "" };
}

/** "A" is 0, "AA" is 26. */
function columnOf(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function place(row: string[], { column }: Pick<Cell, "column">, text: string): void {
  if (text === "" || column >= mostColumns) return;
  while (row.length < column) row.push("");
  row[column] = text;
}

function textOf(
  { type, style, value, formula }: Cell,
  strings: readonly string[],
  formats: readonly NumberFormat[],
): string {
  // A workbook that was never opened in a spreadsheet program has no values yet.
  if (value === "" && formula !== "") return `=${formula}`;
  if (type === "s") return strings[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type !== "n" || value.trim() === "") return value.replace(/_x([0-9A-Fa-f]{4})_/g, asCharacter);
  return formats[style]?.(Number(value)) ?? plain(value);
}

function asCharacter(_: string, code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}

/** "0.30000000000000004" is 0.3 to everybody who looks at the sheet. */
function plain(value: string): string {
  const number = Number(value);
  return Number.isFinite(number) ? String(Number(number.toPrecision(15))) : value;
}
