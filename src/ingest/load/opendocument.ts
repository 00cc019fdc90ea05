import { KonteksError } from "../../spec/index.ts";
import { gridBlocks } from "./grid.ts";
import { factsIn } from "./office-facts.ts";
import { createTextBuilder, type NewBlock, type TextBuilder } from "./text-builder.ts";
import type { FoundFile, Parsed } from "./types.ts";
import {
  attributeOf,
  descendants,
  element,
  elements,
  isElement,
  localName,
  partsOf,
  readPart,
  type XmlElement,
} from "./xml.ts";
import { OFFICE_LIMITS, openZip } from "./zip.ts";

/** An OpenDocument text, spreadsheet or presentation: one walk reads all three. */
export async function loadOpenDocument(
  bytes: Uint8Array,
  file: FoundFile,
  format: "odt" | "ods" | "odp",
): Promise<Parsed> {
  const parts = partsOf(await openZip(bytes, file, OFFICE_LIMITS));
  const manifest = await readPart(parts, "META-INF/manifest.xml").catch(() => undefined);
  if (descendants(manifest, "encryption-data").length > 0) throw encrypted(file);
  const body = element(await readPart(parts, "content.xml"), "body");
  const builder = createTextBuilder();
  const writer: Writer = { builder, notes: [], pages: 0 };
  for (const each of elements(body)) writeAll(writer, each, 1);
  for (const note of writer.notes) builder.add(note);
  const { pages, ...written } = builder.finish();
  return {
    ...written,
    ...(pages.length > 0 && { pages }),
    format,
    warnings: [],
    ...factsIn(await readPart(parts, "meta.xml").catch(() => undefined)),
  };
}

interface Writer {
  readonly builder: TextBuilder;
  readonly notes: NewBlock[];
  pages: number;
}

/** What is no text of the document: deleted passages, outlines of shapes, indexes made from headings. */
const leftOut = new Set(["tracked-changes", "sequence-decls", "forms", "scripts", "calculation-settings"]);

function writeAll(writer: Writer, parent: XmlElement, level: number): void {
  for (const child of elements(parent)) write(writer, child, level);
}

function write(writer: Writer, child: XmlElement, level: number): void {
  const { builder } = writer;
  const name = localName(child);
  if (leftOut.has(name)) return;
  if (name === "h") {
    const depth = Number(attributeOf(child, "outline-level") ?? 1);
    builder.add({ kind: "heading", level: depth, text: lineOf(writer, child) });
  } else if (name === "p") builder.add({ kind: "paragraph", text: lineOf(writer, child) });
  else if (name === "list") writeList(writer, child, level);
  else if (name === "table") writeTable(writer, child);
  else if (child.name === "draw:page") writePage(writer, child);
  else writeAll(writer, child, level);
}

function writeList(writer: Writer, list: XmlElement, level: number): void {
  for (const item of elements(list)) {
    let mark = "- ";
    for (const child of elements(item)) {
      if (/^[ph]$/.test(localName(child))) {
        const text = lineOf(writer, child);
        if (text !== "") writer.builder.add({ kind: "list-item", level, text: mark + text });
        mark = "";
      } else write(writer, child, level + 1);
    }
  }
}

function writePage(writer: Writer, page: XmlElement): void {
  writer.builder.page(++writer.pages);
  writer.builder.add({
    kind: "heading",
    level: 1,
    text: attributeOf(page, "name") ?? `Slide ${writer.pages}`,
  });
  writeAll(writer, page, 1);
}

/** A sheet is named and is a section; a table in a text is not. */
function writeTable(writer: Writer, table: XmlElement): void {
  const isSheet =
    table.parent !== null && "name" in table.parent && table.parent.name === "office:spreadsheet";
  const rows = descendants(table, "table-row").flatMap((row) =>
    repeated(row, "number-rows-repeated", 2, cells(writer, row)),
  );
  const marked = elements(table, "table-header-rows").flatMap((head) => elements(head, "table-row")).length;
  const blocks = gridBlocks(rows, marked > 0 ? { headerRows: marked } : {});
  if (blocks.length === 0) return;
  if (isSheet) {
    writer.builder.page(++writer.pages);
    writer.builder.add({
      kind: "heading",
      level: 1,
      text: attributeOf(table, "name") ?? `Sheet ${writer.pages}`,
    });
  }
  for (const block of blocks) writer.builder.add(block);
}

function cells(writer: Writer, row: XmlElement): readonly string[] {
  return elements(row).flatMap((cell) => {
    const texts = descendants(cell, "p").map((paragraph) => lineOf(writer, paragraph));
    return repeated(cell, "number-columns-repeated", 100, texts.join(" "));
  });
}

/** Empty cells and rows are repeated to the end of the sheet; filled ones as often as they say. */
function repeated<T extends string | readonly string[]>(
  of: XmlElement,
  name: string,
  most: number,
  value: T,
): T[] {
  const isFilled = typeof value === "string" ? value !== "" : value.some((cell) => cell !== "");
  const times = Number(attributeOf(of, name) ?? 1) || 1;
  return Array.from({ length: Math.min(times, isFilled ? 1000 : most) }, () => value);
}

/** A paragraph with its tabs, breaks and spaces; notes go to the end, with their number left in the text. */
function lineOf(writer: Writer, paragraph: XmlElement): string {
  const parts: string[] = [];
  for (const node of paragraph.children) {
    if (!isElement(node)) {
      if ("data" in node && node.type === "text") parts.push(node.data.replace(/\s+/g, " "));
      continue;
    }
    const name = localName(node);
    if (name === "s") parts.push(" ".repeat(Math.min(Number(attributeOf(node, "c") ?? 1) || 1, 100)));
    else if (name === "tab") parts.push("\t");
    else if (name === "line-break") parts.push("\n");
    else if (name === "note") parts.push(noteOf(writer, node));
    else if (!leftOut.has(name) && name !== "annotation") parts.push(lineOf(writer, node));
  }
  const text = parts.join("");
  return localName(paragraph) === "p" || localName(paragraph) === "h" ? text.trim() : text;
}

function noteOf(writer: Writer, note: XmlElement): string {
  const mark = `[${lineOf(writer, element(note, "note-citation") ?? note).trim()}]`;
  const body = descendants(element(note, "note-body"), "p").map((each) => lineOf(writer, each));
  writer.notes.push({ kind: "paragraph", text: `${mark} ${body.join(" ")}` });
  return mark;
}

function encrypted(file: FoundFile): KonteksError {
  return new KonteksError(
    "encrypted",
    `"${file.id}" is an OpenDocument file with a password. Save a copy without the password and ingest that.`,
    { facts: { path: file.path } },
  );
}
