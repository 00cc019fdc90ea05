import type { Block, Chunk, Document, Page, Span } from "../../spec/index.ts";
import { countTokens } from "../../text/count-tokens.ts";
import { headingPath } from "../../text/structure/index.ts";
import { lineStarts, linesOf } from "../../util/lines.ts";

/** A chunk's span; `own` is where what is not overlap begins. */
export interface ChunkSpan extends Span {
  readonly own: number;
}

/** Chunks with what is known of their place: headings, lines, pages, a split table's header. */
export function describeChunks(
  document: Document,
  blocks: readonly Block[],
  spans: readonly ChunkSpan[],
): Chunk[] {
  const starts = lineStarts(document.text);
  return spans.map(({ start, end, own }, ordinal) => {
    const text = document.text.slice(start, end);
    return {
      id: `${document.id}#${ordinal}`,
      documentId: document.id,
      ordinal,
      start,
      end,
      text,
      headings: headingsOf(document, blocks, { start: own, end }),
      lines: linesOf(starts, { start, end }),
      ...pagesOf(document.pages, { start, end }),
      tokens: countTokens(text),
      ...repeatedOf(document.text, blocks, start),
    };
  });
}

/** The headings of the first text that is no heading itself; a chunk's own first heading is among them. */
function headingsOf({ outline, format }: Document, blocks: readonly Block[], span: Span): string[] {
  let at = Math.max(0, blockAt(blocks, span.start));
  while (blocks[at]?.kind === "heading" && (blocks[at + 1]?.start ?? span.end) < span.end) at++;
  const block = blocks[at];
  const path = headingPath(outline, Math.max(span.start, block?.start ?? 0));
  // In source code a definition ends where its lines end, not where the next one begins.
  const deepest =
    format === "code" ? (block?.kind === "definition" ? (block.level ?? 1) : 0) : Number.POSITIVE_INFINITY;
  return path.filter(({ level }) => level <= deepest).map(({ text }) => text);
}

function pagesOf(pages: readonly Page[] | undefined, { start, end }: Span): { pages?: [number, number] } {
  if (!pages || pages.length === 0) return {};
  const at = (offset: number): number => pages[Math.max(0, lastAt(pages, offset))]?.number ?? 1;
  return { pages: [at(start), at(end - 1)] };
}

function repeatedOf(text: string, blocks: readonly Block[], start: number): { repeated?: string } {
  const header = blocks[blockAt(blocks, start)]?.header;
  return header && start >= header.end ? { repeated: text.slice(header.start, header.end) } : {};
}

/** Index of the block that holds `offset`; -1 when none begins before it. */
function blockAt(blocks: readonly Block[], offset: number): number {
  return lastAt(blocks, offset);
}

function lastAt(list: readonly { readonly start: number }[], offset: number): number {
  let low = -1;
  let high = list.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low;
}
