import { type ContextPrompt, KonteksError, type PromptDocument } from "../../spec/index.ts";
import { fingerprint } from "../../util/hash.ts";

const place = /\{\{\s*(document|chunk|title|language|glossary|domain)\s*\}\}/g;

/**
 * A prompt from a text with places for the values. All before `{{chunk}}` (or the paragraph it stands in) is the same for
 * all chunks of a document and is cached. Values go in as they are: `$&` in source code stays `$&`.
 */
export function promptFromTemplate(template: string): ContextPrompt {
  const names = [...template.matchAll(place)].map((match) => match[1]);
  if (!names.includes("document") || !names.includes("chunk")) throw lacking(template);
  const cut = borderBefore(template);
  if (/\{\{\s*document\s*\}\}/.test(template.slice(cut))) throw wrongOrder();
  return {
    id: `template-${fingerprint([template]).slice(0, 12)}`,
    place: "user",
    front: (document) => fill(template.slice(0, cut), valuesOf(document, "")).trimEnd(),
    chunk: (chunk, document) => fill(template.slice(cut), valuesOf(document, chunk)).trimStart(),
  };
}

/** Names of the tags a template uses; text of documents must hold none of them. */
export function tagsOf(template: string): readonly string[] {
  const tags = [...template.matchAll(/<\/?([a-z][\w-]*)/gi)].map((match) => match[1] ?? "");
  return [...new Set(tags)];
}

/** Where the part about the chunk begins: after the last blank line, or line end, between document and chunk. */
function borderBefore(template: string): number {
  const chunk = template.search(/\{\{\s*chunk\s*\}\}/);
  const documentEnd = endOfLast(template.slice(0, chunk), /\{\{\s*document\s*\}\}/g);
  const between = template.slice(documentEnd, chunk);
  for (const border of ["\n\n", "\n"]) {
    const at = between.indexOf(border);
    if (at >= 0) return documentEnd + at + border.length;
  }
  return chunk;
}

function endOfLast(text: string, pattern: RegExp): number {
  const last = [...text.matchAll(pattern)].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}

function valuesOf(document: PromptDocument, chunk: string): Readonly<Record<string, string>> {
  const { text, title, language = "the document's language", glossary, domain } = document;
  return { document: text, chunk, title, language, glossary, domain };
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(place, (_, name: string) => values[name] ?? "");
}

function lacking(template: string): KonteksError {
  return new KonteksError(
    "wrong-option",
    `The context prompt ${JSON.stringify(template.slice(0, 40))} must hold {{document}} and {{chunk}}, or be one of claude, message, indonesian.`,
  );
}

function wrongOrder(): KonteksError {
  return new KonteksError(
    "wrong-option",
    "In the context prompt {{document}} must stand before {{chunk}}, so that the document can be cached for all of its chunks.",
  );
}
