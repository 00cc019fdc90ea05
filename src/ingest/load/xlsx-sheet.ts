import type { Grid } from "./grid.ts";
import type { NumberFormat } from "./xlsx-numbers.ts";

interface Cell {
  type: string;
  style: number;
  column: number;
  value: string;
}

/** Beyond what people lay out by hand; a stray cell in the last column must not make every row as wide. */
const mostColumns = 2000;

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
        }
        if (tag === "c") cell = openCell(attributes, row.length);
        if (tag === "v" || tag === "t") inValue = true;
        if (tag === "rPh" || tag === "f") inValue = false;
      },
      ontext(text) {
        if (inValue && cell !== undefined) cell.value += text;
      },
      onclosetag(name) {
        const tag = localName(name);
        if (tag === "v" || tag === "t") inValue = false;
        if (tag === "c" && cell !== undefined) {
          place(row, cell, textOf(cell, strings, formats));
          cell = undefined;
        }
        if (tag === "row") rows.push(row);
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return rows;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function openCell(attributes: Readonly<Record<string, string>>, next: number): Cell {
  const letters = /^[A-Z]+/.exec(attributes.r ?? "")?.[0];
  const column = letters === undefined ? next : columnOf(letters);
  return { type: attributes.t ?? "n", style: Number(attributes.s ?? 0), column, value: "" };
}

/** "A" is 0, "AA" is 26. */
function columnOf(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function place(row: string[], { column }: Cell, text: string): void {
  if (text === "" || column >= mostColumns) return;
  while (row.length < column) row.push("");
  row[column] = text;
}

function textOf(
  { type, style, value }: Cell,
  strings: readonly string[],
  formats: readonly NumberFormat[],
): string {
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
