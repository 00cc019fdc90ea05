import type { Block, Heading, Span } from "../../spec/index.ts";
import { lineStarts } from "../../util/lines.ts";
import { CONTAINERS, definitionOn } from "./code-definitions.ts";
import { type CodeLine, readCodeLines } from "./code-lines.ts";

/** First lines that close or continue what stands above them: they never begin something of their own. */
const CONTINUES =
  /^(?:[})\]]|end\b|else\b|elif\b|elsif\b|except\b|catch\b|finally\b|rescue\b|ensure\b|then\b|do\b|\{|where\b)/;
const LEADING =
  /^(?:\/\/|\/\*|\*|#(?!include|define|if|endif|pragma)|--|@[A-Za-z]|\[[A-Z][^\]]*\]\s*$|template\s*<|"""|''')/;

interface Reading {
  readonly text: string;
  readonly lines: readonly CodeLine[];
  readonly blocks: Block[];
  readonly outline: Heading[];
}

/**
 * Blocks of source code: definitions (with their comments and decorators) and what stands between them. Told by
 * indentation and by how definitions begin in the usual languages, so it needs no grammar and no correct file.
 */
export function readCode(text: string, path?: string): { blocks: Block[]; outline: Heading[] } {
  const lines = readCodeLines(text, lineStarts(text), path);
  const reading: Reading = { text, lines, blocks: [], outline: [] };
  readRange(reading, 0, lines.length, 1);
  return { blocks: reading.blocks, outline: reading.outline };
}

/** Reads the lines `[from, to)`: what is no definition becomes blocks of the container's level. */
function readRange(reading: Reading, from: number, to: number, level: number): void {
  let open = from;
  let at = from;
  while (at < to) {
    const found = definitionAt(reading.lines, at, to);
    if (!found) {
      at++;
      continue;
    }
    const start = Math.max(open, leadingStart(reading.lines, at));
    addPlain(reading, open, start, level - 1);
    open = addDefinition(reading, { ...found, start, line: at, level }, to);
    at = open;
  }
  addPlain(reading, open, to, level - 1);
}

interface Found {
  readonly kind: string;
  readonly name: string;
  readonly start: number;
  readonly line: number;
  readonly level: number;
}

function addDefinition(reading: Reading, found: Found, limit: number): number {
  const end = definitionEnd(reading.lines, found.line, limit);
  const span = spanOf(reading, found.start, end);
  reading.outline.push({
    level: found.level,
    text: found.name,
    start: span.start,
    end: spanOf(reading, found.line, found.line + 1).end,
  });
  const body = CONTAINERS.has(found.kind) ? firstInner(reading.lines, found.line + 1, end) : undefined;
  if (body === undefined) {
    reading.blocks.push({ kind: "definition", level: found.level, ...span });
    return end;
  }
  reading.blocks.push({ kind: "definition", level: found.level, ...spanOf(reading, found.start, body) });
  readRange(reading, body, end, found.level + 1);
  return end;
}

/** Where the first definition inside a container begins, its comments included. */
function firstInner(lines: readonly CodeLine[], from: number, to: number): number | undefined {
  for (let at = from; at < to; at++)
    if (definitionAt(lines, at, to)) return Math.max(from, leadingStart(lines, at));
  return undefined;
}

function definitionAt(
  lines: readonly CodeLine[],
  at: number,
  to: number,
): { kind: string; name: string } | undefined {
  const line = lines[at];
  if (!line || line.blank || line.inside || line.indent > 40) return undefined;
  return definitionOn(line.code, () => opensBody(lines, at, to));
}

/** Whether the parameter list that begins on line `at` is followed by a body rather than by the end of a call. */
function opensBody(lines: readonly CodeLine[], at: number, to: number): boolean {
  const indent = lines[at]?.indent ?? 0;
  for (let next = at + 1; next < Math.min(to, at + 40); next++) {
    const line = lines[next];
    if (!line || line.blank || line.indent > indent) continue;
    return (
      line.indent === indent &&
      (/^\{/.test(line.code) || /^\).*[{:]\s*$/.test(line.code)) &&
      !line.code.includes("=>")
    );
  }
  return false;
}

/** A definition runs to the next line that is indented no deeper and does not close or continue it. */
function definitionEnd(lines: readonly CodeLine[], at: number, limit: number): number {
  const indent = lines[at]?.indent ?? 0;
  let end = at + 1;
  for (let next = at + 1; next < limit; next++) {
    const line = lines[next];
    if (!line || line.blank) continue;
    if (!line.inside && line.indent <= indent && !(line.indent === indent && CONTINUES.test(line.code)))
      break;
    end = next + 1;
  }
  return end;
}

/** Comments, decorators and attributes right above a definition belong to it. */
function leadingStart(lines: readonly CodeLine[], at: number): number {
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

/** Lines outside any definition: one block for each run between blank lines. */
function addPlain(reading: Reading, from: number, to: number, level: number): void {
  let start = from;
  for (let at = from; at <= to; at++) {
    const line = reading.lines[at];
    if (at < to && !(line?.blank && !line.inside)) continue;
    if (at > start) addRun(reading, start, at, level);
    start = at + 1;
  }
}

function addRun(reading: Reading, from: number, to: number, level: number): void {
  const span = spanOf(reading, from, to);
  const last = reading.blocks.at(-1);
  const closes = reading.lines.slice(from, to).every(({ code }) => /^[})\];,]*$|^end$/.test(code));
  if (closes && last) reading.blocks[reading.blocks.length - 1] = { ...last, end: span.end };
  else reading.blocks.push(plainBlock(span, level));
}

function plainBlock(span: Span, level: number): Block {
  return level > 0 ? { kind: "definition", level, ...span } : { kind: "code", ...span };
}

function spanOf({ lines, text }: Reading, from: number, to: number): Span {
  return { start: lines[from]?.start ?? text.length, end: lines[to]?.start ?? text.length };
}
