import type { Content } from "./html-main.ts";
import { isUnseen } from "./html-main.ts";
import { isLayout, readTable, type TableRows } from "./html-table.ts";
import { attribute, type Element, isElement, isInline, textOf, visit } from "./html-tree.ts";
import type { NewBlock, TextBuilder } from "./text-builder.ts";

export interface BlockOptions {
  /** Read every table as data, as word processors mean them. Default false: tables that only arrange the page are read as text. */
  readonly everyTableIsData?: boolean;
}

/** Tables nested deeper than people nest them are read as text without a closer look, which would cost the square of the depth. */
const deepestTable = 20;

/** Writes the text below a node block by block, in reading order. */
export function writeBlocks(content: Content, builder: TextBuilder, options: BlockOptions = {}): void {
  const writer = createWriter(builder);
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

/** Filed reports set their lists as tables of two columns, the bullet in the first. */
const bulletRow = /^[•●▪■◦○·‣∙–—*-] \| /;

interface List {
  readonly ordered: boolean;
  number: number;
}

/** Collects inline text until a block begins or ends, and knows which block that text belongs to. */
function createWriter(builder: TextBuilder) {
  const lists: List[] = [];
  let inline: string[] = [];
  let marker: string | undefined;
  let preformatted = 0;
  let quotes = 0;

  function flush(): void {
    const text = tidy(inline.join(""), preformatted > 0);
    inline = [];
    if (text.trim() === "") return;
    builder.add(preformatted > 0 ? { kind: "code", text } : blockOf(text));
    marker = undefined;
  }

  function blockOf(text: string): NewBlock {
    if (marker !== undefined)
      return { kind: "list-item", text: marker + text, level: Math.max(1, lists.length) };
    return { kind: quotes > 0 ? "quote" : "paragraph", text };
  }

  function startItem(): void {
    const list = lists.at(-1);
    marker = list?.ordered ? `${list.number++}. ` : "- ";
  }

  return {
    flush,
    text: (text: string) =>
      void inline.push(preformatted > 0 ? text : text.replace(/[ \t\n\r\f\u00A0]+/g, " ")),
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
    },
    leave(element: Element) {
      const name = element.tagName;
      const level = headingLevel(element);
      if (level !== undefined) {
        const text = tidy(inline.join(""), false).replace(/\s+/g, " ");
        inline = [];
        builder.add({ kind: "heading", text, level });
      } else if (!isInline(element) && name !== "br" && name !== "img") flush();
      if (name === "ol" || name === "ul" || name === "menu") lists.pop();
      if (name === "li") marker = undefined;
      if (name === "pre" || name === "textarea") preformatted--;
      if (name === "blockquote") quotes--;
    },
  };
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
