import type { Span } from "../../spec/index.ts";
import { looksLikeCode } from "../../text/code-likeness.ts";
import { sentences } from "../../text/sentences.ts";
import { type Table, tablesOf } from "./table-rows.ts";

/** Lines of source code that are quoted together, at most. */
const CODE_LINES = 8;
const FENCE = /^[^\S\n]*(```|~~~)[^\n]*\n([\s\S]*?)(?:^[^\S\n]*\1[^\S\n]*$|(?![\s\S]))/gm;

/** Something that can be quoted by itself. */
export interface PassageUnit extends Span {
  /** Of a table's row: the words of its header, if it has one. */
  readonly header?: string;
}

/**
 * What can be quoted from a passage: its sentences and the rows of its tables; of source code, a few lines that stand
 * together, as code has no sentences.
 */
export function passageUnits(text: string, language: string | undefined): readonly PassageUnit[] {
  const rest = cutFence(text);
  if (rest === undefined) return wholeUnits(text, language);
  const behind = wholeUnits(text.slice(rest.end), language).map((unit) => moved(unit, rest.end));
  return [...codeUnits(text.slice(0, rest.start), 0), ...behind];
}

/** The fence that ends code which began in front of the passage. */
function cutFence(text: string): Span | undefined {
  const fences = [...text.matchAll(/^[^\S\n]*(?:```|~~~)[^\n]*$/gm)];
  const [first] = fences;
  // An opening one may name a language.
  if (first === undefined || fences.length % 2 === 0 || !/^\s*(?:```|~~~)\s*$/.test(first[0]))
    return undefined;
  return looksLikeCode(text.slice(0, first.index))
    ? { start: first.index, end: first.index + first[0].length }
    : undefined;
}

function wholeUnits(text: string, language: string | undefined): readonly PassageUnit[] {
  const fences = [...text.matchAll(FENCE)].map(({ 0: fence, 2: code = "", index }) => {
    const start = index + fence.indexOf("\n") + 1;
    return { span: { start: index, end: index + fence.length }, units: codeUnits(code, start) };
  });
  return between(text, fences, (part, start) =>
    looksLikeCode(part)
      ? codeUnits(part, start)
      : proseUnits(part, language).map((unit) => moved(unit, start)),
  );
}

function proseUnits(prose: string, language: string | undefined): readonly PassageUnit[] {
  const tables = tablesOf(prose).map((table) => ({ span: table, units: rowUnits(table) }));
  return between(prose, tables, (plain, from) =>
    sentences(plain, language)
      .filter((span) => saysSomething(plain, span))
      .map((span) => moved(span, from)),
  );
}

interface Block {
  readonly span: Span;
  readonly units: readonly PassageUnit[];
}

/** The units of blocks, and of what lies between them. */
function between(
  text: string,
  blocks: readonly Block[],
  read: (text: string, start: number) => readonly PassageUnit[],
): readonly PassageUnit[] {
  const units: PassageUnit[] = [];
  let from = 0;
  for (const { span, units: own } of blocks) {
    units.push(...read(text.slice(from, span.start), from), ...own);
    from = span.end;
  }
  return [...units, ...read(text.slice(from), from)];
}

function rowUnits({ rows, header }: Table): readonly PassageUnit[] {
  const words = header?.cells.join("\n") ?? "";
  const from = header?.start ?? -1;
  return rows.map(({ start, end }) => ({ start, end, ...(start > from && { header: words }) }));
}

function moved(unit: PassageUnit, by: number): PassageUnit {
  return { ...unit, start: unit.start + by, end: unit.end + by };
}

function codeUnits(code: string, offset: number): readonly PassageUnit[] {
  const block = new RegExp(`\\S[^\\n]*(?:\\n(?![^\\S\\n]*\\n)[^\\n]*){0,${CODE_LINES - 1}}`, "g");
  return [...code.matchAll(block)]
    .map(({ 0: lines, index }) => ({ start: index, end: index + lines.trimEnd().length }))
    .filter((span) => saysSomething(code, span))
    .map((span) => moved(span, offset));
}

/** Crumbs such as "27]" or "}" hold no word. */
function saysSomething(text: string, { start, end }: Span): boolean {
  return /\p{L}/u.test(text.slice(start, end));
}
