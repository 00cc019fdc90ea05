import { relative } from "node:path";
import { closeBrokenWords } from "../../text/line-break.ts";
import type { View } from "../io.ts";

const segmenter = new Intl.Segmenter();

/** Columns a text takes: wide characters and emoji two, marks none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment);
  return width;
}

const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;
const INVISIBLE = /^[\p{M}\p{Cf}\p{Cc}]/u;

function graphemeWidth(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** The text cut to a width, with "…" where something is missing. */
export function truncate(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return `${take(text, width - 1).trimEnd()}…`;
}

export function take(text: string, width: number): string {
  let taken = "";
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    used += graphemeWidth(segment);
    if (used > width) break;
    taken += segment;
  }
  return taken;
}

/** Fills with blanks up to a width. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** Breaks a text into lines of at most `width` columns, at white space where there is some. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(10, width)));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\s)/)) {
    if (widthOf((current + word).trimEnd()) <= width) {
      current += word;
      continue;
    }
    if (current !== "") lines.push(current.trimEnd());
    current = word;
    // Chinese, Japanese and Thai have no blanks, and neither have some links.
    while (widthOf(current.trimEnd()) > width) {
      const piece = take(current, width);
      lines.push(piece);
      current = current.slice(piece.length);
    }
  }
  return [...lines, current.trimEnd()];
}

export function indent(lines: readonly string[], by: string): string {
  return lines.map((line) => (line === "" ? line : by + line)).join("\n");
}

/** One line: line ends and runs of blanks become one blank, and none where a word is broken at a line end. */
export function oneLine(text: string): string {
  return closeBrokenWords(text).replace(/\s+/g, " ").trim();
}

/** Rows in columns, the last column as wide as it likes. */
export function columns(rows: readonly (readonly string[])[], gap = "  "): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.slice(0, -1).entries())
      widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : pad(cell, widths[index] ?? 0)))
      .join(gap)
      .trimEnd(),
  );
}

/** "1 document", "2 documents". */
export function count(n: number, word: string): string {
  return `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
}

export function bytes(n: number): string {
  if (n < 1000) return `${n} bytes`;
  const units = ["KB", "MB", "GB", "TB"];
  const power = Math.min(units.length, Math.floor(Math.log(n) / Math.log(1000)));
  return `${(n / 1000 ** power).toFixed(1)} ${units[power - 1]}`;
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** A path as a person would type it here: relative below the current folder, else as it is. */
export function shortPath(path: string, { cwd }: Pick<View, "cwd">): string {
  const short = relative(cwd, path);
  return short === "" ? "." : short.startsWith("..") ? path : short;
}
