import type { Document } from "../../spec/index.ts";

type Checked = Pick<Document, "text" | "title" | "language" | "metadata" | "id">;

/** All that a context may take names and numbers from, in small letters; made once for a document. */
const sources = new WeakMap<object, string>();

function sourceOf(document: Checked): string {
  const known = sources.get(document);
  if (known !== undefined) return known;
  const { id, title, metadata, text } = document;
  const source = [id, title, JSON.stringify(metadata), text].join("\n").normalize("NFKC").toLowerCase();
  sources.set(document, source);
  return source;
}

/** Numbers of two digits or more that the document has nowhere, whatever stands between their digits. */
export function unknownNumbers(text: string, document: Checked): readonly string[] {
  const numbers = [...text.matchAll(/\p{Nd}[\p{Nd}.,:/\u2009\u00a0'’-]*\p{Nd}/gu)].map((match) => match[0]);
  const source = sourceOf(document);
  let digits: string | undefined;
  return numbers.filter((number) => {
    if (source.includes(number)) return false;
    digits ??= source.replace(/(?<=\p{Nd})[.,:/\s'’-](?=\p{Nd})/gu, "");
    return number.split(/[^\p{Nd}]+/u).some((part) => part.length > 1 && !digits?.includes(part));
  });
}

/** Words that writers of contexts set in capitals without naming anything of the document. */
const general =
  /^(?:the|this|these|it|its|in|of|from|section|sections|chapter|part|article|clause|table|figure|appendix|annex|exhibit|page|document|chunk|report|api|http|url|json|html|sql|ui|cli|english|indonesian|chinese|rust|python|javascript|typescript|java|go|c|i|a|q[1-4]|fy)$/;

/** German writes every noun with a capital. */
const capitalisesNouns: ReadonlySet<string> = new Set(["de", "lb"]);

/**
 * Names that the document has nowhere: words with a capital inside a sentence. One alone may be a word of the writer's
 * own; they count when they are at least two and a third of all names in it.
 */
export function unknownNames(text: string, document: Checked): readonly string[] {
  if (document.language !== undefined && capitalisesNouns.has(document.language)) return [];
  const names = namesIn(text);
  const source = sourceOf(document);
  const unknown = [...new Set(names.filter((name) => !isKnown(name, source)))];
  return unknown.length >= 2 && unknown.length * 3 >= new Set(names).size ? unknown : [];
}

/** Letters of scripts that have capitals. */
const letter = "[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{M}\\p{Nd}_]";
/** Not inside a word or code, and not where a sentence or a heading begins. */
const inside = "(?<![\\p{L}\\p{N}_`]|[.!?:;\"“”'‘(*[/-]\\s?|^)";
const name = new RegExp(`${inside}\\p{Lu}${letter}*(?:[-'’.&]\\p{L}${letter}*)*`, "gmu");

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(name)].map((match) => match[0]).filter((found) => found.length > 1);
}

function isKnown(found: string, source: string): boolean {
  const word = found
    .normalize("NFKC")
    .toLowerCase()
    .replace(/['’]s?$/, "");
  if (general.test(word) || source.includes(word)) return true;
  const parts = word.split(/[-'’.&_]/).filter((part) => part.length > 1);
  return parts.every((part) => source.includes(part) || source.includes(stemOf(part)));
}

/** Without an ending that inflection may have put there. */
function stemOf(word: string): string {
  return word.length <= 4 ? word : word.slice(0, Math.max(4, word.length - 3));
}
