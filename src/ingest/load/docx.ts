import { KonteksError } from "../../spec/index.ts";
import { chartBlocks } from "./chart.ts";
import { coverOf } from "./docx-cover.ts";
import { withFormulas } from "./docx-formulas.ts";
import { withoutWrappers } from "./docx-wrappers.ts";
import { writeBlocks } from "./html-blocks.ts";
import { wholeContent } from "./html-main.ts";
import { attribute, type Element } from "./html-tree.ts";
import { officeFacts } from "./office-facts.ts";
import { createTextBuilder, type NewBlock } from "./text-builder.ts";
import type { FoundFile, Parsed } from "./types.ts";
import { descendants, partsOf, readPart, readText, relationsOf, textIn } from "./xml.ts";
import { OFFICE_LIMITS, openZip, type ZipEntry } from "./zip.ts";

type Parts = ReadonlyMap<string, ZipEntry>;

/** Paragraph styles that Word names and mammoth does not map by itself. */
const styleMap = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "comment-reference => ",
];

/** A Word document: its styles give headings, lists and tables; footnotes follow the text. */
export async function loadDocx(bytes: Uint8Array, file: FoundFile): Promise<Parsed> {
  const entries = await openZip(bytes, file, OFFICE_LIMITS);
  const parts = partsOf(entries);
  const [{ default: mammoth }, { parse }] = await Promise.all([import("mammoth"), import("parse5")]);
  const { value } = await convert(mammoth, parts, file);
  const builder = createTextBuilder();
  const content = { ...wholeContent(parse(value)), leftOut: isReference };
  writeBlocks(content, builder, { everyTableIsData: true });
  for (const block of await charts(parts)) builder.add(block);
  builder.add({ kind: "metadata", text: await runningLines(parts) });
  const { text, blocks, outline } = builder.finish();
  const cover = coverOf((await readText(parts, "word/document.xml")) ?? "");
  return {
    text,
    blocks,
    outline,
    format: "docx",
    warnings: [],
    ...(cover !== undefined && { cover }),
    ...(await officeFacts(parts)),
  };
}

/** Marks of comments in the text, and the arrows that lead back to them: links for a browser, no words of the author. */
function isReference(element: Element): boolean {
  const isComment = (attribute(element, "id") ?? "").startsWith("comment-ref-");
  return (
    element.tagName === "a" &&
    (isComment || /^#(comment|footnote|endnote)-ref-/.test(attribute(element, "href") ?? ""))
  );
}

/** Headers and footers are the same on every page: kept in the text, so that they are found, but in no chunk. */
async function runningLines(parts: Parts): Promise<readonly string[]> {
  const lines = new Set<string>();
  for (const name of parts.keys()) {
    if (!/^word\/(header|footer)\d*\.xml$/.test(name)) continue;
    const root = await readPart(parts, name).catch(() => undefined);
    for (const paragraph of descendants(root, "p")) {
      const line = descendants(paragraph, "t").map(textIn).join("").replace(/\s+/g, " ").trim();
      if (line !== "") lines.add(line);
    }
  }
  return [...lines];
}

async function charts(parts: Parts): Promise<readonly NewBlock[]> {
  const relations = [...(await relationsOf(parts, "word/document.xml")).values()];
  const found = relations.filter(({ type }) => type === "chart");
  return (await Promise.all(found.map(({ target }) => chartBlocks(parts, target)))).flat();
}

/** The archive as the library asks for its parts, so that it is unpacked within our limits and only once. */
function archiveOf(parts: Parts) {
  return {
    exists: (name: string) => parts.has(name),
    read: async (name: string, encoding?: string) => {
      const bytes = (await parts.get(name)?.read()) ?? new Uint8Array();
      if (encoding === "base64") return Buffer.from(bytes).toString("base64");
      if (encoding === undefined) return bytes;
      const text = new TextDecoder(encoding).decode(bytes);
      return /document\d*\.xml$|notes\.xml$/.test(name) ? withFormulas(withoutWrappers(text)) : text;
    },
  };
}

async function convert(mammoth: typeof import("mammoth"), parts: Parts, file: FoundFile) {
  // The library takes an opened archive, though its types do not tell.
  const input = { file: archiveOf(parts) } as unknown as Parameters<typeof mammoth.convertToHtml>[0];
  try {
    return await mammoth.convertToHtml(input, {
      styleMap,
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
    });
  } catch (cause) {
    throw new KonteksError(
      "unreadable",
      `"${file.id}" cannot be read as a Word document (${reasonOf(cause)}). Open it in a word processor and save it anew.`,
      { facts: { path: file.path }, cause },
    );
  }
}

/** The XML library's own marks and places say nothing to the reader of a report. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const [line = message] = message.replace(/^(?:\w+: )?\[xmldom \w+\]\s*/, "").split(/[\r\n]/);
  return line;
}
