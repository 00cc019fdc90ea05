import type { DocumentScores } from "./document-scores.ts";
import { WINDOW_CHUNKS, WINDOW_SHIFT } from "./scoring.ts";
import { eachCommon, seek } from "./seek.ts";
import type { Segment } from "./segment.ts";
import type { Selection } from "./selection.ts";
import type { Gains } from "./term-lists.ts";
import type { Threshold } from "./threshold.ts";

/** A term's list in a segment as it is scored. */
export interface ScoredList {
  readonly chunks: Uint32Array;
  readonly gains: Gains;
  /** The query's weight × inverse document frequency. */
  readonly weight: number;
}

/** Chunks that may be among the best, with scores in single precision. */
export interface Candidates {
  readonly chunks: number[];
  readonly scores: number[];
}

/** Scores in single precision are never off by more, in proportion. */
export const SLACK = 1e-5;

/**
 * Chunks of a segment that can reach the threshold, a window of chunk numbers at a time. In each window the lists with
 * the lowest bounds, which together cannot lift a chunk over the threshold, are asked only about chunks that the other
 * lists found: MaxScore (Turtle and Flood 1995) with bounds by window, as in block-max (Ding and Suel 2011).
 */
export function findCandidates(
  segment: Segment,
  lists: readonly ScoredList[],
  selection: Selection,
  documents: DocumentScores | undefined,
  best: Threshold,
): Candidates {
  const found: Candidates = { chunks: [], scores: [] };
  if (selection.count === 0 || lists.length === 0) return found;
  const cursors = lists.map((list): Cursor => ({ ...list, at: 0, bound: 0 }));
  const scores = new Float64Array(WINDOW_CHUNKS);
  const hidden = selection.hidden();
  for (let start = 0; start < segment.size; start += WINDOW_CHUNKS) {
    const end = Math.min(start + WINDOW_CHUNKS, segment.size);
    const window: Window = { start, end, scores, hidden, documents, best, found };
    scanWindow(window, cursors);
  }
  return found;
}

interface Cursor extends ScoredList {
  /** First entry that was not passed yet. */
  at: number;
  /** Most that the list adds in this window. */
  bound: number;
}

interface Window {
  readonly start: number;
  readonly end: number;
  /** By chunk, from `start`. */
  readonly scores: Float64Array;
  readonly hidden: Uint8Array;
  readonly documents: DocumentScores | undefined;
  readonly best: Threshold;
  readonly found: Candidates;
}

function scanWindow(window: Window, cursors: readonly Cursor[]): void {
  const { start, end, documents, best } = window;
  const present = boundedLists(cursors, start);
  const needed = best.value * (1 - SLACK);
  const mostOfDocument = documents?.most(start, end) ?? 0;
  let optional = 0;
  let rest = 0;
  // Ascending bounds: the first lists are the ones that may be left for later.
  while (optional < present.length) {
    const next = rest + (present[optional] as Cursor).bound;
    if (next + mostOfDocument >= needed) break;
    rest = next;
    optional++;
  }
  if (optional === present.length) return;
  for (let i = optional; i < present.length; i++) addList(window, present[i] as Cursor);
  collect(window, present.slice(0, optional).reverse(), rest, mostOfDocument);
}

/** Lists with something in the window, the lowest bound first. */
function boundedLists(cursors: readonly Cursor[], start: number): Cursor[] {
  const window = start >>> WINDOW_SHIFT;
  const present: Cursor[] = [];
  for (const cursor of cursors) {
    cursor.bound = cursor.weight * (cursor.gains.most[window] as number);
    if (cursor.bound > 0) present.push(cursor);
  }
  return present.sort((a, b) => a.bound - b.bound);
}

function addList({ start, end, scores }: Window, cursor: Cursor): void {
  const { chunks, weight, gains } = cursor;
  const { values } = gains;
  let at = seek(chunks, start, cursor.at);
  for (let chunk = chunks[at] as number; chunk < end; chunk = chunks[++at] as number) {
    const place = chunk - start;
    scores[place] = (scores[place] as number) + weight * (values[at] as number);
  }
  cursor.at = at;
}

/** Completes what can reach the threshold from the lists left for later, and empties the window's scores. */
function collect(window: Window, later: readonly Cursor[], rest: number, mostOfDocument: number): void {
  const { start, end, scores, hidden, documents, best, found } = window;
  for (const cursor of later) cursor.at = seek(cursor.chunks, start, cursor.at);
  let needed = best.value * (1 - SLACK);
  for (let place = 0; place < end - start; place++) {
    const own = scores[place] as number;
    if (own === 0 || own + rest + mostOfDocument < needed || hidden[start + place]) continue;
    const chunk = start + place;
    const base = documents ? own + documents.of(chunk) : own;
    const score = completed(later, chunk, base, rest, needed);
    if (score < needed) continue;
    found.chunks.push(chunk);
    found.scores.push(score);
    best.add(score);
    needed = best.value * (1 - SLACK);
  }
  scores.fill(0);
}

/** Adds what the remaining lists, highest bounds first, say of a chunk; stops when it cannot reach `needed` any more. */
function completed(
  later: readonly Cursor[],
  chunk: number,
  base: number,
  rest: number,
  needed: number,
): number {
  let score = base;
  let left = rest;
  for (const cursor of later) {
    if (score + left < needed) return 0;
    left -= cursor.bound;
    const at = seek(cursor.chunks, chunk, cursor.at);
    cursor.at = at;
    if (cursor.chunks[at] === chunk) score += cursor.weight * (cursor.gains.values[at] as number);
  }
  return score;
}

/** The same for a few chunks: all of them, from all lists. */
export function scoreFew(
  few: Uint32Array,
  lists: readonly ScoredList[],
  documents: DocumentScores | undefined,
  best: Threshold,
): Candidates {
  const scores = new Float64Array(few.length);
  for (const { chunks, gains, weight } of lists) {
    const { values } = gains;
    eachCommon(few, chunks, (i, at) => {
      scores[i] = (scores[i] as number) + weight * (values[at] as number);
    });
  }
  const found: Candidates = { chunks: [], scores: [] };
  for (let i = 0; i < few.length; i++) {
    const own = scores[i] as number;
    if (own === 0) continue;
    const chunk = few[i] as number;
    const score = own + (documents?.of(chunk) ?? 0);
    if (score < best.value * (1 - SLACK)) continue;
    found.chunks.push(chunk);
    found.scores.push(score);
    best.add(score);
  }
  return found;
}
