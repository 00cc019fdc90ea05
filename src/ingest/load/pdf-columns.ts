import type { Run } from "./pdf-runs.ts";

/** Fewer lines than this on a side are no column. */
const leastLines = 4;
/** Shorter runs are cells of a table or labels of a figure. */
const leastLetters = 14;

/**
 * Cuts a page into regions of one column each, in reading order: what spans the columns divides them, and between two
 * such lines the left column is read before the right one. The cut is made where most text lies whole on both sides.
 */
export function splitColumns(runs: readonly Run[]): readonly (readonly Run[])[] {
  const gutter = findGutter(runs);
  if (gutter === undefined) return runs.length === 0 ? [] : [runs];
  const { left, right } = sides(runs, gutter);
  const spanning = runs
    .filter((run) => !left.includes(run) && !right.includes(run))
    .sort((a, b) => a.y - b.y);
  const bands = bandsBetween(spanning, [...left, ...right]);
  const rightToLeft = isRightToLeft(runs);
  return bands.flatMap(({ top, bottom, above }) => {
    const inside = (side: readonly Run[]) => splitColumns(side.filter(({ y }) => y > top && y <= bottom));
    const columns = rightToLeft ? [...inside(right), ...inside(left)] : [...inside(left), ...inside(right)];
    return above.length === 0 ? columns : [above, ...columns];
  });
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

function sides(runs: readonly Run[], gutter: number): { left: readonly Run[]; right: readonly Run[] } {
  return { left: runs.filter(({ x1 }) => x1 <= gutter), right: runs.filter(({ x0 }) => x0 >= gutter) };
}

function findGutter(runs: readonly Run[]): number | undefined {
  if (runs.length < 2 * leastLines) return undefined;
  const start = least(runs.map(({ x0 }) => x0));
  const end = most(runs.map(({ x1 }) => x1));
  let best: { gutter: number; share: number; crossed: number } | undefined;
  for (let step = 15; step <= 85; step++) {
    const gutter = start + ((end - start) * step) / 100;
    const share = Math.min(...Object.values(sides(runs, gutter)).map(amountOf));
    const crossed = runs.filter(({ x0, x1 }) => x0 < gutter && x1 > gutter).length;
    if (best === undefined || share > best.share || (share === best.share && crossed < best.crossed))
      best = { gutter, share, crossed };
  }
  if (best === undefined) return undefined;
  const { left, right } = sides(runs, best.gutter);
  return isColumn(left) && isColumn(right) && areBeside(left, right) ? best.gutter : undefined;
}

function amountOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}

/** Prose fills its lines; the cells of a table do not. */
function isColumn(runs: readonly Run[]): boolean {
  if (runs.length < leastLines) return false;
  const width = most(runs.map(({ x1 }) => x1)) - least(runs.map(({ x0 }) => x0));
  const full = runs.filter(({ text, x0, x1 }) => lettersOf(text) >= leastLetters && x1 - x0 >= 0.6 * width);
  return full.length >= leastLines && full.length >= 0.4 * runs.length;
}

/** Letters by the room they take: a Han or Hangul character is as wide as two others. */
function lettersOf(text: string): number {
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
