import type { Line } from "./pdf-lines.ts";
import { rowTexts } from "./pdf-table.ts";
import type { NewBlock } from "./text-builder.ts";

/** What the type of a whole document looks like; headings are told by how they differ. */
export interface TypeFacts {
  /** Size and font of most of the text. */
  readonly size: number;
  readonly font: string;
  /** Sizes of headings, largest first, rounded to half points. */
  readonly headingSizes: readonly number[];
  /** Fonts that are hardly used but for short lines above text: bold headings of the body's size. */
  readonly headingFonts: ReadonlySet<string>;
}

const headingRatio = 1.12;
const longestHeading = 200;
const bullet = /^([•●▪■◦○·‣∙►➢✓*–—-]|\(?(\d{1,3}|[a-z]|[ivx]{1,5})[.)])$/i;
const bulletStart = /^([•●▪■◦○‣∙►➢✓]|[–—*-] |\[\d+\] |\(?\d{1,3}[.)] +\p{Lu})/u;
/** Dots that lead to a page number: a line of a list of contents. */
const leaders = /(?:[.·…] ?){4,}\s*[\divxlc]*$/i;
const numbered = /^(\d+(?:\.\d+)*)\.? +\p{Lu}/u;

export function readType(lines: readonly Line[]): TypeFacts {
  const sizes = new Map<number, number>();
  const fonts = new Map<string, number>();
  for (const { size, font, text } of lines) {
    sizes.set(halfPoint(size), (sizes.get(halfPoint(size)) ?? 0) + text.length);
    fonts.set(font, (fonts.get(font) ?? 0) + text.length);
  }
  const size = mostFrequent(sizes) ?? 10;
  const headingSizes = new Set(
    lines.filter((line) => isLarge(line, size)).map((line) => halfPoint(line.size)),
  );
  const font = mostFrequent(fonts) ?? "";
  return {
    size,
    font,
    headingSizes: [...headingSizes].sort((a, b) => b - a),
    headingFonts: headingFontsOf(lines, { size, font }),
  };
}

/** A font of emphasis or of captions stands in the middle of text, or ends its lines with a point, most of the time. */
function headingFontsOf(lines: readonly Line[], body: Pick<TypeFacts, "size" | "font">): ReadonlySet<string> {
  const all = new Map<string, number>();
  const alone = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    all.set(line.font, (all.get(line.font) ?? 0) + 1);
    if (standsAbove(line, lines[index - 1], lines[index + 1], body))
      alone.set(line.font, (alone.get(line.font) ?? 0) + 1);
  }
  const fonts = [...alone].filter(([font, count]) => count >= 3 && count >= 0.6 * (all.get(font) ?? 0));
  return new Set(fonts.map(([font]) => font));
}

function standsAbove(
  line: Line,
  above: Line | undefined,
  below: Line | undefined,
  { size, font }: Pick<TypeFacts, "size" | "font">,
): boolean {
  if (below === undefined || line.font === font || below.font !== font || line.cells.length > 1) return false;
  if (line.size < 0.95 * size || line.aside || !isShortName(line.text)) return false;
  return isApart(line, above) && below.y > line.y && Math.abs(below.x0 - line.x0) < 2.5 * size;
}

function isShortName(text: string): boolean {
  return (
    text.length <= 80 &&
    /^(?:[\divx]+\.? +)?\p{Lu}.*\p{L}/u.test(text) &&
    !/[.,;:]$/.test(text) &&
    !/^(?:fig(?:ure|\.)|tab(?:le|\.)|abb\.|tabelle|gambar|tabel|hình|bảng) ?\d/i.test(text) &&
    !leaders.test(text)
  );
}

function mostFrequent<T>(counts: ReadonlyMap<T, number>): T | undefined {
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

function halfPoint(size: number): number {
  return Math.round(size * 2) / 2;
}

function isLarge({ size, text, aside }: Line, body: number): boolean {
  return (
    !aside &&
    !leaders.test(text) &&
    size >= headingRatio * body &&
    text.length <= longestHeading &&
    /\p{L}{2}/u.test(text)
  );
}

/** The blocks of one column, in order. */
export function readBlocks(column: readonly Line[], type: TypeFacts): readonly NewBlock[] {
  const lines = isRightToLeft(column) ? column.map(mirror) : column;
  const blocks: NewBlock[] = [];
  let index = 0;
  while (index < lines.length) {
    const rows = tableAt(lines, index);
    const group = rows > 0 ? lines.slice(index, index + rows) : paragraphAt(lines, index, type);
    blocks.push(rows > 0 ? tableOf(group) : blockOf(group, type, lines[index - 1]));
    index += group.length;
  }
  return blocks;
}

function isRightToLeft(lines: readonly Line[]): boolean {
  return lines.filter(({ cells }) => cells.some(({ rtl }) => rtl)).length > lines.length / 2;
}

/** Indents and line ends are told from left to right; Arabic and Hebrew lines are looked at in a mirror. */
function mirror(line: Line): Line {
  return {
    ...line,
    x0: -line.x1,
    x1: -line.x0,
    cells: line.cells.map((cell) => ({ ...cell, x0: -cell.x1, x1: -cell.x0 })),
  };
}

/** How many lines from `start` are rows of a table; 0 when it is none. */
function tableAt(lines: readonly Line[], start: number): number {
  let end = start;
  let rows = 0;
  for (let index = start; index < lines.length; index++) {
    const line = lines[index];
    const previous = lines[index - 1];
    if (
      line === undefined ||
      (index > start && previous !== undefined && line.y - previous.y > 3.5 * line.size)
    )
      break;
    if (isRow(line)) rows++;
    if (isRow(line) || (index > start && continues(line, lines[end - 1]))) end = index + 1;
    else if (index === start || index - end >= 1) break;
  }
  return rows >= 2 && sharesColumns(lines.slice(start, end).filter(isRow)) ? end - start : 0;
}

/** Whether a line goes on with a cell of the row above it that is not the first. */
function continues(line: Line, row: Line | undefined): boolean {
  if (row === undefined || line.cells.length !== 1 || line.y - row.y > 2 * line.size) return false;
  return cellAbove(line, row) > 0;
}

function cellAbove(line: Line, row: Line): number {
  return row.cells.findIndex((cell) => Math.abs(cell.x0 - line.x0) < 0.6 * line.size);
}

function isRow({ cells }: Line): boolean {
  return cells.length >= 2 && !(cells.length === 2 && bullet.test(cells[0]?.text ?? ""));
}

/** Whether rows begin or end their cells at the same places. */
function sharesColumns(rows: readonly Line[]): boolean {
  const shared = rows.filter((row, index) => {
    const other = rows[index === 0 ? 1 : index - 1];
    return row.cells.slice(1).some((cell) => other?.cells.some((near) => aligned(cell, near, row.size)));
  });
  return shared.length >= 0.6 * rows.length;
}

type Extent = Pick<Line, "x0" | "x1">;

function aligned(a: Extent, b: Extent, size: number): boolean {
  const middle = (a.x0 + a.x1 - b.x0 - b.x1) / 2;
  return [a.x0 - b.x0, a.x1 - b.x1, middle].some((distance) => Math.abs(distance) < 0.6 * size);
}

function tableOf(lines: readonly Line[]): NewBlock {
  const rows = joinContinued(lines);
  const text = rowTexts(rows).map((cells) => cells.join(" | ").trim());
  const [first, second] = rows;
  const named =
    first !== undefined &&
    second !== undefined &&
    isRow(first) &&
    first.cells.every(({ text }) => /\p{L}/u.test(text));
  return { kind: "table", text, headerRows: named && rows.length > 2 && /\d/.test(second.text) ? 1 : 0 };
}

function joinContinued(lines: readonly Line[]): readonly Line[] {
  const rows: Line[] = [];
  for (const line of lines) {
    const row = rows.at(-1);
    if (row === undefined || !continues(line, row)) rows.push(line);
    else {
      const target = cellAbove(line, row);
      const cells = row.cells.map((cell, index) =>
        index === target ? { ...cell, text: joinLines([cell.text, line.text]) } : cell,
      );
      rows[rows.length - 1] = { ...row, cells, y: line.y };
    }
  }
  return rows;
}

function paragraphAt(lines: readonly Line[], start: number, type: TypeFacts): readonly Line[] {
  const left = Math.min(...lines.map(({ x0 }) => x0));
  const right = Math.max(...lines.map(({ x1 }) => x1));
  let end = start + 1;
  while (end < lines.length) {
    const previous = lines[end - 1];
    const line = lines[end];
    if (previous === undefined || line === undefined) break;
    const before = end - 2 < start ? undefined : lines[end - 2];
    if (startsAnew(previous, line, lines[end - 2], { left, right }, type) || tableAt(lines, end) > 0) break;
    if (before !== undefined && leavesIndent(previous, line, left)) break;
    end++;
  }
  return lines.slice(start, end);
}

function startsAnew(
  previous: Line,
  line: Line,
  before: Line | undefined,
  column: { left: number; right: number },
  type: TypeFacts,
): boolean {
  const size = Math.max(line.size, previous.size);
  const step = line.y - previous.y;
  const usual =
    before === undefined
      ? 1.45 * size
      : Math.max(1.2 * size, Math.min(1.3 * (previous.y - before.y), 1.9 * size));
  if (step > usual || step < -size || size > headingRatio * Math.min(line.size, previous.size)) return true;
  if (bulletStart.test(line.text) || (line.cells.length === 2 && bullet.test(line.cells[0]?.text ?? "")))
    return true;
  if (isNumberedHeading(line, type) || isNumberedHeading(previous, type)) return true;
  if (line.font !== previous.font && [line.font, previous.font].some((font) => type.headingFonts.has(font)))
    return true;
  const width = column.right - column.left;
  const isShort = previous.x1 < column.right - 0.12 * width;
  const endsSentence = /[.!?:。！？؟]["”’)]?$/.test(previous.text);
  const isIndented =
    line.x0 > previous.x0 + 0.8 * size &&
    previous.x0 < column.left + 0.5 * size &&
    line.x0 < column.left + 4 * size;
  // A full line that ends in the middle of a sentence goes on below, set in or not.
  return isShort
    ? endsSentence || (isIndented && !isHanging(previous))
    : isIndented && endsSentence && !isHanging(previous);
}

/** Entries of a list of sources begin at the edge and go on set in; of a paragraph only the first line is set in. */
function leavesIndent(previous: Line, line: Line, left: number): boolean {
  const { size } = line;
  return line.x0 < left + 0.3 * size && previous.x0 > line.x0 + 0.8 * size && previous.x0 < left + 4 * size;
}

function isHanging(line: Line): boolean {
  return bulletStart.test(line.text) || line.cells.length > 1 || /^\(?\w{1,3}[.)] /.test(line.text);
}

/** Headings of the body's size, told by their number and by a font of their own. */
function isNumberedHeading({ text, font }: Line, type: TypeFacts): boolean {
  return (
    font !== type.font &&
    text.length <= 80 &&
    !leaders.test(text) &&
    numbered.test(text) &&
    !/[.,;:]$/.test(text)
  );
}

function blockOf(lines: readonly Line[], type: TypeFacts, above: Line | undefined): NewBlock {
  const [first] = lines;
  const text = joinLines(lines.map((line) => line.text));
  if (first === undefined) return { kind: "paragraph", text };
  const isHeading =
    lines.length <= 3 && text.length <= longestHeading && lines.every((line) => isLarge(line, type.size));
  if (isHeading) return { kind: "heading", text, level: levelOf(first, type) };
  if (lines.length === 1 && isNumberedHeading(first, type) && isApart(first, above)) {
    const depth = numbered.exec(first.text)?.[1]?.split(".").length ?? 1;
    return {
      kind: "heading",
      text,
      level: Math.min(6, depth + Math.min(type.headingSizes.length, 1)),
    };
  }
  if (
    lines.length === 1 &&
    type.headingFonts.has(first.font) &&
    isShortName(first.text) &&
    isApart(first, above)
  )
    return { kind: "heading", text, level: Math.min(6, type.headingSizes.length + 1) };
  const isItem = bulletStart.test(first.text) || bullet.test(first.cells[0]?.text ?? "");
  return isItem ? { kind: "list-item", text, level: 1 } : { kind: "paragraph", text };
}

function isApart(line: Line, above: Line | undefined): boolean {
  return above === undefined || line.y < above.y || line.y - above.y > 1.3 * line.size;
}

function levelOf(line: Line, type: TypeFacts): number {
  return Math.min(6, type.headingSizes.indexOf(halfPoint(line.size)) + 1 || 6);
}

/**
 * Lines of a paragraph as one text. A word broken at the end of a line keeps hyphen and line end: whether the hyphen
 * belongs to the word is not known here, and the source is not to be changed by a guess.
 */
export function joinLines(lines: readonly string[]): string {
  return lines.reduce((text, line) => {
    if (text === "") return line;
    if (/\p{L}[-‐\u00AD]$/u.test(text) && /^\p{L}/u.test(line)) return `${text}\n${line}`;
    return text + (isUnspaced.test(text.slice(-2)) && isUnspacedStart.test(line) ? "" : " ") + line;
  }, "");
}

const isUnspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}，。、；：？！）」』】]$/u;
const isUnspacedStart =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}（「『【]/u;
