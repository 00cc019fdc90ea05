import type { Span } from "../spec/index.ts";

/** Where each line begins: CRLF, a lone CR and LF end a line. The first entry is always 0. */
export function lineStarts(text: string): Uint32Array {
  let starts = new Uint32Array(Math.max(16, text.length >> 5));
  let count = 1;
  for (let at = nextBreak(text, 0); at < text.length; at = nextBreak(text, at)) {
    at += text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10 ? 2 : 1;
    if (count === starts.length) starts = grown(starts);
    starts[count++] = at;
  }
  return starts.slice(0, count);
}

/** Number, from 1, of the line that holds `offset`. */
export function lineAt(starts: Uint32Array, offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

function nextBreak(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
    at++;
  }
  return at;
}

function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const bigger = new Uint32Array(array.length * 2);
  bigger.set(array);
  return bigger;
}

/** First and last line of a span, from 1. */
export function linesOf(starts: Uint32Array, span: Span): [first: number, last: number] {
  return [lineAt(starts, span.start), lineAt(starts, Math.max(span.start, span.end - 1))];
}
