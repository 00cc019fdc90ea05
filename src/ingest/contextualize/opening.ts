import type { Document } from "../../spec/index.ts";

/** As far as a document is looked through for how it begins. Characters. */
const LOOKED_THROUGH = 4_000;
/** Fewer letters, or words, are a label, a line of a menu or of a cover; more words are wanted where no stop ends them. */
const SENTENCE = { letters: 25, words: 5, wordsWithoutStop: 8 } as const;

/**
 * How a document introduces itself: its first sentence, without what stands around it (front matter, menus, blanks to be
 * filled in). A document with a name that begins with a table, markup or code has none: repeated for all its chunks, a
 * sentence from further down made them harder to tell apart. Where the title is a mere file's name, such things are passed
 * over, and the short lines of a cover speak as well. Told from the text alone, so that a document read back from an index
 * has the same one.
 */
export function openingOf(
  document: Pick<Document, "text" | "title" | "outline">,
  { maxLength, nameless }: { readonly maxLength: number; readonly nameless: boolean },
): string | undefined {
  const paragraphs = paragraphsOf(document, nameless).filter(isText);
  if (!nameless) return paragraphs.find(isSentence) ?? paragraphs[0];
  let length = 0;
  const shown = paragraphs.filter((paragraph) => {
    const isNeeded = length < maxLength;
    length += paragraph.length + 1;
    return isNeeded;
  });
  return shown.length === 0 ? undefined : shown.join(" ");
}

function paragraphsOf(
  { text, outline, title }: Pick<Document, "text" | "title" | "outline">,
  passOver: boolean,
): string[] {
  const said = new Set([title, ...outline.slice(0, 50).map((heading) => heading.text)].map(plain));
  const beginning = withoutFrontMatter(text.slice(0, LOOKED_THROUGH));
  const all = (passOver ? withoutCode(beginning) : beginning).split(/\n[^\S\n]*\n/);
  const end = passOver ? -1 : all.findIndex(isFurniture);
  return all
    .slice(0, end < 0 ? undefined : end)
    .filter((paragraph) => !isFurniture(paragraph) && !isHeading(paragraph))
    .map(plain)
    .filter((paragraph) => !said.has(paragraph));
}

function withoutFrontMatter(text: string): string {
  return text.replace(/^\uFEFF?---\r?\n[\s\S]*?\n(?:---|\.\.\.)[^\S\n]*(?:\n|$)/, "");
}

/** Fenced blocks of Markdown, to the end of the text where a fence is not closed. */
function withoutCode(text: string): string {
  return text.replace(/^(```|~~~)[\s\S]*?(?:^\1|$(?![\s\S]))/gm, "");
}

/** Of Markdown, and rules. */
function isHeading(paragraph: string): boolean {
  return /^\s*(?:#{1,6}\s|(?:[-=*_]\s*){3,}$)/.test(paragraph);
}

/** Tables, code, markup, data, imports. */
function isFurniture(paragraph: string): boolean {
  const rows = paragraph.split("\n");
  if (rows.filter((row) => row.includes(" | ")).length * 2 > rows.length) return true;
  return /^\s*(?:\||```|~~~|<[!?/a-z]|[{[]\s*["{[]|!\[|import\s|export\s)/i.test(paragraph);
}

/** Without marks of Markdown, and without blanks and leaders: `_____`, `……`, `. . . .`. */
function plain(paragraph: string): string {
  return paragraph
    .replace(/^\s*(?:>\s?|[-*+]\s+|\d+[.)]\s+|#{1,6}\s+)/gm, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, (_, words: string) => words)
    .replace(/(?:[_.…·=*-]\s?){3,}/gu, " ")
    .replace(/[*_`]{1,2}(?=\S)|(?<=\S)[*_`]{1,2}/g, "")
    .replace(/\s+/gu, " ")
    .trim();
}

/** Words, and mostly letters. */
function isText(text: string): boolean {
  return /\p{L}{2}/u.test(text) && lettersIn(text) >= text.replace(/\s/gu, "").length * 0.6;
}

function isSentence(text: string): boolean {
  // Where words are not set apart, letters must do.
  if (UNSPACED.test(text)) return lettersIn(text) >= SENTENCE.letters / 2;
  const words = /[.!?…:]["'”’)\]]*$/u.test(text) ? SENTENCE.words : SENTENCE.wordsWithoutStop;
  return lettersIn(text) >= SENTENCE.letters && text.split(" ").length >= words;
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u;

function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
}
