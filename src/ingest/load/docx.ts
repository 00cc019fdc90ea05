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
  checkUnpackedSize(bytes, file);
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

/** Unpacked, an archive may be a thousand times its size. */
const longestUnpacked = 512 * 1024 * 1024;

function checkUnpackedSize(bytes: Uint8Array, file: FoundFile): void {
  const size = unpackedSize(bytes);
  if (size <= longestUnpacked) return;
  throw new KonteksError(
    "unreadable",
    `"${file.id}" would unpack to ${Math.round(size / 1024 / 1024)} MiB, more than the limit of ${longestUnpacked / 1024 / 1024} MiB. Remove its pictures, or split it.`,
    { facts: { path: file.path, size } },
  );
}

/** Sum of the sizes that a zip archive's directory states (APPNOTE.TXT 4.3.12). */
function unpackedSize(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const signature = Buffer.from([0x50, 0x4b, 0x01, 0x02]);
  let size = 0;
  for (
    let at = buffer.indexOf(signature);
    at >= 0 && at + 46 <= buffer.length;
    at = buffer.indexOf(signature, at + 46)
  ) {
    size += buffer.readUInt32LE(at + 24);
  }
  return size;
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
