import { anchorsOf, borderWeight } from "./anchors.ts";
import type { Overlap } from "./overlap.ts";
import type { Piece } from "./pieces.ts";
import type { Ruler } from "./ruler.ts";
import { STRENGTH } from "./strength.ts";

/** A chunk to be: pieces `[from, to)`, and where its text begins (before the first piece, when there is an overlap). */
export interface Cut {
  readonly from: number;
  readonly to: number;
  readonly start: number;
}

export interface CutRules {
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly ruler: Ruler;
  /** Most that a chunk may cost, its overlap included. */
  readonly size: number;
  /** Most that an overlap may cost. */
  readonly overlap: number;
  readonly overlapAt: (index: number) => Overlap;
}

/** Distance between anchors, as a share of the size: larger fills chunks better, smaller makes borders agree sooner. */
const RADIUS = 0.55;

/** Cuts a row of pieces into chunks: at every anchor, and between two of them where the limit asks for it. */
export function cutPieces(rules: CutRules): Cut[] {
  const { text, pieces, ruler, size } = rules;
  if (pieces.length === 0) return [];
  const whole = ruler.cost(0, pieces.length) <= size;
  const anchors = whole ? [] : withMilestones(rules, anchorsOf(text, pieces, ruler, size * RADIUS));
  const cuts: Cut[] = [];
  let from = 0;
  for (const to of [...anchors, pieces.length]) {
    cutSegment(rules, from, to, cuts);
    from = to;
  }
  return cuts;
}

/** Longest stretch without an anchor, in sizes. */
const LONGEST = 2.2;

/**
 * Parts long stretches between anchors at their strongest border, again and again: it stays the strongest wherever the
 * stretch begins, so that chunks agree again there as well.
 */
function withMilestones(rules: CutRules, anchors: readonly number[]): number[] {
  const borders: number[] = [];
  let from = 0;
  for (const anchor of [...anchors, rules.pieces.length]) {
    const open: (readonly [number, number])[] = [[from, anchor]];
    for (let range = open.pop(); range; range = open.pop()) {
      const milestone = strongestWithin(rules, range[0], range[1]);
      if (milestone === undefined) continue;
      borders.push(milestone);
      open.push([range[0], milestone], [milestone, range[1]]);
    }
    if (anchor < rules.pieces.length) borders.push(anchor);
    from = anchor;
  }
  return borders.sort((a, b) => a - b);
}

function strongestWithin(
  { text, pieces, ruler, size }: CutRules,
  from: number,
  to: number,
): number | undefined {
  const length = ruler.cost(from, to);
  if (length <= size * LONGEST) return undefined;
  let found: number | undefined;
  let highest: number = STRENGTH.glue + 1;
  // From the middle outwards, so that equal borders part the stretch evenly.
  const middle = Math.max(from + 1, ruler.reach(from, length / 2));
  for (let step = 0; step < to - from; step++) {
    const index = middle + (step % 2 === 0 ? step / 2 : -(step + 1) / 2);
    const piece = pieces[index];
    if (!piece || index <= from || index >= to) continue;
    const weight = borderWeight(text, pieces[index - 1], piece);
    if (weight <= highest || ruler.cost(from, index) < size / 2 || ruler.cost(index, to) < size / 2) continue;
    highest = weight;
    found = index;
  }
  return found;
}

function cutSegment(rules: CutRules, begin: number, end: number, cuts: Cut[]): void {
  for (let from = begin; from < end; ) {
    const overlap = fittingOverlap(rules, from, cuts.at(-1));
    const room = rules.size - overlap.cost;
    const to = nextCut(rules, from, end, room);
    cuts.push({ from, to, start: overlap.start });
    from = to;
  }
}

/** The overlap in front of a piece: short of the whole chunk before, and none where the piece would not fit beside it. */
function fittingOverlap(rules: CutRules, from: number, previous: Cut | undefined): Overlap {
  const { overlapAt, ruler, size } = rules;
  const full = overlapAt(from);
  const overlap = previous && full.start <= previous.start ? behind(rules, previous, from) : full;
  if (overlap.cost === 0 || overlap.cost + ruler.cost(from, from + 1) <= size) return overlap;
  return { cost: 0, start: rules.pieces[from]?.start ?? 0 };
}

/** The overlap from the first piece that begins behind the beginning of the chunk before. */
function behind({ pieces, ruler }: CutRules, previous: Cut, from: number): Overlap {
  let first = previous.from;
  while (first < from && (pieces[first]?.start ?? 0) <= previous.start) first++;
  return { start: pieces[first]?.start ?? 0, cost: ruler.startOf(from) - ruler.startOf(first) };
}

function nextCut(rules: CutRules, from: number, end: number, room: number): number {
  const { ruler, size, overlap } = rules;
  const rest = ruler.cost(from, end);
  if (rest <= room || end === from + 1) return end;
  const furthest = Math.min(Math.max(ruler.reach(from, room), from + 1), end - 1);
  // What a chunk holds at least, however large its overlap.
  const least = size - overlap;
  const found =
    rest <= room + least
      ? halfway(rules, from, end, furthest, rest - least)
      : fullest(rules, from, furthest, room / 2);
  return found ?? lastAllowed(rules, from, furthest);
}

/** Two chunks will do: the strongest border that leaves both well filled. */
function halfway(
  rules: CutRules,
  from: number,
  end: number,
  furthest: number,
  shortest: number,
): number | undefined {
  const rest = rules.ruler.cost(from, end);
  const score = (index: number): number => {
    const share = (rules.ruler.startOf(index) - rules.ruler.startOf(from)) / rest;
    return (rules.pieces[index]?.strength ?? 0) - 60 * Math.abs(share - 0.5);
  };
  return best(rules, from, furthest, Math.max(shortest, rest * 0.15), score);
}

/** More chunks follow: the strongest border in the second half of the room. */
function fullest(rules: CutRules, from: number, furthest: number, shortest: number): number | undefined {
  const { text, pieces } = rules;
  return best(rules, from, furthest, shortest, (index) => {
    const piece = pieces[index];
    return piece ? borderWeight(text, pieces[index - 1], piece) : 0;
  });
}

function best(
  { ruler, pieces }: CutRules,
  from: number,
  furthest: number,
  shortest: number,
  score: (index: number) => number,
): number | undefined {
  let found: number | undefined;
  let highest = Number.NEGATIVE_INFINITY;
  for (let index = furthest; index > from && ruler.cost(from, index) >= shortest; index--) {
    if ((pieces[index]?.strength ?? 0) <= STRENGTH.glue) continue;
    const value = score(index);
    if (value > highest) {
      highest = value;
      found = index;
    }
  }
  return found;
}

function lastAllowed({ pieces }: CutRules, from: number, furthest: number): number {
  for (let index = furthest; index > from; index--)
    if ((pieces[index]?.strength ?? 0) > STRENGTH.glue) return index;
  return furthest;
}
