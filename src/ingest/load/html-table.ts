import { isUnseen } from "./html-main.ts";
import { raisedText } from "./html-raised.ts";
import { attribute, type Element, findAll, isElement, isInline, visit } from "./html-tree.ts";

interface Cell {
  readonly text: string;
  readonly isHeader: boolean;
  readonly columns: number;
  readonly rows: number;
}

export interface TableRows {
  readonly rows: readonly string[];
  readonly headerRows: number;
}

const maxRows = 1000;
const maxColumns = 100;
const maxWidth = 1000;
/** Longer cells hold prose: the table is there for the page's layout. */
const longestCell = 3000;
/** A label of several rows is repeated in each, so that a row can stand alone; longer texts stand once. */
const longestRepeated = 100;

/** Whether a table only arranges the page; its cells are then read one after the other as ordinary content. */
export function isLayout(table: Element): boolean {
  const role = attribute(table, "role");
  if (role === "presentation" || role === "none") return true;
  const inside = findAll(table, (element) => element !== table && isStructure(element));
  if (inside.some((element) => element.tagName === "th" || element.tagName === "thead")) return false;
  return (
    inside.length > 0 ||
    rowsOf(table).every((row) => row.length <= 1 || row.some(({ text }) => text.length > longestCell))
  );
}

function isStructure(element: Element): boolean {
  return /^(h[1-6]|table|ul|ol|pre|th|thead|main|article|form)$/.test(element.tagName);
}

/** A table as rows of cells between " | ". Columns and rows that are empty throughout are left out. */
export function readTable(table: Element): TableRows {
  const cells = rowsOf(table);
  const grid = mergeColumns(fillGrid(cells).map(joinSigns));
  const used = usedColumns(grid);
  const rows = grid.map((row) =>
    used
      .map((column) => row[column] ?? "")
      .join(" | ")
      .replace(/( \| ?)+$/, "")
      .trim(),
  );
  const kept = rows.map((row) => /[^\s|]/.test(row));
  const marked = countLeading(cells, (row) => row.length > 0 && row.every(({ isHeader }) => isHeader));
  const headerRows = marked > 0 && marked < cells.length ? marked : looksLikeHeader(grid, used) ? 1 : 0;
  return {
    rows: rows.filter((_, index) => kept[index]),
    headerRows: kept.slice(0, headerRows).filter(Boolean).length,
  };
}

/** Rows of a table itself, not of tables inside its cells. */
function rowsOf(table: Element): readonly (readonly Cell[])[] {
  const rows: Cell[][] = [];
  visit(table, {
    enter(node) {
      if (!isElement(node)) return false;
      if (isUnseen(node)) return false;
      if (node.tagName === "tr") rows.push([]);
      if (node.tagName === "caption")
        rows.push([{ text: cellText(node), isHeader: true, columns: 1, rows: 1 }]);
      if (node.tagName !== "td" && node.tagName !== "th") return node === table || node.tagName !== "caption";
      rows.at(-1)?.push(readCell(node));
      return false;
    },
  });
  return rows;
}

function readCell(cell: Element): Cell {
  return {
    text: cellText(cell),
    isHeader: cell.tagName === "th" || isInHead(cell),
    columns: spanOf(cell, "colspan", maxColumns),
    rows: spanOf(cell, "rowspan", maxRows),
  };
}

function isInHead(cell: Element): boolean {
  const row = cell.parentNode;
  return row !== null && "parentNode" in row && row.parentNode?.nodeName === "thead";
}

function spanOf(cell: Element, name: string, most: number): number {
  const span = Number.parseInt(attribute(cell, name) ?? "1", 10);
  return Number.isFinite(span) ? Math.min(Math.max(span, 1), most) : 1;
}

/** Separators that no page text holds, while a cell is collected. */
const cellEnd = "\u001F";
const rowEnd = "\u001E";

/** A cell in one line; the rows of a table inside it are set apart by ";", its cells by ",". */
function cellText(cell: Element): string {
  const parts: string[] = [];
  visit(cell, {
    enter(node) {
      if (isElement(node)) {
        if (isUnseen(node)) return false;
        if (node.tagName === "br" || !isInline(node)) parts.push(" ");
        if (node.tagName === "img") parts.push(attribute(node, "alt") ?? "");
      }
      parts.push(raisedText(node, parts.findLast((part) => part !== "") ?? "") ?? "");
      return true;
    },
    leave(node) {
      if (isElement(node) && node !== cell) parts.push(after(node));
    },
  });
  const rows = parts.join("").replaceAll("\u00AD", "").split(rowEnd);
  return joinFilled(
    rows.map((row) => joinFilled(row.split(cellEnd), ", ")),
    "; ",
  );
}

function joinFilled(texts: readonly string[], separator: string): string {
  const tidied = texts.map((text) => text.replace(/\s+/g, " ").trim());
  return tidied.filter((text) => text !== "").join(separator);
}

function after(element: Element): string {
  if (element.tagName === "td" || element.tagName === "th") return cellEnd;
  if (element.tagName === "tr") return rowEnd;
  return isInline(element) ? "" : " ";
}

function fillGrid(rows: readonly (readonly Cell[])[]): string[][] {
  const grid: (string | undefined)[][] = rows.map(() => []);
  rows.forEach((cells, index) => {
    let column = 0;
    for (const cell of cells) {
      while (grid[index]?.[column] !== undefined) column++;
      if (column >= maxWidth) break;
      placeCell(grid, cell, index, column);
      column += cell.columns;
    }
  });
  return grid.map((row) => Array.from(row, (text) => text ?? ""));
}

function placeCell(grid: (string | undefined)[][], cell: Cell, index: number, column: number): void {
  const repeated = cell.text.length <= longestRepeated ? cell.text : "";
  for (let down = 0; down < cell.rows; down++) {
    const row = grid[index + down];
    if (row === undefined) return;
    for (let right = 0; right < cell.columns && column + right < maxWidth; right++) {
      row[column + right] ??= right > 0 ? "" : down > 0 ? repeated : cell.text;
    }
  }
}

/** Financial tables set currency, percent and closing brackets in cells of their own. */
function joinSigns(row: readonly string[]): string[] {
  const joined = [...row];
  const used = row.flatMap((text, column) => (text === "" ? [] : [column]));
  used.forEach((column, index) => {
    const [previous, next] = [used[index - 1], used[index + 1]];
    const text = joined[column] ?? "";
    if (next !== undefined && /^[($€£¥]+$/.test(text) && /^[\d(—–-]/.test(joined[next] ?? "")) {
      joined[next] = text + joined[next];
      joined[column] = "";
    } else if (previous !== undefined && /^[)%]+$/.test(text)) {
      joined[previous] += text;
      joined[column] = "";
    }
  });
  return joined;
}

/**
 * Spanning headers leave column names and values in neighbouring columns. Two columns are one when no row fills both
 * (columns with names of their own never are, since the row of names fills both).
 */
function mergeColumns(grid: readonly (readonly string[])[]): string[][] {
  const used = usedColumns(grid);
  const merged: string[][] = grid.map(() => []);
  for (const column of used) {
    const target = (merged[0]?.length ?? 0) - 1;
    const fits = target > 0 && grid.every((row, index) => !row[column] || !merged[index]?.[target]);
    grid.forEach((row, index) => {
      const text = row[column] ?? "";
      const into = merged[index];
      if (into === undefined) return;
      if (fits) into[target] ||= text;
      else into.push(text);
    });
  }
  return merged;
}

function usedColumns(grid: readonly (readonly string[])[]): readonly number[] {
  const used = new Set<number>();
  for (const row of grid) {
    row.forEach((text, column) => {
      if (text !== "") used.add(column);
    });
  }
  return [...used].sort((a, b) => a - b);
}

/** Without marked header cells: a first row that names every column, above at least two more rows. */
function looksLikeHeader(grid: readonly (readonly string[])[], used: readonly number[]): boolean {
  const first = grid[0] ?? [];
  if (grid.length < 3 || used.length < 2) return false;
  return used.every(
    (column, index) => /\p{L}/u.test(first[column] ?? "") || (index === 0 && (first[column] ?? "") === ""),
  );
}

function countLeading<T>(items: readonly T[], test: (item: T) => boolean): number {
  const end = items.findIndex((item) => !test(item));
  return end < 0 ? items.length : end;
}
