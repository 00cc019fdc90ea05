import type { Line } from "./pdf-lines.ts";

/** On fewer pages a repeated line may be text. */
const leastPages = 3;

const pageNumber =
  /^[\W_]*(page|p\.|seite|halaman|trang|página|第)?\s*[\divxlc]{1,5}\s*(页|頁|ページ)?(\s*(of|\/|von|dari)\s*\d+)?[\W_]*$/iu;

/**
 * The lines of all pages that run on: headers, footers and page numbers. They stand at the edge of their page, and say the
 * same on several pages, or the same but for a number that grows with the pages.
 */
export function findRunning(pages: readonly (readonly Line[])[]): ReadonlySet<Line> {
  const sorted = pages.map((lines) => (lines.length < 4 ? [] : lines.toSorted((a, b) => a.y - b.y)));
  const running = new Set<Line>();
  for (const end of [0, -1]) {
    // The line next to the edge runs on only below or above one that does.
    for (const depth of [0, 1]) {
      const edges = sorted.map((lines) => lines.at(end === 0 ? depth : -1 - depth));
      const outer = sorted.map((lines) => (depth === 0 ? undefined : lines.at(end)));
      for (const line of repeated(edges)) {
        const above = outer[edges.indexOf(line)];
        if (above === undefined || (running.has(above) && isNextTo(line, above))) running.add(line);
      }
    }
  }
  return running;
}

function isNextTo(line: Line, other: Line): boolean {
  return Math.abs(line.y - other.y) < 2.5 * Math.max(line.size, other.size);
}

function repeated(edges: readonly (Line | undefined)[]): readonly Line[] {
  const counts = new Map<string, number>();
  edges.forEach((line, page) => {
    for (const key of keysOf(line, page)) counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  return edges.filter((line, page): line is Line => {
    if (line === undefined) return false;
    return (
      pageNumber.test(line.text) || keysOf(line, page).some((key) => (counts.get(key) ?? 0) >= leastPages)
    );
  });
}

/**
 * What a line says; and for each of its numbers, the same with the number counted from the page's. The size counts: a title
 * that runs on over the pages behind it is larger on its own page, and stays a title there.
 */
function keysOf(line: Line | undefined, page: number): readonly string[] {
  if (line === undefined) return [];
  const text = `${Math.round(line.size)} ${line.text.toLowerCase()}`;
  const relative = Array.from(text.matchAll(/\d{1,6}/g), (found) => {
    const before = text.slice(0, found.index);
    return `${before}#${Number(found[0]) - page}#${text.slice(found.index + found[0].length)}`;
  });
  return [text, ...relative];
}
