import { composeLetters, readableText, wideLigature } from "./pdf-letters.ts";
import { closeTracked } from "./pdf-tracking.ts";

/** A piece of text on a page as the PDF library gives it. */
export interface TextItem {
  readonly str: string;
  readonly dir: string;
  /** Text space to page space: [a, b, c, d, x, y]. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly fontName: string;
}

/** Words set next to each other on one line. Coordinates are points, y grows downwards. */
export interface Run {
  text: string;
  x0: number;
  x1: number;
  /** Baseline. */
  y: number;
  /** Height of the type. */
  size: number;
  font: string;
  rtl: boolean;
  /** Its words as wide spaces part them, where there are any: cells of narrow columns stand that close. */
  parts?: readonly RunPart[];
}

export type RunPart = Pick<Run, "text" | "x0" | "x1">;

/** Gaps, in heights of the type: one that separates words, and one that separates columns or cells. */
const wordGap = 0.17;
export const partGap = 0.5;
export const cellGap = 1.2;

/**
 * Joins what a page draws into runs, one list for each direction of writing and one for slanted text, the direction with most text first: notes
 * set along the margin do not get between the lines.
 */
export function readRuns(
  items: readonly TextItem[],
  viewport: readonly number[],
): readonly (readonly Run[])[] {
  const byQuarter: Run[][] = [[], [], [], [], []];
  let spaceBefore = false;
  for (const item of closeTracked(items)) {
    if (item.str.trim() === "") {
      spaceBefore ||= item.str !== "";
      continue;
    }
    const { run, quarter } = place(item, viewport);
    const runs = byQuarter[quarter] ?? [];
    const last = runs.at(-1);
    if (last === undefined || !joins(last, run))
      runs.push(spaceBefore ? { ...run, text: ` ${run.text}` } : run);
    else if (!isRedrawn(last, run)) append(last, run, spaceBefore);
    spaceBefore = false;
  }
  const amount = (runs: readonly Run[]) => runs.reduce((sum, { text }) => sum + text.length, 0);
  return byQuarter.filter((runs) => runs.length > 0).sort((a, b) => amount(b) - amount(a));
}

const slanted = 4;

function place(item: TextItem, viewport: readonly number[]): { run: Run; quarter: number } {
  const [a, b, c, d, x, y] = multiply(viewport, item.transform);
  const turns = Math.atan2(b, a) / (Math.PI / 2);
  // Letters across the page ("DRAFT") are none of its lines.
  const isSlanted = Math.abs(turns - Math.round(turns)) > 0.05;
  const quarter = isSlanted ? slanted : Math.round(turns + 4) % 4;
  const [left, baseline] = turn(x, y, quarter);
  const size = Math.hypot(c, d) || 1;
  return {
    run: {
      text: isNameless(item, size) ? wideLigature : readableText(item.str),
      x0: left,
      x1: left + Math.abs(item.width),
      y: baseline,
      size,
      font: item.fontName,
      rtl: item.dir === "rtl",
    },
    quarter,
  };
}

/** A glyph without a letter, as wide as three: programs that save TeX's files anew lose the name of its "ffi". */
function isNameless({ str, width }: TextItem, size: number): boolean {
  return str === "\0" && width > 0.75 * size && width < 0.95 * size;
}

function multiply(
  m: readonly number[],
  n: readonly number[],
): [number, number, number, number, number, number] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = m;
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = n;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Coordinates as if the page were turned until the text runs from left to right. */
function turn(x: number, y: number, quarter: number): readonly [number, number] {
  if (quarter === 1) return [y, -x];
  if (quarter === 2) return [-x, -y];
  return quarter === 3 ? [-y, x] : [x, y];
}

function joins(last: Run, next: Run): boolean {
  const size = Math.max(last.size, next.size);
  if (Math.abs(next.y - last.y) > 0.5 * size) return false;
  const ahead = next.rtl && last.rtl ? last.x0 - next.x1 : next.x0 - last.x1;
  return ahead > -0.6 * size && ahead < cellGap * size ? true : isRedrawn(last, next);
}

/** Bold type is sometimes made by drawing the same words twice, a hair apart. */
function isRedrawn(last: Run, next: Run): boolean {
  return (
    last.text.endsWith(next.text) &&
    Math.abs(last.x1 - next.x1) < 0.2 * next.size &&
    Math.abs(last.y - next.y) < 0.2 * next.size
  );
}

function append(run: Run, next: Run, spaceBefore: boolean): void {
  const size = Math.max(run.size, next.size);
  const gap = next.rtl && run.rtl ? run.x0 - next.x1 : next.x0 - run.x1;
  const isApart = spaceBefore || gap > wordGap * size;
  const parts = gap > partGap * size ? apartOf(run, next) : joinedParts(run, next, isApart);
  if (parts !== undefined) run.parts = parts;
  run.text = composeLetters(isApart ? `${run.text} ${next.text}` : joinRaised(run, next));
  // A raised figure or a first letter over two lines does not change what the line is.
  if (next.size > run.size) run.y = next.y;
  if (next.text.length > run.text.length / 2) run.font = next.font;
  run.size = size;
  run.x0 = Math.min(run.x0, next.x0);
  run.x1 = Math.max(run.x1, next.x1);
}

/** Of two runs, with a wide space between them. */
export function apartOf(run: Run, next: Run): readonly RunPart[] {
  return [...partsOf(run), ...partsOf(next)];
}

/** Of two runs that stand close; undefined when neither has any. */
export function joinedParts(run: Run, next: Run, isApart: boolean): readonly RunPart[] | undefined {
  if (run.parts === undefined && next.parts === undefined) return undefined;
  const before = partsOf(run);
  const [first, ...after] = partsOf(next);
  const last = before.at(-1);
  if (last === undefined || first === undefined) return undefined;
  const middle = { text: last.text + (isApart ? " " : "") + first.text, x0: last.x0, x1: first.x1 };
  return [...before.slice(0, -1), middle, ...after];
}

function partsOf({ parts, text, x0, x1 }: Run): readonly RunPart[] {
  return parts ?? [{ text, x0, x1 }];
}

const mark = /^[\d,∗*†‡§¶]{1,5}$/;
const figures = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** The mark of a footnote is no part of the word it stands at; a power is part of its number. */
function joinRaised(run: Run, next: Run): string {
  const isMarkBefore =
    run.size < 0.85 * next.size && run.y < next.y - 0.15 * next.size && mark.test(run.text.trim());
  if (isMarkBefore) return `${run.text} ${next.text}`;
  const isRaised = next.size < 0.85 * run.size && next.y < run.y - 0.15 * run.size && mark.test(next.text);
  if (!isRaised) return run.text + next.text;
  if (/\p{L}{3}$|[.,;:!?)”"’\]]$/u.test(run.text)) return `${run.text} ${next.text}`;
  return run.text + next.text.replace(/\d/g, (figure) => figures[Number(figure)] ?? figure);
}
