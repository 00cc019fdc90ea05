import type { Block, Heading, Span } from "../../spec/index.ts";
import { lineStarts } from "../../util/lines.ts";
import { type CodeLine, readCodeLines } from "./code-lines.ts";

/** A function, class or other named unit of source code, by its lines. */
export interface Definition {
  readonly name: string;
  /** First line, with the comments and decorators above it. */
  readonly start: number;
  /** The line it begins on itself. */
  readonly line: number;
  /** The line behind its last. */
  readonly end: number;
  /** What is defined inside it, if that stands for itself: the methods of a class. */
  readonly inner: readonly Definition[];
}

/** First words that close or continue what stands above them: they never begin something of their own. */
export const CONTINUES =
  /^(?:[})\]]|end\b|else\b|elif\b|elsif\b|except\b|catch\b|finally\b|rescue\b|ensure\b|then\b|do\b|\{|where\b)/;
const LEADING =
  /^(?:\/\/|\/\*|\*|#(?!include|define|if|endif|pragma)|--|@[A-Za-z]|\[[A-Z][^\]]*\]\s*$|template\s*<|"""|''')/;

interface Layout {
  readonly text: string;
  readonly lines: readonly CodeLine[];
  readonly blocks: Block[];
  readonly outline: Heading[];
}

/** Blocks and outline of source code whose definitions are told by `definitionsOf`. */
export function layOutCode(
  text: string,
  path: string | undefined,
  definitionsOf: (lines: readonly CodeLine[], starts: Uint32Array) => readonly Definition[],
): { blocks: Block[]; outline: Heading[] } {
  const starts = lineStarts(text);
  const lines = readCodeLines(text, starts, path);
  const layout: Layout = { text, lines, blocks: [], outline: [] };
  addRange(layout, { from: 0, to: lines.length, level: 1 }, definitionsOf(lines, starts));
  return { blocks: layout.blocks, outline: layout.outline };
}

/** Comments, decorators and attributes right above a definition belong to it. */
export function leadingStart(lines: readonly CodeLine[], at: number): number {
  const indent = lines[at]?.indent ?? 0;
  let start = at;
  for (let above = at - 1; above >= 0; above--) {
    const line = lines[above];
    if (!line || line.blank) break;
    const leads = line.inside === "comment" || (line.indent === indent && LEADING.test(line.code));
    if (!leads) break;
    start = above;
  }
  return start;
}

/** The lines `[from, to)`: what is no definition becomes blocks of the container's level. */
function addRange(
  layout: Layout,
  { from, to, level }: { readonly from: number; readonly to: number; readonly level: number },
  definitions: readonly Definition[],
): void {
  let open = from;
  for (const definition of definitions) {
    addPlain(layout, open, definition.start, level - 1);
    addDefinition(layout, definition, level);
    open = definition.end;
  }
  addPlain(layout, open, to, level - 1);
}

function addDefinition(layout: Layout, { name, start, line, end, inner }: Definition, level: number): void {
  const span = spanOf(layout, start, end);
  layout.outline.push({ level, text: name, start: span.start, end: spanOf(layout, line, line + 1).end });
  const body = inner[0]?.start;
  if (body === undefined) {
    layout.blocks.push({ kind: "definition", level, ...span });
    return;
  }
  layout.blocks.push({ kind: "definition", level, ...spanOf(layout, start, body) });
  addRange(layout, { from: body, to: end, level: level + 1 }, inner);
}

/** Lines outside any definition: one block for each run between blank lines. */
function addPlain(layout: Layout, from: number, to: number, level: number): void {
  let start = from;
  for (let at = from; at <= to; at++) {
    const line = layout.lines[at];
    if (at < to && !(line?.blank && !line.inside)) continue;
    if (at > start) addRun(layout, start, at, level);
    start = at + 1;
  }
}

function addRun(layout: Layout, from: number, to: number, level: number): void {
  const span = spanOf(layout, from, to);
  const last = layout.blocks.at(-1);
  const closes = layout.lines.slice(from, to).every(({ code }) => /^[})\];,]*$|^end$/.test(code));
  if (closes && last) layout.blocks[layout.blocks.length - 1] = { ...last, end: span.end };
  else layout.blocks.push(plainBlock(span, level));
}

function plainBlock(span: Span, level: number): Block {
  return level > 0 ? { kind: "definition", level, ...span } : { kind: "code", ...span };
}

function spanOf({ lines, text }: Layout, from: number, to: number): Span {
  return { start: lines[from]?.start ?? text.length, end: lines[to]?.start ?? text.length };
}
