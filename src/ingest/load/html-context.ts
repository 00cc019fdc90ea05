import { attribute, type Element } from "./html-tree.ts";
import type { NewBlock } from "./text-builder.ts";

/** What the place of a text says about it: list, quotation, preformatted text, weight of the type. */
export interface Context {
  enter(element: Element): void;
  leave(element: Element): void;
  isPreformatted(): boolean;
  isBold(): boolean;
  /** Text at this place as a block. The first one in a list item carries the item's mark. */
  blockOf(text: string): NewBlock;
}

interface List {
  readonly ordered: boolean;
  number: number;
}

export function createContext(): Context {
  const lists: List[] = [];
  const weights: boolean[] = [];
  let marker: string | undefined;
  let preformatted = 0;
  let quotes = 0;

  function count(element: Element, step: 1 | -1): void {
    if (element.tagName === "pre" || element.tagName === "textarea") preformatted += step;
    if (element.tagName === "blockquote") quotes += step;
  }

  return {
    enter(element) {
      count(element, 1);
      weights.push(weightOf(element) ?? weights.at(-1) ?? false);
      if (isList(element)) lists.push({ ordered: element.tagName === "ol", number: startOf(element) });
      if (element.tagName === "li") marker = markOf(lists.at(-1));
    },
    leave(element) {
      count(element, -1);
      weights.pop();
      if (isList(element)) lists.pop();
      if (element.tagName === "li") marker = undefined;
    },
    isPreformatted: () => preformatted > 0,
    isBold: () => weights.at(-1) ?? false,
    blockOf(text) {
      const mark = preformatted > 0 ? undefined : marker;
      marker = undefined;
      if (preformatted > 0) return { kind: "code", text };
      if (mark !== undefined)
        return { kind: "list-item", text: mark + text, level: Math.max(1, lists.length) };
      return { kind: quotes > 0 ? "quote" : "paragraph", text };
    },
  };
}

function isList({ tagName }: Element): boolean {
  return tagName === "ol" || tagName === "ul" || tagName === "menu";
}

function markOf(list: List | undefined): string {
  return list?.ordered ? `${list.number++}. ` : "- ";
}

function startOf(list: Element): number {
  const start = Number.parseInt(attribute(list, "start") ?? "1", 10);
  return Number.isFinite(start) ? start : 1;
}

/** Whether an element sets its text bold; undefined when it leaves that as it is. */
function weightOf(element: Element): boolean | undefined {
  const weight = /(?:^|;)\s*font-weight\s*:\s*([a-z]+|\d+)/i.exec(attribute(element, "style") ?? "")?.[1];
  if (weight !== undefined) return /^bold/i.test(weight) || Number(weight) >= 600;
  return ["b", "strong"].includes(element.tagName) ? true : undefined;
}
