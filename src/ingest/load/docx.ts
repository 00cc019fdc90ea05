import { KonteksError } from "../../spec/index.ts";
import { writeBlocks } from "./html-blocks.ts";
import { wholeContent } from "./html-main.ts";
import { attribute, type Element } from "./html-tree.ts";
import { officeFacts } from "./office-facts.ts";
import { createTextBuilder } from "./text-builder.ts";
import type { FoundFile, Parsed } from "./types.ts";
import { descendants, partsOf, readPart, textIn } from "./xml.ts";
import { OFFICE_LIMITS, openZip, type ZipEntry } from "./zip.ts";

/** Paragraph styles that Word names and mammoth does not map by itself. */
const styleMap = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "comment-reference => ",
];

/** A Word document: its styles give headings, lists and tables; footnotes follow the text. */
export async function loadDocx(bytes: Uint8Array, file: FoundFile): Promise<Parsed> {
  const entries = await openZip(bytes, file, OFFICE_LIMITS);
  // The library trusts the sizes that an archive states; reading every part shows that they are true.
  for (const entry of entries) await entry.read();
  const parts = partsOf(entries);
  const [{ default: mammoth }, { parse }] = await Promise.all([import("mammoth"), import("parse5")]);
  const { value } = await convert(mammoth, bytes, file);
  const builder = createTextBuilder();
  const content = { ...wholeContent(parse(value)), leftOut: isReference };
  writeBlocks(content, builder, { everyTableIsData: true });
  builder.add({ kind: "metadata", text: await runningLines(parts) });
  const { text, blocks, outline } = builder.finish();
  return { text, blocks, outline, format: "docx", warnings: [], ...(await officeFacts(parts)) };
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
async function runningLines(parts: ReadonlyMap<string, ZipEntry>): Promise<readonly string[]> {
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

async function convert(mammoth: typeof import("mammoth"), bytes: Uint8Array, file: FoundFile) {
  try {
    return await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
      {
        styleMap,
        externalFileAccess: false,
        convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
      },
    );
  } catch (cause) {
    throw new KonteksError(
      "unreadable",
      `"${file.id}" cannot be read as a Word document (${cause instanceof Error ? cause.message : String(cause)}). Open it in a word processor and save it anew.`,
      { facts: { path: file.path }, cause },
    );
  }
}
