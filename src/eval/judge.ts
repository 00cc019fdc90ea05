import type { Span } from "../spec/index.ts";
import type { GoldPassage } from "./types.ts";

/** Where a retrieved chunk stands. */
export interface Place extends Span {
  readonly documentId: string;
}

/** How much of the shorter of chunk and gold passage must be common. */
const majority = 0.5;

/**
 * Whether a chunk counts as finding a gold passage. It does when chunk and passage are in the same document and the
 * text they share is at least half of the shorter of the two (the overlap coefficient of Szymkiewicz and Simpson ≥ ½):
 *
 * - a passage inside a chunk is found, however small (an answer of three characters in a chunk of a thousand);
 * - a passage cut in two is found by the piece that holds most of it, and by both halves of an even cut;
 * - a passage longer than a chunk is found by a chunk that lies mostly inside it;
 * - a chunk that merely touches a passage, or a passage's edge, is not a find.
 *
 * Spans, not chunk ids, so that any chunking can be judged by the same gold, and chunkings with each other. Where
 * the gold passages are chunks of a chunking without overlap, a chunk finds exactly the passage it is. How much of a
 * long passage was covered is what `coverage` measures beside this yes-or-no. Document-level gold (an empty span) is
 * found by any chunk of the document.
 */
export function finds(chunk: Place, gold: GoldPassage): boolean {
  if (chunk.documentId !== gold.documentId) return false;
  if (isWholeDocument(gold)) return true;
  const shorter = Math.min(length(chunk), length(gold));
  return shorter > 0 && overlap(chunk, gold) >= majority * shorter;
}

export function isWholeDocument(gold: GoldPassage): boolean {
  return gold.start === gold.end;
}

function length(span: Span): number {
  return span.end - span.start;
}

/** UTF-16 units that two spans share. */
export function overlap(a: Span, b: Span): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

/** A hit as the judge sees it. */
export interface Retrieved extends Place {
  readonly score: number;
  /** Tokens that a reader of the hit pays for. */
  readonly tokens: number;
}

export interface JudgedHit {
  readonly score: number;
  readonly tokens: number;
  /** Tokens of the hit that are gold and stand in no hit before it, by share of its characters. */
  readonly goldTokens: number;
  /** Which gold passages it finds, by their index. */
  readonly finds: readonly number[];
  /** Characters of each gold passage that it adds to what the hits before it cover, by gold index; only where above 0. */
  readonly covers: Readonly<Record<number, number>>;
}

/** A question's ranked hits held against its gold; what every retrieval metric is computed from. */
export interface Judged {
  /** Worth of each gold passage; empty: the question is not scored. */
  readonly grades: readonly number[];
  /** Characters of each gold passage; 0 for a whole document. */
  readonly lengths: readonly number[];
  /** Best place of each gold passage, from 1; null where it was not found. */
  readonly places: readonly (number | null)[];
  readonly hits: readonly JudgedHit[];
}

/** Judges ranked hits. */
export function judge(hits: readonly Retrieved[], gold: readonly GoldPassage[]): Judged {
  const seen: Place[] = [];
  const judgedHits = hits.map((hit) => {
    const judged = judgeHit(hit, gold, seen);
    seen.push(hit);
    return judged;
  });
  return {
    grades: gold.map((passage) => passage.grade),
    lengths: gold.map(length),
    places: gold.map((_, index) => bestPlace(judgedHits, index)),
    hits: judgedHits,
  };
}

function bestPlace(hits: readonly JudgedHit[], index: number): number | null {
  const found = hits.findIndex((hit) => hit.finds.includes(index));
  return found < 0 ? null : found + 1;
}

function judgeHit(hit: Retrieved, gold: readonly GoldPassage[], seen: readonly Place[]): JudgedHit {
  const fresh = subtract(
    hit,
    seen.filter((place) => place.documentId === hit.documentId),
  );
  const own = gold.map((passage) => (passage.documentId === hit.documentId ? passage : undefined));
  const spans = own.flatMap((passage) =>
    passage === undefined ? [] : [isWholeDocument(passage) ? hit : passage],
  );
  const goldCharacters = sum(merge(spans).map((span) => sum(fresh.map((piece) => overlap(piece, span)))));
  const covers: Record<number, number> = {};
  own.forEach((passage, index) => {
    const added = passage === undefined ? 0 : sum(fresh.map((piece) => overlap(piece, passage)));
    if (added > 0) covers[index] = added;
  });
  return {
    score: hit.score,
    tokens: hit.tokens,
    goldTokens: length(hit) === 0 ? 0 : (hit.tokens * goldCharacters) / length(hit),
    finds: gold.flatMap((passage, index) => (finds(hit, passage) ? [index] : [])),
    covers,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Overlapping spans put together, in order. */
export function merge(spans: readonly Span[]): readonly Span[] {
  const merged: { start: number; end: number }[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ start: span.start, end: span.end });
  }
  return merged;
}

/** What is left of a span without the others, in order. */
export function subtract(span: Span, others: readonly Span[]): readonly Span[] {
  const left: Span[] = [];
  let from = span.start;
  for (const other of merge(others)) {
    if (other.end <= from || other.start >= span.end) continue;
    if (other.start > from) left.push({ start: from, end: other.start });
    from = other.end;
  }
  return from < span.end ? [...left, { start: from, end: span.end }] : left;
}
