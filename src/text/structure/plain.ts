import type { Block, Heading, Span } from "../../spec/index.ts";
import { trimSpan } from "./cover.ts";
import { underlinedHeadings } from "./underlined.ts";

const ROMAN = "[IVXLCDM]+";
const NUMBER = `(?:\\d+(?:\\.\\d+)*|${ROMAN})`;

/** Lines that announce a part of a document in so many words; the first that fits gives the level. */
const NAMED: readonly (readonly [level: number, form: RegExp])[] = [
  [
    1,
    new RegExp(
      `^(?:PART|BOOK|TITLE|CHAPTER|APPENDIX|ANNEX|BAB|BUKU|LAMPIRAN)\\s+(?:${NUMBER}|[A-Z])\\b`,
      "i",
    ),
  ],
  [1, new RegExp(`^(?:CHƯƠNG|PHẦN|PHỤ LỤC)\\s+${NUMBER}(?!\\p{L})`, "iu")],
  [1, /^第[0-9〇零一二三四五六七八九十百千]+[章编編部篇]/u],
  [1, /^(?:บทที่|หมวด|ภาค|ส่วนที่)\s*[0-9๐-๙]+/u],
  [2, new RegExp(`^(?:SECTION|BAGIAN|PARAGRAF)\\s+${NUMBER}\\b`, "i")],
  [2, new RegExp(`^MỤC\\s+${NUMBER}(?!\\p{L})`, "iu")],
  [2, /^第[0-9〇零一二三四五六七八九十百千]+[节節]/u],
  [3, new RegExp(`^(?:ARTICLE|PASAL|CLAUSE)\\s+${NUMBER}\\b`, "i")],
  [3, /^ĐIỀU\s+\d+(?!\p{L})/iu],
  [3, /^第[0-9〇零一二三四五六七八九十百千]+[条條款]/u],
  [3, /^มาตรา\s*[0-9๐-๙]+/u],
];

const LONGEST = 90;
const SENTENCE_END = /[.,;:!?。；，！？]$/;

/**
 * Paragraphs of a plain text by its blank lines, and the headings that cannot be mistaken; in reStructuredText (by the
 * ending of `path`) those that are underlined.
 */
export function readPlain(text: string, path = ""): { blocks: Block[]; outline: Heading[] } {
  const blocks: Block[] = [];
  const outline: Heading[] = [];
  const underlined = /\.re?st$/i.test(path) ? underlinedHeadings(text) : undefined;
  for (const paragraph of paragraphs(text)) {
    const rest = underlined
      ? takeUnderlined(text, paragraph, blocks, outline, underlined)
      : takeHeading(text, paragraph, blocks, outline);
    if (rest) blocks.push({ kind: "paragraph", ...rest });
  }
  return { blocks, outline };
}

/** Records a heading at the head of the paragraph, if there is one; gives what is left. */
function takeHeading(text: string, paragraph: Span, blocks: Block[], outline: Heading[]): Span | undefined {
  const end = lineEnd(text, paragraph);
  const words = text.slice(paragraph.start, end).trim();
  const level = headingLevel(words, end === paragraph.end);
  if (level === undefined) return paragraph;
  const span = { start: paragraph.start, end: paragraph.start + words.length };
  blocks.push({ kind: "heading", level, ...span });
  outline.push({ level, text: words.replace(/\s+/g, " "), ...span });
  return trimSpan(text, span.end, paragraph.end);
}

/** The same for headings with a line under them, of which several may follow each other. */
function takeUnderlined(
  text: string,
  paragraph: Span,
  blocks: Block[],
  outline: Heading[],
  underlined: ReturnType<typeof underlinedHeadings>,
): Span | undefined {
  let rest: Span | undefined = paragraph;
  for (let found = underlined(rest); found !== undefined; found = rest && underlined(rest)) {
    const { words, level, start, end } = found;
    blocks.push({ kind: "heading", level, start, end });
    outline.push({ level, text: plainWords(words), start, end });
    rest = trimSpan(text, end, paragraph.end);
  }
  return rest;
}

/** Without roles and marks of literals: ":mod:`email` package" is "email package". */
function plainWords(words: string): string {
  return words
    .replace(/:[\w:+-]+:`[~!]?([^`<]+?)(?:\s*<[^>]*>)?`/g, "$1")
    .replace(/``([^`]+)``/g, "$1")
    .replace(/\s+/g, " ");
}

function lineEnd(text: string, span: Span): number {
  let at = span.start;
  while (at < span.end && at - span.start <= LONGEST && text[at] !== "\n" && text[at] !== "\r") at++;
  return at;
}

function headingLevel(line: string, alone: boolean): number | undefined {
  if (line.length > LONGEST) return undefined;
  for (const [level, form] of NAMED) {
    const found = form.exec(line);
    if (found && isTitle(line.slice(found[0].length))) return level;
  }
  return alone ? numberedLevel(line) : undefined;
}

/** What may follow "Article 5": nothing, a title in capitals or in a script without them; not the rest of a sentence. */
function isTitle(rest: string): boolean {
  const title = rest.replace(/^[\s.:)–—-]+/u, "");
  return title === "" || (/^[\p{Lu}\p{Lt}\p{Lo}\d("“]/u.test(title) && !SENTENCE_END.test(title));
}

/** "1. DEFINITIONS", "2.1 Right of access", "SUMMARY OF TERMS": alone between blank lines, not a sentence. */
function numberedLevel(line: string): number | undefined {
  if (SENTENCE_END.test(line) || line.split(/\s+/).length > 10) return undefined;
  const [, number, words] = /^(\d+(?:\.\d+)*)[.)]?\s+(\S.*)$/.exec(line) ?? [];
  if (number === undefined || words === undefined) return isCapitals(line) ? 1 : undefined;
  const depth = number.split(".").length;
  if (isCapitals(words)) return depth;
  return depth > 1 && /^\p{Lu}/u.test(words) ? depth : undefined;
}

function isCapitals(words: string): boolean {
  const letters = words.match(/\p{L}/gu) ?? [];
  return (
    letters.length >= 4 && /^[\p{Lu}\d]/u.test(words) && letters.every((letter) => /\p{Lu}/u.test(letter))
  );
}

/** Two line ends with nothing but blanks between. CRLF is one; no group repeats, since millions of blank lines overflow those. */
const GAP = /(?:\r\n|\r(?!\n)|\n)\s*[\r\n]/g;

function paragraphs(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const { index, 0: gap } of text.matchAll(GAP)) {
    const span = trimSpan(text, from, index);
    if (span) spans.push(span);
    from = index + gap.length;
  }
  const last = trimSpan(text, from, text.length);
  if (last) spans.push(last);
  return spans;
}
