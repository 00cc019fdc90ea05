import type { Span } from "../spec/index.ts";
import { endsInAbbreviation } from "./abbreviations.ts";
import { areLinesApart, sentenceGoesOn } from "./line-ends.ts";
import { SOURCE_LINE, withoutMarks } from "./reference-marks.ts";
import { isBlankAt, trimSpan } from "./structure/cover.ts";

/** A line end that ends a sentence: in front of a blank line, a list item, a heading, a quote, a table row or a fence; behind a heading. */
const HARD_BREAK =
  /(?:\r\n|\r(?!\n)|\n)(?=[^\S\r\n]*(?:\r|\n|$|[-*+•‣◦–—]\s|\d{1,3}[.)]\s|[a-z][.)]\s|[#>|]|```|~~~))|(?<=(?:^|[\r\n])#{1,6}\s[^\r\n]{0,500})(?:\r\n|\r|\n)/g;
const LINE_ENDS = /\r\n|\r|\n/g;
const OPENING = /[“‘「『（《〈【]/;
const THAI = /[\u0e01-\u0e3a\u0e40-\u0e4e]/;
/** Thai sets no full stop; it parts clauses by a space. Shorter pieces than this are no sentence. */
const SHORTEST_THAI = 60;

const segmenters = new Map<string, Intl.Segmenter>();

/**
 * Sentences of a text, trimmed and in order; every character that is not blank is in one of them. Ends are those of
 * Unicode (UAX 29, by `Intl.Segmenter`) without those behind abbreviations, initials and list numbers; blank lines and
 * list items end a sentence, as do the line ends of a log, a list or verse; those of wrapped text do not. A mark that refers
 * to a source (`[12]`, `[citation needed]`) belongs to the sentence in front of it. Thai is parted at its spaces.
 */
export function sentences(text: string, language = "en"): Span[] {
  const found: Span[] = [];
  let from = 0;
  for (const { index, 0: lineEnd } of text.matchAll(HARD_BREAK)) {
    addParagraph(text, from, index, language, found);
    from = index + lineEnd.length;
  }
  addParagraph(text, from, text.length, language, found);
  return found;
}

function addParagraph(text: string, from: number, to: number, language: string, found: Span[]): void {
  const span = trimSpan(text, from, to);
  if (!span) return;
  let start = span.start;
  for (const { from: end, to: next } of ownLineEnds(text.slice(span.start, span.end))) {
    addLines(text, { start, end: span.start + end }, language, found);
    start = span.start + next;
  }
  addLines(text, { start, end: span.end }, language, found);
}

/** The line ends of a paragraph that end a sentence. */
function ownLineEnds(paragraph: string): readonly { readonly from: number; readonly to: number }[] {
  const ends = [...paragraph.matchAll(LINE_ENDS)].map(({ index, 0: end }) => ({
    from: index,
    to: index + end.length,
  }));
  if (ends.length === 0) return [];
  const lines = paragraph.split(LINE_ENDS);
  if (SOURCE_LINE.test(lines[0] ?? "")) return ends.filter((_, i) => SOURCE_LINE.test(lines[i + 1] ?? ""));
  if (!areLinesApart(lines)) return [];
  const on = sentenceGoesOn(lines);
  return ends.filter((_, i) => !on[i]);
}

function addLines(text: string, { start: from, end: to }: Span, language: string, found: Span[]): void {
  const span = trimSpan(text, from, to);
  if (!span) return;
  // For Unicode every line end ends a sentence; in running text it is a space.
  const line = text.slice(span.start, span.end).replace(LINE_ENDS, (end) => (end.length === 2 ? "  " : " "));
  const bare = withoutMarks(line);
  let start = 0;
  for (const { index, segment } of segmenterFor(language).segment(bare)) {
    const end = beforeOpeningQuote(bare, index + segment.length);
    if (end <= start) continue;
    if (end < line.length && !isEnd(bare, start, end)) continue;
    addSentence(line, start, end, span.start, found);
    start = end;
  }
}

/** A quotation mark that opens belongs to the sentence behind it; Unicode leaves it with the one in front (`好！“是`). */
function beforeOpeningQuote(line: string, end: number): number {
  return end < line.length && OPENING.test(line[end - 1] ?? "") ? end - 1 : end;
}

/** Whether a sentence that Unicode ends here ends for a reader as well. */
function isEnd(line: string, start: number, end: number): boolean {
  let last = end;
  while (last > start && isBlankAt(line, last - 1)) last--;
  return line[last - 1] !== "." || !endsInAbbreviation(line.slice(Math.max(start, last - 24), last));
}

function addSentence(line: string, start: number, end: number, offset: number, found: Span[]): void {
  for (const piece of THAI.test(line.slice(start, end)) ? thaiClauses(line, start, end) : [{ start, end }]) {
    const span = trimSpan(line, piece.start, piece.end);
    if (span) found.push({ start: span.start + offset, end: span.end + offset });
  }
}

function thaiClauses(line: string, start: number, end: number): Span[] {
  const clauses: Span[] = [];
  let from = start;
  for (let at = start + SHORTEST_THAI; at < end - 1; at++) {
    if (at - from < SHORTEST_THAI || end - at < SHORTEST_THAI / 2 || line[at] !== " ") continue;
    if (!THAI.test(line[at - 1] ?? "") || !THAI.test(line[at + 1] ?? "")) continue;
    clauses.push({ start: from, end: at });
    from = at + 1;
  }
  clauses.push({ start: from, end });
  return clauses;
}

function segmenterFor(language: string): Intl.Segmenter {
  let segmenter = segmenters.get(language);
  if (!segmenter) {
    segmenter = newSegmenter(language);
    segmenters.set(language, segmenter);
  }
  return segmenter;
}

function newSegmenter(language: string): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language, { granularity: "sentence" });
  } catch {
    // A tag that is no language ("und_x") says nothing about where sentences end.
    return new Intl.Segmenter("en", { granularity: "sentence" });
  }
}
