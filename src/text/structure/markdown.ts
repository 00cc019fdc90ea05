import type {
  BlockContent,
  DefinitionContent,
  Heading as HeadingNode,
  List,
  ListItem,
  Root,
  RootContent,
  Table,
} from "mdast";
import type { Block, BlockKind, Heading, Metadata, Span } from "../../spec/index.ts";
import { lazyLibrary } from "../../util/lazy.ts";
import { trimSpan } from "./cover.ts";
import { readFrontMatter } from "./front-matter.ts";
import { headingText } from "./heading-text.ts";
import { markdownParser } from "./markdown-parser.ts";

const frontMatterTree = lazyLibrary<typeof import("mdast-util-frontmatter")>("mdast-util-frontmatter");
const gfmTree = lazyLibrary<typeof import("mdast-util-gfm")>("mdast-util-gfm");
const frontMatterSyntax = lazyLibrary<typeof import("micromark-extension-frontmatter")>(
  "micromark-extension-frontmatter",
);
const gfmSyntax = lazyLibrary<typeof import("micromark-extension-gfm")>("micromark-extension-gfm");

/** Only blocks are wanted: leaving out what stands inside a line doubles the speed and avoids its slow corner cases. */
const BLOCKS_ONLY = {
  disable: {
    null: [
      "attention",
      "autolink",
      "characterEscape",
      "characterReference",
      "codeText",
      "hardBreakEscape",
      "htmlText",
      "labelEnd",
      "labelStartImage",
      "labelStartLink",
    ],
  },
};

const KINDS: Readonly<Record<string, BlockKind>> = { code: "code", blockquote: "quote", html: "html" };

interface Found {
  readonly text: string;
  /** Added to the parser's offsets; 1 behind a byte order mark, which the parser swallows. */
  readonly shift: number;
  readonly blocks: Block[];
  readonly outline: Heading[];
  readonly warnings: string[];
  metadata: Metadata;
}

/** Blocks, outline and front matter of Markdown (CommonMark with GitHub's tables), by its syntax tree. */
export function readMarkdown(text: string): Omit<Found, "text" | "shift"> {
  const shift = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const found: Found = { text, shift, blocks: [], outline: [], warnings: [], metadata: {} };
  for (const node of parse(shift ? text.slice(1) : text).children) readNode(found, node);
  return found;
}

function parse(text: string): Root {
  return markdownParser().fromMarkdown(text, {
    extensions: [gfmSyntax().gfm(), frontMatterSyntax().frontmatter(["yaml", "toml"]), BLOCKS_ONLY],
    mdastExtensions: [
      gfmTree().gfmFromMarkdown(),
      frontMatterTree().frontmatterFromMarkdown(["yaml", "toml"]),
    ],
  });
}

function readNode(found: Found, node: RootContent): void {
  const type: string = node.type;
  if (node.type === "yaml") readYaml(found, node, node.value);
  else if (type === "toml") readToml(found, node);
  else if (node.type === "heading") readHeading(found, node);
  else if (node.type === "list") readList(found, node, 1);
  else if (node.type === "table") readTable(found, node);
  else found.blocks.push({ kind: KINDS[type] ?? "paragraph", ...spanOf(found, node) });
}

function readYaml(found: Found, node: RootContent, yaml: string): void {
  const { metadata, warning } = readFrontMatter(yaml);
  found.metadata = metadata;
  if (warning !== undefined) found.warnings.push(warning);
  // What could not be read stays in the text, so that it can still be found.
  found.blocks.push({ kind: warning === undefined ? "metadata" : "code", ...spanOf(found, node) });
}

function readToml(found: Found, node: RootContent): void {
  found.warnings.push("front matter is TOML, which is not read; it stays part of the text");
  found.blocks.push({ kind: "code", ...spanOf(found, node) });
}

function readHeading(found: Found, node: HeadingNode): void {
  const span = spanOf(found, node);
  found.blocks.push({ kind: "heading", level: node.depth, ...span });
  const first = node.children[0];
  const last = node.children.at(-1);
  if (!first || !last) return;
  const source = found.text.slice(spanOf(found, first).start, spanOf(found, last).end);
  const words = headingText(source);
  if (words !== "") found.outline.push({ ...span, level: node.depth, text: words });
}

function readList(found: Found, list: List, level: number): void {
  for (const item of list.children) readItem(found, item, level);
}

/** An item is a block up to its nested list; what follows that list is a block of the same level. */
function readItem(found: Found, item: ListItem, level: number): void {
  const { start, end } = spanOf(found, item);
  let from = start;
  let parts: Span[] = [];
  const close = (to: number): void => {
    const span = trimSpan(found.text, from, to);
    if (span)
      found.blocks.push({ kind: "list-item", level, ...span, ...(parts.length > 1 ? { parts } : {}) });
    parts = [];
  };
  for (const child of item.children) {
    const span = spanOf(found, child);
    if (child.type !== "list") {
      parts.push(parts.length === 0 ? { start: from, end: span.end } : span);
      continue;
    }
    close(span.start);
    readList(found, child, level + 1);
    from = span.end;
  }
  close(end);
}

function readTable(found: Found, table: Table): void {
  const span = spanOf(found, table);
  const [head, ...rows] = table.children.map((row) => spanOf(found, row));
  const parts = rows.length > 0 ? rows : undefined;
  const header = head && trimSpan(found.text, head.start, rows[0]?.start ?? span.end);
  found.blocks.push({ kind: "table", ...span, ...(header ? { header } : {}), ...(parts ? { parts } : {}) });
}

function spanOf(
  found: Found,
  node: RootContent | BlockContent | DefinitionContent | ListItem | Table["children"][number],
): Span {
  const start = (node.position?.start.offset ?? 0) + found.shift;
  const end = (node.position?.end.offset ?? 0) + found.shift;
  return { start, end };
}
