import type { Span } from "../../spec/index.ts";
import { type Folded, fold } from "./generate-fold.ts";

/**
 * Where the words of a quote stand in a source: the span of the original text, or undefined when they do not. They are
 * compared folded (see `fold`), and must be whole words and whole numbers: "grew by 3" is not in "grew by 30 %", nor
 * "5 %" in "2.5 %".
 */
export function findQuote(source: Folded, quote: string): Span | undefined {
  const wanted = fold(quote).text.trim();
  if (!/[\p{L}\p{N}]/u.test(wanted)) return undefined;
  for (let at = source.text.indexOf(wanted); at >= 0; at = source.text.indexOf(wanted, at + 1)) {
    const span = originalSpan(source, at, at + wanted.length);
    if (span && isWhole(source.text, at, at + wanted.length)) return span;
  }
  return undefined;
}

/** Undefined when the match begins or ends inside a sign that was folded to several (ﬁ, …). */
function originalSpan({ starts, ends }: Folded, from: number, to: number): Span | undefined {
  const start = starts[from];
  const end = ends[to - 1];
  if (start === undefined || end === undefined) return undefined;
  return start === starts[from - 1] || end === ends[to] ? undefined : { start, end };
}

function isWhole(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - 2), from);
  const after = text.slice(to, to + 2);
  const first = text.slice(from, from + 2);
  const last = text.slice(Math.max(from, to - 2), to);
  if (joins(before, first) || joins(last, after)) return false;
  if (/^\p{Nd}/u.test(first) && (/\p{Nd}[.,]$/u.test(before) || /(^|[\s(])-$/u.test(before))) return false;
  return !(/\p{Nd}$/u.test(last) && /^[.,]\p{Nd}/u.test(after));
}

/** Whether the end of one piece and the beginning of the next are parts of one word, in scripts that part words by spaces. */
function joins(left: string, right: string): boolean {
  return spacedEnd.test(left) && spacedStart.test(right);
}

const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}";
const spacedEnd = new RegExp(`[[\\p{L}\\p{N}\\p{M}_]--[${unspaced}]]$`, "v");
const spacedStart = new RegExp(`^[[\\p{L}\\p{N}\\p{M}_]--[${unspaced}]]`, "v");
