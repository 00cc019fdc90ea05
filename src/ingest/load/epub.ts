import { KonteksError } from "../../spec/index.ts";
import { assemble, type Section } from "./assemble.ts";
import { loadHtml } from "./html.ts";
import { factsIn } from "./office-facts.ts";
import type { FoundFile, Parsed } from "./types.ts";
import {
  attributeOf,
  descendants,
  element,
  elements,
  partsOf,
  pathInside,
  readPart,
  readText,
  type XmlElement,
} from "./xml.ts";
import { OFFICE_LIMITS, openZip } from "./zip.ts";

/** A book: its chapters in reading order. Pages that only list the chapters are left out. */
export async function loadEpub(bytes: Uint8Array, file: FoundFile): Promise<Parsed> {
  const parts = partsOf(await openZip(bytes, file, OFFICE_LIMITS));
  const container = await readPart(parts, "META-INF/container.xml");
  const path = attributeOf(descendants(container, "rootfile")[0], "full-path") ?? "";
  const book = await readPart(parts, path);
  if (book === undefined) throw damaged(file);
  if (parts.has("META-INF/rights.xml") || parts.has("META-INF/license.lcpl")) throw encrypted(file);
  const sections: Section[] = [];
  const warnings: string[] = [];
  for (const chapter of chaptersOf(book, path)) {
    const xhtml = await readText(parts, chapter);
    if (xhtml === undefined) warnings.push(`The chapter ${chapter} is missing.`);
    else sections.push(await loadHtml(xhtml, { content: "all" }));
  }
  const { starts: _, ...written } = assemble(sections.filter(({ blocks }) => blocks.length > 0));
  return { ...written, format: "epub", warnings, ...factsIn(element(book, "metadata")) };
}

function chaptersOf(book: XmlElement, path: string): readonly string[] {
  const items = new Map(
    elements(element(book, "manifest"), "item").map((item) => [attributeOf(item, "id"), item]),
  );
  return elements(element(book, "spine"), "itemref").flatMap((reference) => {
    const item = items.get(attributeOf(reference, "idref"));
    const isContents = /(^|\s)nav(\s|$)/.test(attributeOf(item, "properties") ?? "");
    const href = attributeOf(item, "href");
    if (href === undefined || isContents) return [];
    return [pathInside(path, href) ?? href];
  });
}

function damaged(file: FoundFile): KonteksError {
  return new KonteksError(
    "unreadable",
    `"${file.id}" is damaged: it does not say where its chapters are. Download or export it anew.`,
    { facts: { path: file.path } },
  );
}

function encrypted(file: FoundFile): KonteksError {
  return new KonteksError(
    "encrypted",
    `"${file.id}" is protected against copying. Get a copy without protection and ingest that.`,
    { facts: { path: file.path } },
  );
}
