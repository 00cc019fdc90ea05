import type { Content } from "./html-main.ts";
import { isUnseen } from "./html-main.ts";
import { isLayout, readTable, type TableRows } from "./html-table.ts";
import {
  attribute,
  type Element,
  findAll,
  isElement,
  isInline,
  type Node,
  textOf,
  visit,
} from "./html-tree.ts";
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
      const text = textOf(node);
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

interface List {
  readonly ordered: boolean;
  number: number;
}

/** Collects inline text until a block begins or ends, and knows which block that text belongs to. */
function createWriter(builder: TextBuilder, boldIsHeading: boolean) {
  const lists: List[] = [];
  let inline: string[] = [];
  let marker: string | undefined;
  let preformatted = 0;
  let quotes = 0;
  const weights: boolean[] = [];
  let isBold = true;

  function flush(): void {
    const text = tidy(inline.join(""), preformatted > 0);
    inline = [];
    if (text.trim() === "") return;
    builder.add(preformatted > 0 ? { kind: "code", text } : blockOf(text));
    marker = undefined;
    isBold = true;
  }

  function blockOf(text: string): NewBlock {
    if (marker !== undefined)
      return { kind: "list-item", text: marker + text, level: Math.max(1, lists.length) };
    if (quotes > 0) return { kind: "quote", text };
    // Below the first level, which is the title's.
    if (boldIsHeading && isBold && isHeadingLike(text))
      return { kind: "heading", text, level: isCapitals(text) ? 2 : 3 };
    return { kind: "paragraph", text };
  }

  function startItem(): void {
    const list = lists.at(-1);
    marker = list?.ordered ? `${list.number++}. ` : "- ";
  }

  return {
    flush,
    text(text: string) {
      inline.push(preformatted > 0 ? text : text.replace(/[ \t\n\r\f\u00A0]+/g, " "));
      if (text.trim() !== "") isBold &&= weights.at(-1) ?? false;
    },
    table({ rows, headerRows }: TableRows) {
      flush();
      if (!rows.every((row) => bulletRow.test(row))) builder.add({ kind: "table", text: rows, headerRows });
      else
        for (const row of rows) builder.add({ kind: "list-item", text: row.replace(" | ", " "), level: 1 });
    },
    enter(element: Element) {
      const name = element.tagName;
      if (name === "br") inline.push("\n");
      else if (name === "img") inline.push(` ${attribute(element, "alt") ?? ""} `);
      else if (!isInline(element)) flush();
      if (name === "ol" || name === "ul" || name === "menu")
        lists.push({ ordered: name === "ol", number: startOf(element) });
      if (name === "li") startItem();
      if (name === "pre" || name === "textarea") preformatted++;
      if (name === "blockquote") quotes++;
      weights.push(isBoldElement(element) ?? weights.at(-1) ?? false);
    },
    leave(element: Element) {
      const name = element.tagName;
      const level = headingLevel(element);
      if (level !== undefined) {
        const text = tidy(inline.join(""), false).replace(/\s+/g, " ");
        inline = [];
        isBold = true;
        builder.add({ kind: "heading", text, level });
      } else if (!isInline(element) && name !== "br" && name !== "img") flush();
      if (name === "ol" || name === "ul" || name === "menu") lists.pop();
      if (name === "li") marker = undefined;
      if (name === "pre" || name === "textarea") preformatted--;
      if (name === "blockquote") quotes--;
      weights.pop();
    },
  };
}

function isBoldElement(element: Element): boolean | undefined {
  const weight = /(?:^|;)\s*font-weight\s*:\s*([a-z]+|\d+)/i.exec(attribute(element, "style") ?? "")?.[1];
  if (weight !== undefined) return /^bold/i.test(weight) || Number(weight) >= 600;
  return ["b", "strong"].includes(element.tagName) ? true : undefined;
}

function isHeadingLike(text: string): boolean {
  return text.length <= longestBold && /\p{L}{2}/u.test(text) && !/[\n]|[.,;:]$/.test(text);
}

function isCapitals(text: string): boolean {
  return text === text.toUpperCase() && text !== text.toLowerCase();
}

function startOf(list: Element): number {
  const start = Number.parseInt(attribute(list, "start") ?? "1", 10);
  return Number.isFinite(start) ? start : 1;
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
