import { KonteksError } from "../../spec/index.ts";
import { writeBlocks } from "./html-blocks.ts";
import { wholeContent } from "./html-main.ts";
import { attribute, type Element } from "./html-tree.ts";
import { createTextBuilder } from "./text-builder.ts";
import type { FoundFile, Parsed } from "./types.ts";

/** Paragraph styles that Word names and mammoth does not map by itself. */
const styleMap = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "comment-reference => ",
];

/** A Word document: its styles give headings, lists and tables; footnotes follow the text. */
export async function loadDocx(bytes: Uint8Array, file: FoundFile): Promise<Parsed> {
  const [{ default: mammoth }, { parse }] = await Promise.all([import("mammoth"), import("parse5")]);
  const { value } = await convert(mammoth, bytes, file);
  const builder = createTextBuilder();
  const content = { ...wholeContent(parse(value)), leftOut: isReference };
  writeBlocks(content, builder, { everyTableIsData: true });
  const { text, blocks, outline } = builder.finish();
  return { text, blocks, outline, format: "docx", metadata: {}, warnings: [] };
}

/** Marks of comments in the text, and the arrows that lead back to them: links for a browser, no words of the author. */
function isReference(element: Element): boolean {
  const isComment = (attribute(element, "id") ?? "").startsWith("comment-ref-");
  return (
    element.tagName === "a" &&
    (isComment || /^#(comment|footnote|endnote)-ref-/.test(attribute(element, "href") ?? ""))
  );
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
