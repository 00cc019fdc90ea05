import type { Document, Span } from "../../spec/index.ts";

/** A part of a long document that is shown for some of its chunks; neighbours share one, so that it is cached for them. */
export interface Window extends Span {
  /** Places of its chunks in the list that was given. */
  readonly members: readonly number[];
}

/** Share of a window on each side that only shows what is around its chunks. */
const MARGIN = 0.2;

/** Windows of about `size` characters over the chunks, in order; each holds its chunks whole. */
export function windowsOf(textLength: number, chunks: readonly Span[], size: number): readonly Window[] {
  const core = Math.max(1, Math.floor(size * (1 - 2 * MARGIN)));
  const margin = Math.floor(size * MARGIN);
  const byCore = new Map<number, number[]>();
  for (const [index, { start, end }] of chunks.entries()) {
    const number = Math.floor((start + end) / 2 / core);
    byCore.set(number, [...(byCore.get(number) ?? []), index]);
  }
  return [...byCore]
    .sort(([a], [b]) => a - b)
    .map(([number, members]) => {
      const spans = members.flatMap((index) => chunks[index] ?? []);
      const start = Math.min(number * core - margin, ...spans.map((span) => span.start));
      const end = Math.max((number + 1) * core + margin, ...spans.map((span) => span.end));
      return { members, start: Math.max(0, start), end: Math.min(textLength, end) };
    });
}

/** The headings, indented by level, the deepest left out until it fits; without headings, how the document begins. */
export function outlineOf({ outline, text, title }: Document, maxLength: number): string {
  if (outline.length === 0) return text.slice(0, Math.min(maxLength, 1_500)).trim();
  const deepest = Math.max(...outline.map(({ level }) => level));
  for (let depth = deepest; depth >= 1; depth--) {
    const lines = outline
      .filter(({ level }) => level <= depth)
      .map(({ level, text }) => `${"  ".repeat(level - 1)}${text}`)
      .join("\n");
    if (lines.length <= maxLength) return lines;
  }
  return title.slice(0, maxLength);
}
