import { wideLigature } from "./pdf-letters.ts";
import { apartOf, cellGap, joinedParts, partGap, type Run } from "./pdf-runs.ts";

/** A line of a column. A line of a table has several cells. */
export interface Line {
  readonly cells: readonly Run[];
  readonly text: string;
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
  readonly size: number;
  readonly font: string;
  /** Set along the margin or otherwise turned against the rest of the page: no heading, whatever its size. */
  readonly aside?: boolean;
}

/** The lines of one column, from top to bottom. */
export function readLines(runs: readonly Run[]): readonly Line[] {
  const rows: Run[][] = [];
  for (const run of runs.toSorted((a, b) => a.y - b.y)) {
    const row = rows.at(-1);
    if (row?.some((other) => Math.abs(run.y - other.y) < 0.45 * Math.max(run.size, other.size)))
      row.push(run);
    else rows.push([run]);
  }
  return rows.map(toLine);
}

function toLine(row: readonly Run[]): Line {
  const rtl = row.reduce((sum, run) => sum + (run.rtl ? run.text.length : -run.text.length), 0) > 0;
  const sorted = row.toSorted((a, b) => (rtl ? b.x1 - a.x1 : a.x0 - b.x0));
  const cells = joinNear(sorted, rtl);
  const main = cells.reduce((longest, cell) => (cell.text.length > longest.text.length ? cell : longest));
  return {
    cells,
    text: cells.map(({ text }) => text).join(" "),
    x0: Math.min(...row.map(({ x0 }) => x0)),
    x1: Math.max(...row.map(({ x1 }) => x1)),
    y: main.y,
    size: main.size,
    font: main.font,
  };
}

/** Runs that the page draws apart in time but next to each other in space. */
function joinNear(sorted: readonly Run[], rtl: boolean): readonly Run[] {
  const cells: Run[] = [];
  for (const run of sorted) {
    const last = cells.at(-1);
    const gap = last === undefined ? 0 : rtl ? last.x0 - run.x1 : run.x0 - last.x1;
    if (last === undefined || gap >= cellGap * Math.max(run.size, last.size))
      cells.push({ ...run, text: tidy(run.text) });
    else {
      const isApart = gap > 0.1 * run.size || changesScript(last, run);
      const parts = gap > partGap * run.size ? apartOf(last, run) : joinedParts(last, run, isApart);
      if (parts !== undefined) last.parts = parts;
      last.text = tidy(`${last.text}${isApart ? " " : ""}${run.text}`);
      last.x0 = Math.min(last.x0, run.x0);
      last.x1 = Math.max(last.x1, run.x1);
      last.size = Math.max(last.size, run.size);
    }
  }
  return cells;
}

/** A Latin word ends where an Arabic one begins, though the space between them is drawn with no width of its own. */
function changesScript(last: Run, next: Run): boolean {
  return (
    /[\p{Script=Latin}\d]\s*$/u.test(last.text) && /^\s*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(next.text)
  );
}

export function tidy(text: string): string {
  return text
    .replaceAll(wideLigature, "\uFFFD")
    .replace(/\s+(?=[\u064B-\u0652\u0670])/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
