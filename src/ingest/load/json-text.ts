import type { Block } from "../../spec/index.ts";
import { trimSpan } from "../../text/structure/index.ts";
import type { Parsed } from "./types.ts";

/** Neighbours are put together up to this many characters, so that a list of numbers is not a block for each. */
const smallest = 400;
/** Larger values are opened, and their members are blocks. */
const largest = 2000;

/**
 * JSON and JSON lines. The text stays as it is, line for line; letters written as escapes (\u00e9) are written out, because
 * nobody searches for the escape. Values are kept together.
 */
export function loadJson(source: string): Parsed {
  const text = withoutEscapes(source);
  const blocks = blocksBetween(text, bordersOf(text));
  const warnings = text === source ? [] : ["Letters written as escapes (\\u…) were written out."];
  return { text, format: "json", metadata: {}, outline: [], blocks, warnings };
}

/** Only letters and signs beyond ASCII: quotation marks, backslashes and control characters keep the JSON valid. */
function withoutEscapes(source: string): string {
  if (!source.includes("\\u")) return source;
  return source.replace(/\\(?:u([0-9a-fA-F]{4})|[\s\S])/g, (written: string, code: string | undefined) => {
    const unit = code === undefined ? 0 : Number.parseInt(code, 16);
    return unit < 0xa0 || unit === 0x2028 || unit === 0x2029 ? written : String.fromCharCode(unit);
  });
}

/** Offsets between values: behind commas and lines of the outer levels, and inside values that are large. */
function bordersOf(text: string): readonly number[] {
  const borders: number[] = [];
  const open: { readonly start: number; readonly borders: number[] }[] = [{ start: 0, borders }];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x7b || code === 0x5b) open.push({ start: at, borders: [] });
    else if (code === 0x7d || code === 0x5d) close(open, at);
    else if (code === 0x2c) open.at(-1)?.borders.push(at + 1);
    else if (code === 0x0a && open.length === 1) borders.push(at + 1);
  }
  while (open.length > 1) close(open, text.length);
  return borders.sort((a, b) => a - b);
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 0x22) {
    // A line end inside a string is no JSON: the quotation mark was not one.
    if (text.charCodeAt(at) === 0x0a) return at - 1;
    at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  }
  return at;
}

/** A small value's inner borders are forgotten; a large one hands them on to what holds it. */
function close(open: { readonly start: number; readonly borders: number[] }[], end: number): void {
  const last = open.length > 1 ? open.pop() : undefined;
  if (last === undefined || end - last.start <= largest) return;
  const outer = open.at(-1)?.borders;
  for (const border of last.borders) outer?.push(border);
}

function blocksBetween(text: string, borders: readonly number[]): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  for (const border of [...borders, text.length]) {
    if (border < text.length && border - from < smallest) continue;
    const span = trimSpan(text, from, border);
    if (span !== undefined) blocks.push({ kind: "code", ...span });
    from = border;
  }
  return blocks;
}
