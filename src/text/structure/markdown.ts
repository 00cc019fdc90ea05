import type { Block, BlockKind, Heading, Metadata, Span } from "../../spec/index.ts";
import { lineStarts } from "../../util/lines.ts";
import { trimSpan } from "./cover.ts";
import { findFrontMatter, readFrontMatter } from "./front-matter.ts";
import { headingText } from "./heading-text.ts";
import { blockTokens, type Token } from "./markdown-parser.ts";

const KINDS: Readonly<Record<string, BlockKind>> = {
  fence: "code",
  code_block: "code",
  blockquote_open: "quote",
  html_block: "html",
};

const LIST_MARK = /(?:[-*+]|\d{1,9}[.)])[ \t]*/y;

interface Found {
  readonly text: string;
  /** Offsets of the lines that were parsed, and of the end. */
  readonly starts: Uint32Array;
  readonly tokens: readonly Token[];
  readonly blocks: Block[];
  readonly outline: Heading[];
}

/** A place in a line that holds the marks of several lists: `- 1. text`. */
interface Place {
  readonly line: number;
  readonly offset: number;
}

type Markdown = Pick<Found, "blocks" | "outline"> & {
  readonly metadata: Metadata;
  readonly warnings: string[];
};

/** Blocks, outline and front matter of Markdown (CommonMark with GitHub's tables and footnotes), by its block tokens. */
export function readMarkdown(text: string): Markdown {
  const starts = lineStarts(text);
  const front = readFront(text, starts);
  const body = starts.subarray(front.lines);
  const from = body[0] ?? text.length;
  // The parser counts lines; which sign ends them, and a byte order mark, are not its concern.
  const source = text.slice(from).replace(/^\ufeff/, "");
  const tokens = blockTokens(source.includes("\r") ? source.replace(/\r\n?/g, "\n") : source);
  const found: Found = { text, starts: body, tokens, blocks: front.blocks, outline: [] };
  forEachNode(tokens, 0, tokens.length, (token, at) => readNode(found, token, at));
  const { blocks, outline } = found;
  return { blocks, outline, metadata: front.metadata, warnings: front.warnings };
}

function readFront(text: string, starts: Uint32Array) {
  const front = findFrontMatter(text, starts);
  if (front === undefined) return { lines: 0, blocks: [], metadata: {}, warnings: [] };
  const { lines } = front;
  const span = { start: 0, end: starts[lines] ?? text.length };
  // What could not be read stays in the text, so that it can still be found.
  const kept = (warning: string) => ({
    lines,
    blocks: [{ kind: "code" as const, ...span }],
    metadata: {},
    warnings: [warning],
  });
  const { metadata, warning } = readFrontMatter(front);
  if (warning !== undefined) return kept(warning);
  return { lines, blocks: [{ kind: "metadata" as const, ...span }], metadata, warnings: [] };
}

/** Calls `visit` for the tokens in `[from, to)` that are not inside of another one, with their index. */
function forEachNode(
  tokens: readonly Token[],
  from: number,
  to: number,
  visit: (token: Token, at: number) => void,
): void {
  for (let at = from; at < to; at = endOf(tokens, at) + 1) {
    const token = tokens[at];
    if (token?.map) visit(token, at);
  }
}

/** Index of the token that closes the one at `at`; of that one itself when it is whole. */
function endOf(tokens: readonly Token[], at: number): number {
  const open = tokens[at];
  if (open?.nesting !== 1) return at;
  let end = at + 1;
  while (end < tokens.length && tokens[end]?.level !== open.level) end++;
  return end;
}

function readNode(found: Found, token: Token, at: number): void {
  const { type } = token;
  if (type === "heading_open") readHeading(found, token, at);
  else if (type === "bullet_list_open" || type === "ordered_list_open")
    readList(found, at, 1, { line: -1, offset: 0 });
  else if (type === "table_open") readTable(found, token, at);
  else addBlock(found, { kind: KINDS[type] ?? "paragraph" }, spanOf(found, token));
}

function addBlock({ blocks }: Found, block: Omit<Block, "start" | "end">, span: Span | undefined): void {
  if (span) blocks.push({ ...block, ...span });
}

function readHeading(found: Found, token: Token, at: number): void {
  const span = spanOf(found, token);
  const level = Number(token.tag.slice(1));
  addBlock(found, { kind: "heading", level }, span);
  const words = headingText(found.tokens[at + 1]?.content ?? "");
  if (span && words !== "") found.outline.push({ ...span, level, text: words });
}

function readList(found: Found, at: number, level: number, begin: Place): void {
  const { tokens } = found;
  forEachNode(tokens, at + 1, endOf(tokens, at), (item, index) => readItem(found, item, index, level, begin));
}

/** An item is a block up to its nested list; what follows that list is a block of the same level. */
function readItem(found: Found, item: Token, at: number, level: number, begin: Place): void {
  const { text, tokens } = found;
  const whole = spanOf(found, item, begin);
  if (!whole) return;
  const content = { line: item.map?.[0] ?? 0, offset: behindMark(text, whole.start) };
  let from = whole.start;
  let parts: Span[] = [];
  const close = (to: number): void => {
    addBlock(
      found,
      { kind: "list-item", level, ...(parts.length > 1 ? { parts } : {}) },
      trimSpan(text, from, to),
    );
    parts = [];
  };
  forEachNode(tokens, at + 1, endOf(tokens, at), (child, index) => {
    const span = spanOf(found, child, content);
    if (!span) return;
    if (!child.type.endsWith("list_open")) {
      parts.push(parts.length === 0 ? { start: from, end: span.end } : span);
      return;
    }
    close(span.start);
    readList(found, index, level + 1, content);
    from = span.end;
  });
  close(whole.end);
}

function behindMark(text: string, start: number): number {
  LIST_MARK.lastIndex = start;
  return LIST_MARK.test(text) ? LIST_MARK.lastIndex : start;
}

function readTable(found: Found, table: Token, at: number): void {
  const inside = found.tokens.slice(at, endOf(found.tokens, at));
  const rows = inside.flatMap((token) => (token.type === "tr_open" ? (spanOf(found, token) ?? []) : []));
  const span = spanOf(found, table);
  const [head, ...parts] = rows;
  const header = span && head && trimSpan(found.text, head.start, parts[0]?.start ?? span.end);
  addBlock(found, { kind: "table", ...(header && { header }), ...(parts.length > 0 && { parts }) }, span);
}

/** Where a token's lines stand, without blank space around; from `begin` on when that is in its first line. */
function spanOf({ text, starts }: Found, { map }: Token, begin?: Place): Span | undefined {
  const [first, last] = map ?? [0, 0];
  const start = begin?.line === first ? begin.offset : (starts[first] ?? text.length);
  return trimSpan(text, start, starts[last] ?? text.length);
}
