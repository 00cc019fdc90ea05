import { type Document, type DocumentInput, KonteksError } from "../../spec/index.ts";
import { finishDocument, type Naming } from "./finish.ts";
import { formatOfName } from "./kinds.ts";
import { checkMetadata } from "./metadata.ts";
import { parseDecoded } from "./parse.ts";
import type { HtmlOptions } from "./types.ts";

export interface TextOptions extends Partial<Naming> {
  readonly id: string;
  /** Default: told from the ending of `id`, else "text". */
  readonly format?: Document["format"] | undefined;
  readonly html?: HtmlOptions;
}

/**
 * Text at hand as a document. HTML is turned into its text; everything else stays as it is, character for character.
 *
 * @throws KonteksError "no-text"
 */
export async function loadText(text: string, options: TextOptions): Promise<Document> {
  const format = options.format ?? formatOfName(options.id) ?? "text";
  const parsed = await parseDecoded(
    text,
    format,
    options.id,
    options.html === undefined ? {} : { html: options.html },
  );
  return finishDocument(parsed, { ...options, uri: options.uri ?? options.id });
}

const formats: readonly string[] = [
  ..."markdown text code csv json html pdf docx xlsx pptx odt ods odp rtf epub email notebook".split(" "),
];

/**
 * What a user hands in, checked and turned into a document. With `chunks` the text stays as it is whatever its format,
 * because their offsets point into it.
 *
 * @throws KonteksError "wrong-option" naming what is wrong, "no-text"
 */
export async function documentFromInput(input: DocumentInput): Promise<Document> {
  checkInput(input);
  const metadata = checkMetadata(input.metadata, input.id);
  const { id, title, uri, language } = input;
  const format = input.format ?? formatOfName(id) ?? "text";
  if (input.chunks === undefined || format !== "html")
    return loadText(input.text, { id, format, title, language, metadata, uri: uri ?? id });
  return {
    ...(await loadText(input.text, { id, format: "text", title, language, metadata, uri: uri ?? id })),
    format,
  };
}

function checkInput(input: DocumentInput): void {
  const { id, text, title, uri, format, language } = input;
  if (typeof id !== "string" || id.trim() === "") {
    throw wrong("A document has no id", "Give each document an id, for example its path.", {});
  }
  if (typeof text !== "string")
    throw wrong(`The text of "${id}" is not a string`, "Give the text itself.", { documentId: id });
  for (const [name, value] of Object.entries({ title, uri, language })) {
    if (value !== undefined && typeof value !== "string") {
      throw wrong(`The ${name} of "${id}" is not a string`, "Give a string, or leave it out.", {
        documentId: id,
        name,
      });
    }
  }
  if (format !== undefined && !formats.includes(format)) {
    throw wrong(`The format "${format}" of "${id}" is not known`, `Use one of ${formats.join(", ")}.`, {
      documentId: id,
      format,
    });
  }
}

function wrong(what: string, next: string, facts: Readonly<Record<string, unknown>>): KonteksError {
  return new KonteksError("wrong-option", `${what}. ${next}`, { facts });
}
