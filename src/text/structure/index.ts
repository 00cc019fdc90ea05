import type { Block, Heading, Metadata } from "../../spec/index.ts";
import { readCode } from "./code.ts";
import { coverBlocks } from "./cover.ts";
import { readMarkdown } from "./markdown.ts";
import { readPlain } from "./plain.ts";

export { coverBlocks, isBlankAt, trimSpan } from "./cover.ts";
export { headingPath } from "./heading-path.ts";

export interface Structure {
  /** In order, not overlapping, trimmed; what lies between two of them is blank. */
  readonly blocks: Block[];
  readonly outline: Heading[];
  /** From front matter; nested keys are joined by dots. */
  readonly metadata: Metadata;
  readonly warnings: string[];
}

/**
 * Reads the structure of a text: its blocks, headings and front matter. Never throws on a text; a text that defeats its
 * format's reader is read as plain text, with a warning.
 */
export function readStructure(
  text: string,
  format: "markdown" | "code" | "text",
  options: { readonly path?: string } = {},
): Structure {
  try {
    return covered(text, read(text, format, options.path));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const plain = covered(text, readPlain(text));
    return {
      ...plain,
      warnings: [`structure could not be read as ${format} (${reason}); taken as plain text`],
    };
  }
}

/**
 * `readStructure` of source code by the grammar of its language, where there is one; the grammars are loaded on first use.
 */
export async function readCodeStructure(text: string, path: string): Promise<Structure> {
  try {
    const { readCodeTree } = await import("./code-tree.ts");
    const read = await readCodeTree(text, path);
    if (read !== undefined) return covered(text, read);
  } catch {
    // A grammar that fails on a file says nothing about the file: it is read without one.
  }
  return readStructure(text, "code", { path });
}

type Read = Pick<Structure, "blocks" | "outline"> & Partial<Structure>;

function read(text: string, format: "markdown" | "code" | "text", path: string | undefined): Read {
  if (format === "markdown") return readMarkdown(text);
  return format === "code" ? readCode(text, path) : readPlain(text, path);
}

function covered(text: string, { blocks, outline, metadata = {}, warnings = [] }: Read): Structure {
  return { blocks: coverBlocks(text, blocks), outline, metadata, warnings };
}
