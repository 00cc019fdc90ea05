import { gridBlocks } from "./grid.ts";
import { officeFacts } from "./office-facts.ts";
import { createTextBuilder } from "./text-builder.ts";
import type { FoundFile, Parsed } from "./types.ts";
import { type NumberFormat, readNumberFormats } from "./xlsx-numbers.ts";
import { readSheet } from "./xlsx-sheet.ts";
import {
  attributeOf,
  descendants,
  element,
  elements,
  partsOf,
  readPart,
  readText,
  relationsOf,
  textIn,
  type XmlElement,
} from "./xml.ts";
import { OFFICE_LIMITS, openZip, type ZipEntry } from "./zip.ts";

type Parts = ReadonlyMap<string, ZipEntry>;

/** A workbook: each sheet a section with its tables; formulas give the value that was last computed. */
export async function loadXlsx(bytes: Uint8Array, file: FoundFile): Promise<Parsed> {
  const parts = partsOf(await openZip(bytes, file, OFFICE_LIMITS));
  const path = workbookPath(parts);
  const workbook = await readPart(parts, path);
  const relations = await relationsOf(parts, path);
  const at = (type: string) => [...relations.values()].find((each) => each.type === type)?.target ?? "";
  const strings = await readStrings(parts, at("sharedStrings"));
  const formats = readNumberFormats(await readPart(parts, at("styles")), isFrom1904(workbook));
  const builder = createTextBuilder();
  const warnings: string[] = [];
  let number = 0;
  for (const sheet of elements(element(workbook, "sheets"), "sheet")) {
    number++;
    const name = attributeOf(sheet, "name") ?? `Sheet ${number}`;
    const target = relations.get(attributeOf(sheet, "id") ?? "")?.target ?? "";
    try {
      const blocks = await sheetBlocks(parts, target, strings, formats);
      if (blocks.length === 0) continue;
      builder.page(number);
      builder.add({ kind: "heading", level: 1, text: name });
      for (const block of blocks) builder.add(block);
    } catch (cause) {
      warnings.push(
        `Sheet "${name}" cannot be read (${cause instanceof Error ? cause.message : String(cause)}).`,
      );
    }
  }
  return { ...builder.finish(), format: "xlsx", warnings, ...(await officeFacts(parts)) };
}

function workbookPath(parts: Parts): string {
  return [...parts.keys()].find((name) => /^xl\/workbook\d*\.xml$/.test(name)) ?? "xl/workbook.xml";
}

function isFrom1904(workbook: XmlElement | undefined): boolean {
  return /^(1|true)$/.test(attributeOf(element(workbook, "workbookPr"), "date1904") ?? "");
}

async function sheetBlocks(
  parts: Parts,
  path: string,
  strings: readonly string[],
  formats: readonly NumberFormat[],
) {
  const xml = await readText(parts, path);
  if (xml === undefined) return [];
  const grid = await readSheet(xml, strings, formats);
  return [...gridBlocks(grid), ...(await comments(parts, path))];
}

async function comments(parts: Parts, path: string) {
  const relations = await relationsOf(parts, path);
  const target = [...relations.values()].find(({ type }) => type === "comments")?.target;
  if (target === undefined) return [];
  return descendants(await readPart(parts, target), "comment").map((comment) => ({
    kind: "list-item" as const,
    level: 1,
    text: `- ${attributeOf(comment, "ref") ?? ""}: ${textIn(comment).replace(/\s+/g, " ").trim()}`,
  }));
}

/** Texts stand once in the file; readings of Japanese words beside them are left out. */
async function readStrings(parts: Parts, path: string): Promise<readonly string[]> {
  const root = await readPart(parts, path);
  return elements(root, "si").map(stringOf);
}

export function stringOf(item: XmlElement): string {
  return elements(item)
    .filter(({ name }) => !/(^|:)(rPh|phoneticPr)$/.test(name))
    .map((each) => textIn(/(^|:)r$/.test(each.name) ? element(each, "t") : each))
    .join("");
}
