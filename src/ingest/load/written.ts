import { noteMetadata } from "./notes.ts";
import type { Parsed } from "./types.ts";

/** Longer Markdown is data or a dump; its tree would take fifty times its size. */
const longestTree = 8 * 1024 * 1024;

/** Markdown, source code and plain text: the document's text is the file's text exactly, its structure is read out of it. */
export async function loadWritten(
  text: string,
  format: "markdown" | "code" | "text",
  path: string,
): Promise<Parsed> {
  const { readCodeStructure, readStructure } = await import("../../text/structure/index.ts");
  const isTooLong = format === "markdown" && text.length > longestTree;
  const { blocks, outline, metadata, warnings } =
    format === "code"
      ? await readCodeStructure(text, path)
      : readStructure(text, isTooLong ? "text" : format, { path });
  const warning = `Longer than ${longestTree / 1024 / 1024} MiB, so its structure was read as that of plain text.`;
  return {
    text,
    format,
    blocks,
    outline,
    metadata: format === "markdown" && !isTooLong ? noteMetadata(text, metadata) : metadata,
    warnings: isTooLong ? [...warnings, warning] : warnings,
  };
}
