import type { Span } from "../../spec/index.ts";
import { sentences } from "../../text/sentences.ts";
import type { Marker } from "./markers.ts";

export interface CitedSentence extends Span {
  /** Sources that it cites, from 1. */
  readonly numbers: readonly number[];
  /** The sentence without its marks. */
  readonly words: string;
}

/** Sentences of an answer with the marks that belong to them: those inside, and those right behind its full stop. */
export function citedSentences(
  text: string,
  marks: readonly Marker[],
  language?: string,
): readonly CitedSentence[] {
  const pieces: { start: number; end: number }[] = [];
  for (const { start, end } of codeAsOne(text, language)) {
    const begin = afterMarks(text, start, marks);
    const last = pieces.at(-1);
    if (last && begin > start) last.end = Math.min(begin, end);
    if (begin >= end) continue;
    const bare = withoutMarks(text, { start: begin, end }, marks);
    if (last && !/[\p{L}\p{N}]/u.test(bare)) last.end = end;
    else pieces.push({ start: begin, end });
  }
  return pieces.map(({ start, end }) => {
    const trimmed = { start, end: start + text.slice(start, end).trimEnd().length };
    const own = marks.filter((mark) => mark.start >= start - 1 && mark.end <= end);
    const numbers = [...new Set(own.flatMap((mark) => mark.numbers))];
    return { ...trimmed, numbers, words: withoutMarks(text, trimmed, marks) };
  });
}

/** Where a sentence goes on behind marks that stand in front of it. */
function afterMarks(text: string, start: number, marks: readonly Marker[]): number {
  let at = start;
  for (;;) {
    const mark = marks.find((one) => one.start <= at && at < one.end);
    if (!mark) return at;
    at = mark.end + (/^[.!?。！？\s]*/u.exec(text.slice(mark.end))?.[0].length ?? 0);
  }
}

function withoutMarks(text: string, { start, end }: Span, marks: readonly Marker[]): string {
  let words = "";
  let from = start;
  for (const mark of marks) {
    if (mark.end <= start || mark.start >= end) continue;
    words += text.slice(from, Math.max(from, mark.start));
    from = mark.end;
  }
  return (words + text.slice(from, end)).trim();
}

/** A block of code has no sentences. */
function codeAsOne(text: string, language: string | undefined): readonly Span[] {
  const spans: Span[] = [];
  let from = 0;
  const prose = (to: number) => {
    for (const { start, end } of sentences(text.slice(from, to), language))
      spans.push({ start: from + start, end: from + end });
  };
  for (const { 0: code, index } of text.matchAll(/```[\s\S]*?(?:```|$)/g)) {
    prose(index);
    from = index + code.length;
    spans.push({ start: index, end: from });
  }
  prose(text.length);
  return spans;
}
