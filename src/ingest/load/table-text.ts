import type { Block, Heading, Span } from "../../spec/index.ts";
import { coverBlocks, trimSpan } from "../../text/structure/index.ts";
import { scanRows } from "./csv-rows.ts";
import { namesColumns } from "./grid.ts";
import type { CsvOptions, Parsed } from "./types.ts";

/** A row with its place in the text. */
interface Row extends Span {
  readonly width: number;
  /** Empty in rows whose cells nobody asks for: those of a large file would fill the memory. */
  readonly cells: readonly string[];
}

/** Rows that tell the header and the title. */
const LOOKED_AT = 10;

interface Table {
  readonly rows: readonly Row[];
  /** A first line "sep=;", which tells Excel the delimiter. */
  readonly mark?: Span;
  readonly warning?: string;
}

const DELIMITERS = [",", ";", "\t", "|"] as const;

/**
 * Comma-separated values and their kin. The text stays as it is, so that a line of the file is a line here; rows are the
 * parts of one table, whose header stands above every chunk of it for the index.
 */
export async function loadCsv(text: string, id: string, options: CsvOptions = {}): Promise<Parsed> {
  const { rows, mark, warning } = await readTable(text, id, options, LOOKED_AT);
  const captions = captionsOf(rows);
  const table = rows.slice(captions);
  const hasHeader = options.header ?? namesColumns(table.slice(0, 2).map(({ cells }) => cells));
  const blocks: Block[] = mark === undefined ? [] : [{ kind: "metadata", ...mark }];
  const outline: Heading[] = [];
  for (const { start, end, cells } of rows.slice(0, captions)) {
    blocks.push({ kind: "heading", level: 1, start, end });
    outline.push({ level: 1, start, end, text: cells.join(" ").replace(/\s+/g, " ").trim() });
  }
  const [first] = table;
  const last = table.at(-1);
  if (first !== undefined && last !== undefined) {
    const parts = partsOf(table.slice(hasHeader ? 1 : 0));
    const header = hasHeader && table.length > 1 ? { header: { start: first.start, end: first.end } } : {};
    blocks.push({ kind: "table", start: first.start, end: last.end, ...header, parts });
  }
  const warnings = [...(warning === undefined ? [] : [warning]), ...ragged(table)];
  return { text, format: "csv", metadata: {}, outline, blocks: coverBlocks(text, blocks), warnings };
}

/** More rows than this are told in groups: each is an object that is kept and sent between processes. */
const MOST_PARTS = 50_000;
/** Characters of such a group; a chunk holds several. */
const GROUP = 200;

function partsOf(rows: readonly Row[]): readonly Span[] {
  if (rows.length <= MOST_PARTS) return rows.map(({ start, end }) => ({ start, end }));
  const parts: { start: number; end: number }[] = [];
  for (const { start, end } of rows) {
    const last = parts.at(-1);
    if (last !== undefined && end - last.start <= GROUP) last.end = end;
    else parts.push({ start, end });
  }
  return parts;
}

/** Rows as objects by the names of the columns. */
export async function csvRecords(
  text: string,
  id: string,
): Promise<readonly Readonly<Record<string, string>>[]> {
  const { rows } = await readTable(text, id, {}, Number.POSITIVE_INFINITY);
  const [names = { cells: [] }, ...table] = rows.slice(captionsOf(rows));
  return table.map(({ cells }) =>
    Object.fromEntries(
      cells.map((cell, index) => [names.cells[index]?.trim() || `column ${index + 1}`, cell]),
    ),
  );
}

async function readTable(text: string, id: string, options: CsvOptions, withCells: number): Promise<Table> {
  const told = /^sep=(.)(\r\n|\r|\n)/.exec(text);
  const from = told?.[0].length ?? 0;
  const delimiter = options.delimiter ?? told?.[1] ?? (/\.tsv$/i.test(id) ? "\t" : guessDelimiter(text));
  const mark = told === null ? {} : { mark: { start: 0, end: told[0].trimEnd().length } };
  const rows = await parseRows(text, from, delimiter, withCells);
  if (rows !== undefined) return { rows, ...mark };
  const warning = "The quotation marks do not pair up, so each line was read as a row.";
  return { rows: linesAsRows(text, from, delimiter), ...mark, warning };
}

/** The delimiter that parts the first lines into the most columns, the same number in most of them. */
function guessDelimiter(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .replace(/"(?:[^"]|"")*"/g, "q")
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== "")
    .slice(0, 50);
  const scored = DELIMITERS.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length);
    const usual = [...counts].sort((a, b) => a - b)[counts.length >> 1] ?? 1;
    const agreeing = counts.filter((count) => count === usual).length;
    return { delimiter, score: usual < 2 ? 0 : (agreeing / counts.length) * Math.min(usual, 10) };
  });
  const best = scored.sort((a, b) => b.score - a.score)[0];
  return best === undefined || best.score === 0 ? "," : best.delimiter;
}

/** Undefined when quotation marks do not pair up. */
async function parseRows(
  text: string,
  from: number,
  delimiter: string,
  withCells: number,
): Promise<readonly Row[] | undefined> {
  const scanned = scanRows(text, from, delimiter);
  if (scanned === undefined) return undefined;
  const { parse } = await import("csv-parse/sync");
  const looked = scanned.slice(0, withCells);
  const end = looked.at(-1)?.end ?? from;
  const records = parse(text.slice(from, end), {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    record_delimiter: ["\r\n", "\n", "\r"],
  }) as string[][];
  const cells = records.filter((record) => record.some((cell) => cell.trim() !== ""));
  return scanned.map(({ start, end, width }, index) => {
    const span = trimSpan(text, start, end) ?? { start, end };
    return { ...span, width, cells: index < looked.length ? (cells[index] ?? NONE) : NONE };
  });
}

const NONE: readonly string[] = [];

function linesAsRows(text: string, from: number, delimiter: string): readonly Row[] {
  const rows: Row[] = [];
  for (const { index, 0: line } of text.slice(from).matchAll(/[^\r\n]+/g)) {
    const span = trimSpan(text, from + index, from + index + line.length);
    if (span === undefined) continue;
    const cells = line.split(delimiter);
    rows.push({ ...span, width: cells.length, cells });
  }
  return rows;
}

/** Lines above the table that fill one cell only say what it is. */
function captionsOf(rows: readonly Row[]): number {
  const first = rows.findIndex(({ cells }) => cells.filter((cell) => cell.trim() !== "").length > 1);
  return first > 0 && first <= 5 ? first : 0;
}

function ragged(rows: readonly Row[]): string[] {
  const width = rows[0]?.width ?? 0;
  const odd = rows.filter((row) => row.width !== width).length;
  return odd === 0 ? [] : [`${odd} of ${rows.length} rows have not as many cells as the first.`];
}
