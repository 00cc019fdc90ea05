import { chartBlocks } from "./chart.ts";
import { gridBlocks } from "./grid.ts";
import { officeFacts } from "./office-facts.ts";
import { createTextBuilder, type NewBlock, type TextBuilder } from "./text-builder.ts";
import type { FoundFile, Parsed } from "./types.ts";
import {
  attributeOf,
  descendants,
  element,
  elements,
  localName,
  partsOf,
  readPart,
  relationsOf,
  textIn,
  type XmlElement,
} from "./xml.ts";
import { OFFICE_LIMITS, openZip, type ZipEntry } from "./zip.ts";

type Parts = ReadonlyMap<string, ZipEntry>;

/** A presentation: each slide a section named by its title, with its texts, tables, drawings' words and notes. */
export async function loadPptx(bytes: Uint8Array, file: FoundFile): Promise<Parsed> {
  const parts = partsOf(await openZip(bytes, file, OFFICE_LIMITS));
  const path = "ppt/presentation.xml";
  const relations = await relationsOf(parts, path);
  const slides = elements(element(await readPart(parts, path), "sldIdLst"), "sldId");
  const builder = createTextBuilder();
  const warnings: string[] = [];
  for (const [index, slide] of slides.entries()) {
    builder.page(index + 1);
    const id = Object.entries(slide.attribs).find(([name]) => name.endsWith(":id"))?.[1] ?? "";
    try {
      await writeSlide(parts, relations.get(id)?.target ?? "", index + 1, builder);
    } catch (cause) {
      warnings.push(
        `Slide ${index + 1} cannot be read (${cause instanceof Error ? cause.message : String(cause)}).`,
      );
    }
  }
  return { ...builder.finish(), format: "pptx", warnings, ...(await officeFacts(parts)) };
}

async function writeSlide(parts: Parts, path: string, number: number, builder: TextBuilder): Promise<void> {
  const tree = element(await readPart(parts, path), "cSld", "spTree");
  const shapes = shapesIn(tree);
  const title = shapes.find(isTitle);
  const heading = paragraphs(element(title, "txBody")).map(textOf).join(" ").replace(/\s+/g, " ").trim();
  const blocks = shapes.filter((shape) => shape !== title).flatMap(shapeBlocks);
  const relations = [...(await relationsOf(parts, path)).values()];
  for (const { type, target } of relations) {
    if (type === "chart") blocks.push(...(await chartBlocks(parts, target)));
    if (type === "diagramData") blocks.push(...(await drawingBlocks(parts, target)));
  }
  const notes = relations.find(({ type }) => type === "notesSlide");
  const spoken = notes === undefined ? [] : await noteBlocks(parts, notes.target);
  if (heading === "" && blocks.length + spoken.length === 0) return;
  builder.add({ kind: "heading", level: 1, text: heading === "" ? `Slide ${number}` : heading });
  for (const block of [...blocks, ...spoken]) builder.add(block);
}

/** Shapes in the order of the file, groups opened. */
function shapesIn(tree: XmlElement | undefined): readonly XmlElement[] {
  return elements(tree).flatMap((each) => {
    const name = localName(each);
    if (name === "grpSp" || name === "AlternateContent" || name === "Choice") return shapesIn(each);
    return name === "sp" || name === "graphicFrame" || name === "cxnSp" ? [each] : [];
  });
}

function placeholder(shape: XmlElement): string | undefined {
  const found = element(shape, "nvSpPr", "nvPr", "ph");
  return found === undefined ? undefined : (attributeOf(found, "type") ?? "body");
}

function isTitle(shape: XmlElement): boolean {
  return /^(title|ctrTitle)$/.test(placeholder(shape) ?? "");
}

function shapeBlocks(shape: XmlElement): readonly NewBlock[] {
  // Dates, footers and numbers of slides are the template's.
  if (/^(dt|ftr|sldNum|hdr)$/.test(placeholder(shape) ?? "")) return [];
  const table = descendants(shape, "tbl")[0];
  if (table !== undefined) return gridBlocks(elements(table, "tr").map(cells));
  const isList = placeholder(shape) === "body" || placeholder(shape) === "obj";
  return paragraphs(element(shape, "txBody")).map((paragraph): NewBlock => {
    const level = Number(attributeOf(element(paragraph, "pPr"), "lvl") ?? 0) + 1;
    const text = textOf(paragraph).trim();
    const plain = !isList || text === "" || element(paragraph, "pPr", "buNone") !== undefined;
    return plain ? { kind: "paragraph", text } : { kind: "list-item", level, text: `- ${text}` };
  });
}

function cells(row: XmlElement): readonly string[] {
  return elements(row, "tc").map((cell) => paragraphs(element(cell, "txBody")).map(textOf).join(" "));
}

function paragraphs(body: XmlElement | undefined): readonly XmlElement[] {
  return elements(body, "p");
}

function textOf(paragraph: XmlElement): string {
  return elements(paragraph)
    .map((each) => {
      if (localName(each) === "br") return "\n";
      return /^(r|fld)$/.test(localName(each)) ? textIn(element(each, "t")) : "";
    })
    .join("");
}

async function drawingBlocks(parts: Parts, path: string): Promise<readonly NewBlock[]> {
  const root = await readPart(parts, path);
  return descendants(root, "pt").map((point) => ({
    kind: "list-item",
    level: 1,
    text: prefixed("- ", descendants(point, "p").map(textOf).join(" ").trim()),
  }));
}

async function noteBlocks(parts: Parts, path: string): Promise<readonly NewBlock[]> {
  const tree = element(await readPart(parts, path), "cSld", "spTree");
  return shapesIn(tree)
    .filter((shape) => placeholder(shape) === "body")
    .flatMap((shape) => paragraphs(element(shape, "txBody")))
    .map((paragraph) => ({ kind: "paragraph", text: prefixed("Notes: ", textOf(paragraph).trim()) }));
}

function prefixed(prefix: string, text: string): string {
  return text === "" ? "" : prefix + text;
}
