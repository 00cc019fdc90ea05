import { type Node, textOf } from "./html-tree.ts";

const figures = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/**
 * The text of a node behind other text, with raised figures as figures of their own: a power is part of its number
 * (`10²`), the mark of a footnote is no part of the word it stands at.
 */
export function raisedText(node: Node, before: string): string | undefined {
  const text = textOf(node);
  if (text === undefined || !isRaised(node) || !/^\s*[-−–+]?\d{1,3}\s*$/.test(text)) return text;
  if (/\p{L}{3}$|[.,;:!?)”"’\]]$/u.test(before)) return ` ${text}`;
  if (!/[\p{L}\p{N}]$/u.test(before)) return text;
  return text
    .trim()
    .replace(/\d/g, (figure) => figures[Number(figure)] ?? figure)
    .replace(/^[-−–]/, "⁻")
    .replace(/^\+/, "⁺");
}

function isRaised(node: Node): boolean {
  return "parentNode" in node && node.parentNode !== null && node.parentNode.nodeName === "sup";
}
