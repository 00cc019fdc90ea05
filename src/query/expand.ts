import type { ExpandedText, ExpandOptions, StoredChunk } from "../spec/index.ts";
import { countTokens } from "../text/count-tokens.ts";

/** Default of `ExpandOptions.tokens`. */
const DEFAULT_TOKENS = 2000;

/** What a hit is widened in: its document's text, and all of its chunks by ordinal. */
export interface Surroundings {
  readonly text: string;
  readonly chunks: readonly StoredChunk[];
}

/**
 * A hit with what surrounds it, as one slice of its document, so that overlaps stand there once. Chunks are added before
 * and after in turn while they are wanted and the slice stays within the budget; undefined when nothing was added.
 */
export function expand(
  hit: StoredChunk,
  { text, chunks }: Surroundings,
  options: ExpandOptions,
): ExpandedText | undefined {
  const wanted = wantedChunks(hit, chunks, options);
  const at = wanted.findIndex(({ chunk }) => chunk.id === hit.chunk.id);
  const { from, to } = grow(wanted, at, text, options.tokens ?? DEFAULT_TOKENS);
  const part = wanted.slice(from, to + 1).map(({ chunk }) => chunk);
  const [first] = part;
  if (at < 0 || part.length < 2 || !first) return undefined;
  const start = Math.min(...part.map((chunk) => chunk.start));
  const end = Math.max(...part.map((chunk) => chunk.end));
  return {
    start,
    end,
    text: text.slice(start, end),
    lines: [first.lines[0], Math.max(...part.map((chunk) => chunk.lines[1]))],
    by: options.document ? "document" : options.section ? "section" : "neighbours",
    chunkIds: part.map((chunk) => chunk.id),
  };
}

function wantedChunks(
  hit: StoredChunk,
  chunks: readonly StoredChunk[],
  { document, section, neighbours = 0 }: ExpandOptions,
): readonly StoredChunk[] {
  if (document) return chunks;
  const at = chunks.findIndex(({ chunk }) => chunk.id === hit.chunk.id);
  const near = chunks.map((_, i) => Math.abs(i - at) <= neighbours);
  if (section) for (const step of [-1, 1]) markSection(near, chunks, at, step);
  const from = near.indexOf(true);
  return from < 0 ? [] : chunks.slice(from, near.lastIndexOf(true) + 1);
}

/** Neighbours under the hit's own headings, up to the first that stands elsewhere. */
function markSection(near: boolean[], chunks: readonly StoredChunk[], at: number, step: number): void {
  const headings = chunks[at]?.chunk.headings ?? [];
  for (let i = at + step; i >= 0 && i < chunks.length; i += step) {
    const other = chunks[i]?.chunk.headings ?? [];
    if (!headings.every((heading, level) => other[level] === heading)) return;
    near[i] = true;
  }
}

function grow(wanted: readonly StoredChunk[], at: number, text: string, budget: number) {
  let [from, to] = [at, at];
  const tokens = (a: number, b: number) =>
    countTokens(text.slice(wanted[a]?.chunk.start ?? 0, wanted[b]?.chunk.end ?? 0));
  for (let grown = at >= 0; grown; ) {
    grown = false;
    if (to + 1 < wanted.length && tokens(from, to + 1) <= budget) {
      to++;
      grown = true;
    }
    if (from > 0 && tokens(from - 1, to) <= budget) {
      from--;
      grown = true;
    }
  }
  return { from, to };
}
