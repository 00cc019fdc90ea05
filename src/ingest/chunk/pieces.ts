import type { Block, Span } from "../../spec/index.ts";
import { sentences } from "../../text/sentences.ts";
import { isBlankAt, trimSpan } from "../../text/structure/index.ts";
import { graphemeSegmenter, type IsBorder } from "../../util/graphemes.ts";
import { blockStrength, STRENGTH } from "./strength.ts";

/** A stretch of text that is not cut, with the strength of the border in front of it. */
export interface Piece extends Span {
  readonly strength: number;
}

export interface PieceRules {
  readonly text: string;
  readonly isBorder: IsBorder;
  readonly language: string | undefined;
  /** Whether a span is small enough to stay whole. */
  readonly fits: (span: Span) => boolean;
  /** Whether a grapheme cluster may stay whole. */
  readonly within: (span: Span) => boolean;
}

type Stage = (rules: PieceRules, span: Span, block: Block) => Piece[];

/** Ways to split, the most natural first. */
const STAGES: readonly Stage[] = [byParts, byLinesOrSentences, byBlanks, byWords, byGraphemes];

/** The pieces of a document's blocks: blocks that fit stay whole, others are split no further than they must. */
export function piecesOf(rules: PieceRules, blocks: readonly Block[]): Piece[] {
  return joinedBlocks(rules, blocks).flatMap(({ block, strength }) =>
    refine(rules, { start: block.start, end: block.end, strength }, block, 0),
  );
}

/** The pieces when structure is not wanted: cut at blank space only. */
export function plainPiecesOf(rules: PieceRules, blocks: readonly Block[]): Piece[] {
  return joinedBlocks(rules, blocks).flatMap(({ block }) => {
    const words = byBlanks(rules, block);
    return words.flatMap((word) => refine(rules, { ...word, strength: STRENGTH.blank }, block, 3));
  });
}

/** Sentences of a block, rows of a table. */
export function sentencePiecesOf(rules: PieceRules, block: Block, strength: number): Piece[] {
  const found = byParts(rules, block, block).flatMap((part) =>
    headed(byLinesOrSentences(rules, part, block), part.strength),
  );
  return headed(found, strength);
}

/** Blocks with the strength of the border in front; where a border would lie inside a grapheme, the two are one. */
export function joinedBlocks(
  { text, isBorder }: Pick<PieceRules, "text" | "isBorder">,
  blocks: readonly Block[],
): { block: Block; strength: number }[] {
  const joined: { block: Block; strength: number }[] = [];
  for (const original of blocks) {
    const block = { ...original, ...snapped(original, isBorder) };
    const last = joined.at(-1);
    if (last && block.start < last.block.end)
      last.block = { ...last.block, end: Math.max(block.end, last.block.end) };
    else joined.push({ block, strength: last ? blockStrength(text, last.block, block) : STRENGTH.heading });
  }
  return joined;
}

function snapped({ start, end }: Span, isBorder: IsBorder): Span {
  let from = start;
  let to = end;
  while (!isBorder(from)) from--;
  while (!isBorder(to)) to++;
  return { start: from, end: to };
}

function refine(rules: PieceRules, piece: Piece, block: Block, from: number): Piece[] {
  if (rules.fits(piece)) return [piece];
  const stage = STAGES[from];
  if (!stage) return [piece];
  const split = stage(rules, piece, block);
  return headed(split, piece.strength).flatMap((part) => refine(rules, part, block, from + 1));
}

/** The first part begins where the whole began, so its border is as strong as that of the whole. */
function headed(parts: readonly Piece[], strength: number): Piece[] {
  return parts.map((part, index) => (index === 0 ? { ...part, strength } : part));
}

/** Splits at the given offsets, leaving out those that would cut a grapheme, and trims. */
function cutAt(
  { text, isBorder }: PieceRules,
  span: Span,
  cuts: Iterable<readonly [at: number, strength: number]>,
): Piece[] {
  const pieces: Piece[] = [];
  let from = span.start;
  let strength: number = STRENGTH.blank;
  const add = (end: number): void => {
    // The outer ends are borders already and stay as they are, blank or not.
    const left = from === span.start ? from : trimmedStart(text, from, end);
    const right = end === span.end ? end : trimmedEnd(text, from, end);
    if (left < right) pieces.push({ start: left, end: right, strength });
  };
  for (const [at, next] of cuts) {
    if (at <= from || at >= span.end) continue;
    const end = trimmedEnd(text, from, at);
    const start = trimmedStart(text, at, span.end);
    if (end <= from || start >= span.end || !isBorder(end) || !isBorder(start)) continue;
    add(at);
    from = start;
    strength = next;
  }
  add(span.end);
  return pieces;
}

function trimmedStart(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isBlankAt(text, at)) at++;
  return at;
}

function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isBlankAt(text, at - 1)) at--;
  return at;
}

/** Table rows; the paragraphs and fences of a list item. */
function byParts(rules: PieceRules, span: Span, block: Block): Piece[] {
  const strength = block.kind === "table" ? STRENGTH.row : STRENGTH.gap;
  // The first row stays with the header.
  const parts = block.header ? block.parts?.slice(1) : block.parts;
  return cutAt(
    rules,
    span,
    (parts ?? []).map((part) => [part.start, strength] as const),
  );
}

function byLinesOrSentences(rules: PieceRules, span: Span, block: Block): Piece[] {
  const isFence = /^(?:```|~~~|[-*+] |\d+[.)] )?\s*(?:```|~~~)/.test(
    rules.text.slice(span.start, span.start + 12),
  );
  if (isCode(block) || isFence || block.kind === "table")
    return cutAt(rules, span, lineCuts(rules.text, span));
  const words = rules.text.slice(span.start, span.end);
  const found = sentences(words, rules.language);
  return cutAt(
    rules,
    span,
    found.map(({ start }) => [start + span.start, STRENGTH.sentence] as const),
  );
}

/** Whether a block is made of lines rather than of sentences. */
export function isCode({ kind }: Block): boolean {
  return kind === "code" || kind === "definition" || kind === "html";
}

/** Starts of lines: best behind a blank line, then by how little they are indented. */
function* lineCuts(text: string, { start, end }: Span): Generator<readonly [number, number]> {
  let breaks = 0;
  let lineStart = start;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) {
      if (code === 10 || text.charCodeAt(at + 1) !== 10) breaks++;
      lineStart = at + 1;
    } else if (breaks > 0 && !isBlankAt(text, at)) {
      const indent = Math.min(at - lineStart, 16) / 4;
      const closes = /[})\]]/.test(text[at] ?? "");
      yield [at, (breaks > 1 ? STRENGTH.gap : STRENGTH.line) - indent - (closes ? 5 : 0)];
      breaks = 0;
    }
  }
}

function byBlanks(rules: PieceRules, span: Span): Piece[] {
  return cutAt(rules, span, blankCuts(rules.text, span));
}

function* blankCuts(text: string, { start, end }: Span): Generator<readonly [number, number]> {
  for (let at = start + 1; at < end; at++) {
    if (isBlankAt(text, at - 1) && !isBlankAt(text, at)) yield [at, STRENGTH.blank];
  }
}

let wordSegmenter: Intl.Segmenter | undefined;

/** Words by dictionary, for scripts that set no spaces. */
function byWords(rules: PieceRules, span: Span): Piece[] {
  wordSegmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  const words = [...wordSegmenter.segment(rules.text.slice(span.start, span.end))];
  return cutAt(
    rules,
    span,
    words.map(({ index }) => [index + span.start, STRENGTH.word] as const),
  );
}

/** Runs of grapheme clusters, as long as they fit; a cluster that does not by itself is cut between code points. */
function byGraphemes(rules: PieceRules, span: Span): Piece[] {
  const clusters = graphemeSegmenter().segment(rules.text.slice(span.start, span.end));
  const ends = [...clusters].map(({ index, segment }) => span.start + index + segment.length);
  const pieces: Piece[] = [];
  for (const run of runs(span.start, ends, rules.fits)) {
    if (rules.within(run)) pieces.push({ ...run, strength: STRENGTH.grapheme });
    else
      for (const part of runs(run.start, codePointEnds(rules.text, run), rules.fits))
        pieces.push({ ...part, strength: STRENGTH.glue });
  }
  return pieces.filter((piece) => trimSpan(rules.text, piece.start, piece.end) !== undefined);
}

/** The longest runs that fit, of clusters given by their ends; at least one cluster each. */
function* runs(start: number, ends: readonly number[], fits: (span: Span) => boolean): Generator<Span> {
  let from = start;
  for (let index = 0; index < ends.length; index++) {
    const begin = from;
    index = lastFitting(ends, index, (end) => fits({ start: begin, end }));
    const end = ends[index] ?? from;
    yield { start: from, end };
    from = end;
  }
}

/** Doubles, then halves the step, so that a run is measured a few times instead of once for each cluster. */
function lastFitting(ends: readonly number[], first: number, fits: (end: number) => boolean): number {
  let step = 1;
  let last = first;
  while (last + step < ends.length && fits(ends[last + step] ?? 0)) {
    last += step;
    step *= 2;
  }
  for (; step >= 1; step = Math.floor(step / 2)) {
    if (last + step < ends.length && fits(ends[last + step] ?? 0)) last += step;
  }
  return last;
}

function codePointEnds(text: string, { start, end }: Span): number[] {
  const ends: number[] = [];
  for (let at = start; at < end; ) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    ends.push(at);
  }
  return ends;
}
