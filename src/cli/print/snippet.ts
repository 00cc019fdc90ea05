import { oneLine, take, widthOf } from "./layout.ts";

export interface Snippet {
  /** Words of the source on one line, with "…" where it goes on. */
  readonly text: string;
  /** Lines of the source before the snippet. */
  readonly linesBefore: number;
}

/** The part of a source text that holds most words of the query, cut to `width` columns. */
export function snippet(source: string, query: string, width: number): Snippet {
  if (widthOf(oneLine(source)) <= width)
    return { text: oneLine(source), linesBefore: linesIn(leadingBlank(source)) };
  const start = bestStart(source, wordsOf(query), width);
  const rest = oneLine(source.slice(start));
  const before = start <= leadingBlank(source).length ? "" : "…";
  const fits = widthOf(rest) + before.length <= width;
  const text = fits ? rest : `${take(rest, width - before.length - 1).trim()}…`;
  return { text: before + text, linesBefore: linesIn(source.slice(0, start)) };
}

/** Where to begin: the sentence or line from which the window holds most query words, as early as can be. */
function bestStart(source: string, words: readonly string[], width: number): number {
  let best = { start: leadingBlank(source).length, found: 0, far: 0 };
  for (const start of starts(source)) {
    const window = source.slice(start, start + width).toLowerCase();
    const places = words.map((word) => window.indexOf(word)).filter((place) => place >= 0);
    const found = places.length;
    const far = places.reduce((sum, place) => sum + place, 0);
    if (found > best.found || (found === best.found && far < best.far)) best = { start, found, far };
  }
  return best.start;
}

/** After the end of a sentence, and at the beginning of a line. */
function starts(source: string): number[] {
  const ends = source.matchAll(/(?:[.!?;]\s+|[。！？；]\s*|\n\s*)(?=\S)/gu);
  return [leadingBlank(source).length, ...[...ends].map((end) => end.index + end[0].length)];
}

function leadingBlank(text: string): string {
  return /^\s*/.exec(text)?.[0] ?? "";
}

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}

function wordsOf(query: string): string[] {
  return [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(query.toLowerCase())]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
}
