import type { Block, BlockKind, Heading, Page } from "../../spec/index.ts";

/** A block to be written, with its text in lines where the kind has lines. */
export interface NewBlock {
  readonly kind: BlockKind;
  /** Text, or the rows of a table. Blank ones are left out. */
  readonly text: string | readonly string[];
  readonly level?: number;
  /** Table only: how many of the first rows are its header. */
  readonly headerRows?: number;
}

export interface BuiltText {
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly outline: readonly Heading[];
  readonly pages: readonly Page[];
}

/** Writes a document's text block by block, so that every offset comes out of the writing. */
export interface TextBuilder {
  add(block: NewBlock): void;
  /** The next block stands on this page. Pages must come in order. */
  page(number: number): void;
  finish(): BuiltText;
}

export function createTextBuilder(): TextBuilder {
  const pieces: string[] = [];
  const blocks: Block[] = [];
  const outline: Heading[] = [];
  const pages: number[] = [];
  const starts: number[] = [];
  let length = 0;

  function write(piece: string): void {
    pieces.push(piece);
    length += piece.length;
  }

  function startPages(): void {
    while (starts.length < pages.length) starts.push(length);
  }

  return {
    add(block) {
      const lines = (typeof block.text === "string" ? [block.text] : block.text).filter(
        (line) => line.trim() !== "",
      );
      if (lines.length === 0) return;
      write(gapBefore(block, blocks.at(-1)));
      startPages();
      const start = length;
      write(lines.join("\n"));
      blocks.push(describe(block, lines, start, length));
      if (block.kind === "heading") {
        outline.push({
          start,
          end: length,
          level: block.level ?? 1,
          text: lines.join(" ").replace(/\s+/g, " "),
        });
      }
    },
    page: (number) => void pages.push(number),
    finish() {
      startPages();
      const numbered = pages.map((number, index) => ({ number, start: starts[index] ?? length }));
      return { text: pieces.join(""), blocks, outline, pages: numbered };
    },
  };
}

function gapBefore(block: NewBlock, previous: Block | undefined): string {
  if (previous === undefined) return "";
  if (block.kind !== "list-item") return "\n\n";
  const indent = "  ".repeat(Math.min(block.level ?? 1, 10) - 1);
  return (previous.kind === "list-item" ? "\n" : "\n\n") + indent;
}

function describe(block: NewBlock, lines: readonly string[], start: number, end: number): Block {
  const base = { kind: block.kind, start, end, ...(block.level === undefined ? {} : { level: block.level }) };
  if (block.kind !== "table") return base;
  const rows = spansOf(lines, start);
  const count = Math.min(block.headerRows ?? 0, rows.length);
  const last = rows[count - 1];
  const header = last === undefined ? {} : { header: { start, end: last.end } };
  return { ...base, ...header, parts: rows.slice(count) };
}

function spansOf(lines: readonly string[], start: number): readonly { start: number; end: number }[] {
  let at = start;
  return lines.map((line) => {
    const span = { start: at, end: at + line.length };
    at = span.end + 1;
    return span;
  });
}
