import { isData } from "./kinds.ts";
import { baseName, nameOf } from "./paths.ts";
import type { Parsed } from "./types.ts";

const longest = 200;
const longestLine = 100;

/**
 * What a person calls a document: the title of its front matter, its first heading, the title among its file properties,
 * its first line when that stands alone and is short, else the file's name. Never empty.
 */
export function titleOf(parsed: Parsed, id: string): string {
  if (parsed.format === "code") return baseName(id);
  const candidates = [
    ...ownTitles(parsed),
    firstLine(parsed, id),
    isSheets(parsed.format) ? undefined : parsed.outline[0]?.text,
  ].filter(isTelling);
  const found = [parsed.metadata.title, ...candidates].map(asTitle).find((title) => title !== "");
  return found ?? fallback(parsed, id);
}

function ownTitles({ format, title, cover, outline, blocks }: Parsed): readonly (string | undefined)[] {
  const heading = outline.find(({ text }) => isTelling(text))?.text;
  const top = outline.find(({ level, text }) => level === 1 && isTelling(text))?.text;
  // A PDF's headings are told from type sizes and may be a journal's name; a page's title carries the site's name.
  if (format === "pdf") return [isPlausible(title) ? title : undefined, heading];
  if (format === "html") return [cover, top, title, heading];
  if (format === "markdown" || format === "email" || format === "notebook") return [top, heading, title];
  // Sheets and slides come first, and are named "Sheet1".
  if (/^(xlsx|ods|pptx|odp|epub)$/.test(format))
    return [isPlausible(title) ? title : undefined, isSheets(format) ? undefined : heading];
  // A heading below other text that has equals beside it begins the first chapter.
  const isChapter =
    blocks[0]?.kind !== "heading" && outline.filter(({ level }) => level === outline[0]?.level).length > 1;
  return [isChapter ? undefined : heading, cover, isPlausible(title) ? title : undefined];
}

function isTable(format: Parsed["format"]): boolean {
  return format === "csv" || format === "json";
}

function isSheets(format: Parsed["format"]): boolean {
  return format === "xlsx" || format === "ods";
}

/** Programs put file names and templates into the title property. */
function isPlausible(title: string | undefined): boolean {
  if (title === undefined || !/\p{L}{2}/u.test(title)) return false;
  return isTelling(title) && !/^microsoft (word|powerpoint) - /i.test(title.trim());
}

/** What stands at the head of many documents and names none of them: lists of contents, templates, files. */
const untelling = new RegExp(
  `^(?:(?:table of )?contents|index|\\(?(?:untitled|anonymous|unspecified|unknown|none)\\)?|home|welcome|document ?\\d*|presentation ?\\d*|powerpoint presentation|book ?\\d*|
slide ?\\d*|sheet ?\\d*|page \\d+|layout ?\\d*|template|draft|confidential|cover|inhalt(?:sverzeichnis)?|sommaire|table des matières|índice|
contenido|sumário|indice|inhoud(?:sopgave)?|spis treści|daftar isi|mục lục|содержание|оглавление|目次|目录|目錄|차례|목차|สารบัญ|المحتويات|فهرس)$`.replaceAll(
    "\n",
    "",
  ),
  "iu",
);
const fileName =
  /^\S+\.(?:docx?|pdf|tex|dvi|indd|qxd|rtf|odt|pptx?|xlsx?|html?|xhtml|php|aspx?|jsp|md|txt|xml|csv|json)$/i;

function isTelling(title: string | undefined): boolean {
  const words =
    title
      ?.replace(/\s+/g, " ")
      .trim()
      .replace(/[.:…]+$/, "") ?? "";
  return !untelling.test(words) && !fileName.test(words);
}

function firstLine({ text, blocks, format }: Parsed, id: string): string | undefined {
  const first = blocks.find(({ kind }) => kind !== "metadata");
  if (first === undefined || isTable(format) || (format === "text" && isData(id))) return undefined;
  const line = text.slice(first.start, first.end).trim();
  const isSentenceOfProse = line.length > longestLine || /[\r\n]/.test(line);
  if (isSentenceOfProse || first.kind !== "paragraph" || !/\p{L}/u.test(line)) return undefined;
  // Markdown that comes without a name to tell it by.
  return line.replace(/^#{1,6}\s+/, "");
}

function fallback({ format }: Parsed, id: string): string {
  return isTable(format) || (format === "text" && isData(id)) ? baseName(id) : nameOf(id);
}

function asTitle(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "";
  const title = String(value).replace(/\s+/g, " ").trim();
  return title.length > longest ? `${title.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, "")}…` : title;
}
