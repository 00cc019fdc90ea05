import type { Metadata } from "../../spec/index.ts";
import type { Parsed } from "./types.ts";
import { descendants, readPart, textIn, type XmlElement } from "./xml.ts";
import type { ZipEntry } from "./zip.ts";

/** What a file says of itself, by the names that Dublin Core gives; office files, OpenDocument and EPUB share them. */
export type Facts = Pick<Parsed, "metadata"> & Partial<Pick<Parsed, "title" | "language">>;

/** Title, author and the like of a Word, Excel or PowerPoint file. */
export async function officeFacts(parts: ReadonlyMap<string, ZipEntry>): Promise<Facts> {
  return factsIn(await readPart(parts, "docProps/core.xml").catch(() => undefined));
}

/** Facts that stand below an element, wherever they do. */
export function factsIn(root: XmlElement | undefined): Facts {
  const of = (...names: readonly string[]) =>
    names
      .flatMap((name) => descendants(root, name))
      .map((found) => textIn(found).replace(/\s+/g, " ").trim())
      .find((value) => value !== "");
  const title = of("title");
  const language = of("language");
  const date = /^\d{4}(-\d{2}(-\d{2})?)?/.exec(of("created", "creation-date", "date", "modified") ?? "")?.[0];
  const entries = [
    ["author", of("creator", "initial-creator")],
    ["description", of("description", "subject")],
    ["organization", of("publisher")],
    ["keywords", of("keywords", "keyword")],
    ["date", date],
    // Programs leave a line about themselves there.
  ].filter(([, value]) => value !== undefined && !/^generated (by|using|with) /i.test(value));
  return {
    metadata: Object.fromEntries(entries) satisfies Metadata,
    ...(title !== undefined && { title }),
    ...(language !== undefined && { language }),
  };
}
