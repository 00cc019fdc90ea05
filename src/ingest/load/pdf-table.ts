import { type Line, tidy } from "./pdf-lines.ts";

type Cell = Line["cells"][number];

/**
 * The cells of each row by its columns, an empty one where a row has none: without it a figure would stand under the wrong
 * name. The columns are those of the row with most cells; a row that does not fit them keeps its cells as they are.
 */
export function rowTexts(rows: readonly Line[]): readonly (readonly string[])[] {
  const widest = rows.reduce(
    (most, row) => (row.cells.length > most.length ? row.cells : most),
    [] as readonly Cell[],
  );
  const columns = widest.map((column) => extentOf(column, rows, widest));
  return rows.map((row) => {
    const cells = partedCells(row.cells, columns);
    const places = cells.map((cell) => placeOf(cell, columns));
    const isFit =
      cells.length < columns.length &&
      places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1));
    if (!isFit) return cells.map(({ text }) => text);
    const texts = columns.map((_, column) => cells[places.indexOf(column)]?.text ?? "");
    return texts.slice(0, (places.at(-1) ?? 0) + 1);
  });
}

/** Names of narrow columns stand so close that they were read as one cell: it is parted where its parts stand in one column each. */
function partedCells(cells: readonly Cell[], columns: readonly Extent[]): readonly Cell[] {
  if (cells.length >= columns.length) return cells;
  return cells.flatMap((cell) => {
    const places = (cell.parts ?? []).map((part) => placeOf(part, columns));
    const isParted = places.length > 1 && places.every((place, index) => place > (places[index - 1] ?? -1));
    if (!isParted || cell.rtl) return [cell];
    return (cell.parts ?? []).map(({ text, x0, x1 }) => ({ ...cell, text: tidy(text), x0, x1 }));
  });
}

interface Extent {
  readonly x0: number;
  readonly x1: number;
}

/** A column is as wide as its widest cell that touches no other column. */
function extentOf(column: Cell, rows: readonly Line[], widest: readonly Cell[]): Extent {
  const others = widest.filter((other) => other !== column);
  const own = rows
    .flatMap(({ cells }) => cells)
    .filter((cell) => overlap(cell, column) > 0 && others.every((other) => overlap(cell, other) <= 0));
  return {
    x0: Math.min(column.x0, ...own.map(({ x0 }) => x0)),
    x1: Math.max(column.x1, ...own.map(({ x1 }) => x1)),
  };
}

/** The one column that a cell stands in; -1 when it is none or several. */
function placeOf(cell: Extent, columns: readonly Extent[]): number {
  const touched = columns.flatMap((column, index) => (overlap(cell, column) > 0 ? [index] : []));
  return touched.length === 1 ? (touched[0] ?? -1) : -1;
}

function overlap(a: Extent, b: Extent): number {
  return Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
}
