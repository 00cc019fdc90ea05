import { oneLine, take, widthOf } from "./layout.ts";

/** The part of a source text that holds most words of the query, cut to `width` columns. Only words of the text, plus "…". */
export function snippet(text: string, query: string, width: number): string {
  const line = oneLine(text);
  if (widthOf(line) <= width) return line;
  const start = bestStart(line, wordsOf(query), width);
  const before = start === 0 ? "" : "…";
  const piece = take(line.slice(start), width - before.length - 1);
  const after = start + piece.length < line.length ? "…" : "";
  return `${before}${piece.trim()}${after}`;
}

/** Where to begin: the sentence from which the window holds most query words, the first of them as early as can be. */
function bestStart(line: string, words: readonly string[], width: number): number {
  const starts = [
    0,
    ...[...line.matchAll(/[.!?。！？;]\s*(?=\S)/gu)].map((end) => end.index + end[0].length),
  ];
  let best = { start: 0, found: 0, first: 0 };
  for (const start of starts) {
    const window = line.slice(start, start + width).toLowerCase();
    const places = words.map((word) => window.indexOf(word)).filter((place) => place >= 0);
    const [found, first] = [places.length, Math.min(...places)];
    if (found > best.found || (found === best.found && first < best.first)) best = { start, found, first };
  }
  return best.start;
}

function wordsOf(query: string): string[] {
  return [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(query.toLowerCase())]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
}
