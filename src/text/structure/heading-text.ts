import type { Nodes } from "mdast";
import { markdownParser } from "./markdown-parser.ts";

const MARKUP = /[*_`[\]<>&\\~!{}]/;
const ANCHORS = /\s*(?:\{\/\*.*?\*\/\}|\{#[^{}]*\})\s*$/;
const REFERENCE = /!?\[([^[\]]*)\]\s?\[[^[\]]*\]/g;

/** Plain words of a heading's Markdown: no markup, no `{#anchor}`. */
export function headingText(markdown: string): string {
  const line = markdown.replace(/\s+/g, " ").trim();
  if (!MARKUP.test(line)) return line;
  const bare = line.replace(ANCHORS, "").replace(REFERENCE, "$1");
  // Parsed behind a heading's own mark, so that "1. Start" does not become a list.
  return words(markdownParser().fromMarkdown(`# ${bare}`))
    .replace(/\s+/g, " ")
    .trim();
}

function words(node: Nodes): string {
  if (node.type === "html") return "";
  if ("value" in node) return node.value;
  if ("alt" in node) return node.alt ?? "";
  return "children" in node ? node.children.map(words).join("") : "";
}
