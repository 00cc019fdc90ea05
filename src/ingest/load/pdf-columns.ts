import type { Run } from "./pdf-runs.ts";

/** Fewer lines than this on a side are no column. */
const leastLines = 4;
/** Shorter runs are cells of a table or labels of a figure. */
const leastLetters = 14;
/** Of the rows of a column, those that prose fills: of a page's, which may hold a table too, and of a stretch of it. */
const leastShareOfPage = 0.4;
const leastShareOfBand = 0.5;

/**
 * Cuts a page into regions of one column each, in reading order: what spans the columns divides them, and between two
 * such lines the left column is read before the right one. The cut is made where most text lies whole on both sides. A
 * stretch without prose on either side is a table over both columns, and stays whole.
 */
export function splitColumns(runs: readonly Run[]): readonly (readonly Run[])[] {
  const gutter = findGutter(runs);
  if (gutter === undefined) return runs.length === 0 ? [] : [runs];
  const { left, right, spanning } = sides(runs, gutter);
  const order = isRightToLeft(runs) ? [right, left] : [left, right];
  const widths = order.map(columnWidth);
  const regions: (readonly Run[])[] = [];
  let whole: Run[] = [];
  const close = () => {
    if (whole.length > 0) regions.push(whole);
    whole = [];
  };
  for (const { top, bottom, above } of bandsBetween(spanning, [...left, ...right])) {
    const columns = order.map((side) => side.filter(({ y }) => y > top && y <= bottom));
    whole.push(...above);
    const isProse = columns.some((side, index) => fills(side, widths[index] ?? 0, leastShareOfBand));
    if (isProse) {
      close();
      regions.push(...columns.flatMap(splitColumns));
    } else whole.push(...columns.flat());
  }
  close();
  return regions;
}

/** The stretches of a page between spanning lines, each with the spanning lines right above it. */
function bandsBetween(spanning: readonly Run[], columns: readonly Run[]) {
  const bands: { top: number; bottom: number; above: Run[] }[] = [
    { top: Number.NEGATIVE_INFINITY, bottom: Number.POSITIVE_INFINITY, above: [] },
  ];
  const ys = columns.map(({ y }) => y).sort((a, b) => a - b);
  let next = 0;
  for (const run of spanning) {
    const last = bands.at(-1);
    if (last === undefined) continue;
    // Half a line of tolerance: text of the columns on the same line as a spanning run belongs below it.
    const edge = run.y - 0.5 * run.size;
    while ((ys[next] ?? Number.POSITIVE_INFINITY) <= last.top) next++;
    const isEmpty = (ys[next] ?? Number.POSITIVE_INFINITY) > edge;
    if (isEmpty) {
      last.above.push(run);
      last.top = Math.max(last.top, edge);
    } else {
      last.bottom = edge;
      bands.push({ top: edge, bottom: Number.POSITIVE_INFINITY, above: [run] });
    }
  }
  return bands;
}

interface Sides {
  readonly left: readonly Run[];
  readonly right: readonly Run[];
  /** What crosses the gutter and goes on for some way on both sides. */
  readonly spanning: readonly Run[];
}

/** A long word or formula may stand out of its column a little; it still belongs to it. */
function sides(runs: readonly Run[], gutter: number): Sides {
  const left: Run[] = [];
  const right: Run[] = [];
  const spanning: Run[] = [];
  for (const run of runs) {
    const [before, after] = [gutter - run.x0, run.x1 - gutter];
    if (after <= 0.15 * before) left.push(run);
    else if (before <= 0.15 * after) right.push(run);
    else spanning.push(run);
  }
  return { left, right, spanning: spanning.sort((a, b) => a.y - b.y) };
}

function findGutter(runs: readonly Run[]): number | undefined {
  if (runs.length < 2 * leastLines) return undefined;
  const start = least(runs.map(({ x0 }) => x0));
  const end = most(runs.map(({ x1 }) => x1));
  let best: { gutter: number; share: number; crossed: number } | undefined;
  for (let step = 15; step <= 85; step++) {
    const gutter = start + ((end - start) * step) / 100;
    const share = Math.min(
      amountOf(runs.filter(({ x1 }) => x1 <= gutter)),
      amountOf(runs.filter(({ x0 }) => x0 >= gutter)),
    );
    const crossed = runs.filter(({ x0, x1 }) => x0 < gutter && x1 > gutter).length;
    if (best === undefined || share > best.share || (share === best.share && crossed < best.crossed))
      best = { gutter, share, crossed };
  }
  if (best === undefined) return undefined;
  const { left, right } = sides(runs, best.gutter);
  const isEdge = isRightToLeft(runs) ? beginAlike(left, ({ x1 }) => -x1) : beginAlike(right, ({ x0 }) => x0);
  return hasColumns(left) && hasColumns(right) && isEdge && areBeside(left, right) ? best.gutter : undefined;
}

/** The lines of the second column begin at one place; words that happen to leave room between them do not. */
function beginAlike(runs: readonly Run[], edgeOf: (run: Run) => number): boolean {
  const rows = rowsOf(runs);
  const counts = new Map<number, number>();
  for (const row of rows) {
    const edge = Math.round(least(row.map(edgeOf)) / 3);
    counts.set(edge, (counts.get(edge) ?? 0) + 1);
  }
  // An edge between two steps is found in both.
  const shares = [...counts].map(([edge, count]) => count + (counts.get(edge + 1) ?? 0));
  return Math.max(...shares) >= leastShareOfPage * rows.length;
}

function amountOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}

/** A side is one column, or several. */
function hasColumns(runs: readonly Run[]): boolean {
  return isColumn(runs) || findGutter(runs) !== undefined;
}

/** Of the narrowest column. */
function columnWidth(runs: readonly Run[]): number {
  const gutter = findGutter(runs);
  if (gutter === undefined) return widthOf(runs);
  const { left, right } = sides(runs, gutter);
  return Math.min(columnWidth(left), columnWidth(right));
}

/** Prose fills its lines; the cells of a table do not. */
function isColumn(runs: readonly Run[]): boolean {
  return rowsOf(runs).length >= leastLines && fills(runs, widthOf(runs), leastShareOfPage, leastLines);
}

/** Whether so large a share of the rows, and so many of them, are one run over most of the width. */
function fills(runs: readonly Run[], width: number, share: number, count = 1): boolean {
  const rows = rowsOf(runs);
  const full = rows.filter((row) =>
    row.some(({ text, x0, x1 }) => lettersOf(text) >= leastLetters && x1 - x0 >= 0.6 * width),
  );
  return full.length >= count && full.length >= share * rows.length;
}

function rowsOf(runs: readonly Run[]): readonly (readonly Run[])[] {
  const rows: Run[][] = [];
  for (const run of runs.toSorted((a, b) => a.y - b.y)) {
    const row = rows.at(-1);
    if (row?.[0] !== undefined && run.y - row[0].y < 0.5 * run.size) row.push(run);
    else rows.push([run]);
  }
  return rows;
}

function widthOf(runs: readonly Run[]): number {
  return most(runs.map(({ x1 }) => x1)) - least(runs.map(({ x0 }) => x0));
}

/** Letters by the room they take: a Han or Hangul character is as wide as two others. */
export function lettersOf(text: string): number {
  return (
    text.length +
    (text.match(/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0)
  );
}

function areBeside(left: readonly Run[], right: readonly Run[]): boolean {
  const [a, b] = [extent(left), extent(right)];
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return shared > 0.5 * Math.min(a.bottom - a.top, b.bottom - b.top);
}

function extent(runs: readonly Run[]): { top: number; bottom: number } {
  const ys = runs.map(({ y }) => y);
  return { top: least(ys), bottom: most(ys) };
}

function isRightToLeft(runs: readonly Run[]): boolean {
  return amountOf(runs.filter(({ rtl }) => rtl)) > 0.5 * amountOf(runs);
}

/** Maps and drawings have more runs than a function takes arguments. */
function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}
