import type { Parsed } from "./types.ts";

/** Markdown, source code and plain text: the document's text is the file's text exactly, its structure is read out of it. */
export async function loadWritten(
  text: string,
  format: "markdown" | "code" | "text",
  path: string,
): Promise<Parsed> {
  const { readStructure } = await import("../../text/structure/index.ts");
  const { blocks, outline, metadata, warnings } = readStructure(text, format, { path });
  return { text, format, blocks, outline, metadata, warnings };
}
