import type { Block, Span } from "../../spec/index.ts";

const BLANK = /^\s*$/;

/** The span without outer blank space; undefined when nothing is left. */
export function trimSpan(text: string, start: number, end: number): Span | undefined {
  let from = start;
  let to = end;
  while (from < to && isBlankAt(text, from)) from++;
  while (to > from && isBlankAt(text, to - 1)) to--;
  return from < to ? { start: from, end: to } : undefined;
}

/** Whether the UTF-16 unit at `offset` is white space or a line end. */
export function isBlankAt(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  return code >= 0xa0 && BLANK.test(text[offset] ?? "");
}

/**
 * Blocks made to hold what `Block` promises, whatever came in: in order, inside the text, trimmed, not overlapping
 * (the later one begins where the earlier one ends), and every non-blank character in one of them.
 */
export function coverBlocks(text: string, blocks: readonly Block[]): Block[] {
  const covered: Block[] = [];
  let at = 0;
  const add = (block: Block, end: number): void => {
    const span = trimSpan(text, Math.max(at, block.start), Math.min(end, text.length));
    if (span) covered.push(fitted(block, span));
    at = Math.max(at, end);
  };
  for (const block of [...blocks].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (block.start > at) add({ kind: "paragraph", start: at, end: block.start }, block.start);
    add(block, block.end);
  }
  add({ kind: "paragraph", start: at, end: text.length }, text.length);
  return covered;
}

function fitted(block: Block, span: Span): Block {
  const { header, parts, ...rest } = block;
  const inside = (part: Span): boolean => part.start >= span.start && part.end <= span.end;
  return {
    ...rest,
    ...span,
    ...(header && inside(header) ? { header } : {}),
    ...(parts ? { parts: parts.filter(inside) } : {}),
  };
}
