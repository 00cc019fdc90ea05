import { type Document, KonteksError, type Metadata } from "../../spec/index.ts";
import { languageOf } from "./language.ts";
import { titleOf } from "./title.ts";
import type { Parsed } from "./types.ts";

export interface Naming {
  readonly id: string;
  readonly uri: string;
  readonly title?: string | undefined;
  readonly language?: string | undefined;
  readonly metadata?: Metadata | undefined;
}

/**
 * Puts a document together; what the caller names goes before what the file says.
 *
 * @throws KonteksError "no-text" when there is nothing but blanks (and front matter)
 */
export function finishDocument(parsed: Parsed, naming: Naming): Document {
  if (parsed.blocks.every(({ kind }) => kind === "metadata")) throw noText(naming.id, parsed.warnings);
  const language = naming.language ?? languageOf(parsed, naming.id);
  const given = naming.title?.trim() ?? "";
  return {
    id: naming.id,
    uri: naming.uri,
    title: given === "" ? titleOf(parsed, naming.id) : given,
    format: parsed.format,
    text: parsed.text,
    ...(language === undefined ? {} : { language }),
    metadata: { ...parsed.metadata, ...naming.metadata },
    outline: parsed.outline,
    blocks: parsed.blocks,
    ...(parsed.pages === undefined ? {} : { pages: parsed.pages }),
    ...(parsed.warnings.length === 0 ? {} : { warnings: parsed.warnings }),
  };
}

function noText(id: string, warnings: readonly string[]): KonteksError {
  return new KonteksError(
    "no-text",
    [`"${id}" holds no text.`, ...warnings, "Nothing of it can be found; fill it or leave it out."].join(" "),
    {
      facts: { documentId: id },
    },
  );
}
