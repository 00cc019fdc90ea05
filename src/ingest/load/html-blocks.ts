import { createContext } from "./html-context.ts";
import type { Content } from "./html-main.ts";
import { isUnseen } from "./html-main.ts";
import { raisedText } from "./html-raised.ts";
import { isLayout, readTable, type TableRows } from "./html-table.ts";
import { attribute, type Element, findAll, isElement, isInline, type Node, visit } from "./html-tree.ts";
import type { NewBlock, TextBuilder } from "./text-builder.ts";

export interface BlockOptions {
  /** Read every table as data, as word processors mean them. Default false: tables that only arrange the page are read as text. */
  readonly everyTableIsData?: boolean;
}

/** Tables nested deeper than people nest them are read as text without a closer look, which would cost the square of the depth. */
const deepestTable = 20;

/** Writes the text below a node block by block, in reading order. */
export function writeBlocks(content: Content, builder: TextBuilder, options: BlockOptions = {}): void {
  const writer = createWriter(builder, isWithoutHeadings(content.root));
  let tables = 0;
  visit(content.root, {
    enter(node) {
      const text = raisedText(node, writer.last());
      if (text !== undefined) writer.text(text);
      if (!isElement(node)) return true;
      if (isUnseen(node) || content.leftOut(node)) return false;
      if (
        node.tagName === "table" &&
        tables < deepestTable &&
        (options.everyTableIsData || !isLayout(node))
      ) {
        writer.table(readTable(node));
        return false;
      }
      if (node.tagName === "table") tables++;
      writer.enter(node);
      return true;
    },
    leave(node) {
      if (!isElement(node)) return;
      if (node.tagName === "table") tables--;
      writer.leave(node);
    },
  });
  writer.flush();
}

/** Reports are written without a single heading element; their short bold lines are what a reader sees as headings. */
function isWithoutHeadings(root: Node): boolean {
  return findAll(root, (element) => headingLevel(element) !== undefined).length <= 1;
}

const longestBold = 120;

/** Filed reports set their lists as tables of two columns, the bullet in the first. */
const bulletRow = /^[•●▪■◦○·‣∙–—*-] \| /;

/** Collects inline text until a block begins or ends. */
function createWriter(builder: TextBuilder, boldIsHeading: boolean) {
  const context = createContext();
  let inline: string[] = [];
  let allBold = true;

  function take(): { text: string; isBold: boolean } {
    const taken = { text: tidy(inline.join(""), context.isPreformatted()), isBold: allBold };
    inline = [];
    allBold = true;
    return taken;
  }

  function flush(): void {
    const { text, isBold } = take();
    if (text.trim() === "") return;
    const block = context.blockOf(text);
    const isHeading = boldIsHeading && isBold && block.kind === "paragraph" && isHeadingLike(text);
    builder.add(isHeading ? { kind: "heading", text, level: guessedLevel(text) } : block);
  }

  function image(alt: string): void {
    inline.push(` ${alt} `);
    if (alt.trim() !== "") allBold = false;
  }

  return {
    flush,
    /** The text before, as far as it runs on. */
    last: () => inline.at(-1) ?? "",
    text(text: string) {
      inline.push(context.isPreformatted() ? text : text.replace(/[ \t\n\r\f\u00A0]+/g, " "));
      if (allBold && text.trim() !== "") allBold = context.isBold();
    },
    table(table: TableRows) {
      flush();
      for (const block of tableBlocks(table)) builder.add(block);
    },
    enter(element: Element) {
      if (element.tagName === "br") inline.push("\n");
      else if (element.tagName === "img") image(attribute(element, "alt") ?? "");
      else if (!isInline(element)) flush();
      context.enter(element);
    },
    leave(element: Element) {
      const level = headingLevel(element);
      if (level !== undefined) builder.add({ kind: "heading", text: headingText(take().text), level });
      else if (!isInline(element)) flush();
      context.leave(element);
    },
  };
}

/** What sites put behind a heading for whoever edits or links it, where its class does not tell. */
const behindHeading =
  /\s*(?:\[\s*(?:edit(?: source)?|bearbeiten|modifier|editar|modifica|bewerken|edytuj|править|sunting|sửa|แก้ไข|编辑|編輯|編集|편집)(?:\s*\|[^[\]|]{1,40})?\s*\]|[¶\u200b]+)\s*$/iu;

function headingText(text: string): string {
  return text.replace(/\s+/g, " ").replace(behindHeading, "");
}

function tableBlocks({ rows, headerRows }: TableRows): readonly NewBlock[] {
  if (!rows.every((row) => bulletRow.test(row))) return [{ kind: "table", text: rows, headerRows }];
  return rows.map((row) => ({ kind: "list-item", text: row.replace(" | ", " "), level: 1 }));
}

function isHeadingLike(text: string): boolean {
  return text.length <= longestBold && /\p{L}{2}/u.test(text) && !/[\n]|[.,;:]$/.test(text);
}

/** Below the first level, which is the title's; capitals above the rest. */
function guessedLevel(text: string): number {
  return text === text.toUpperCase() && text !== text.toLowerCase() ? 2 : 3;
}

function headingLevel(element: Element): number | undefined {
  const level = /^h([1-6])$/.exec(element.tagName)?.[1];
  if (level !== undefined) return Number(level);
  if (attribute(element, "role") !== "heading") return undefined;
  return Math.min(Math.max(Number(attribute(element, "aria-level") ?? 2) || 2, 1), 6);
}

/** White space as a browser shows it; soft hyphens are places to break a word, not letters of it. */
function tidy(text: string, preformatted: boolean): string {
  const shown = text.replace(/\u00AD/g, "");
  if (preformatted) return shown.replace(/\r\n?/g, "\n").replace(/^\n+/, "").trimEnd();
  // Runs of spaces go first: the other patterns would take the square of their length.
  return shown
    .replace(/ {2,}/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{2,}/g, "\n")
    .trim();
}
