import type { Span } from "../../spec/index.ts";
import type { Measure } from "./measure.ts";
import type { Piece } from "./pieces.ts";

/** Costs along a row of pieces, each known at once. */
export interface Ruler {
  /** Where piece `index` begins, on an axis of costs. */
  startOf(index: number): number;
  /** Cost of the pieces `[from, to)` with what lies between them. */
  cost(from: number, to: number): number;
  /** The largest `to` such that `[from, to)` costs no more than `room`; `from` if not even one piece does. */
  reach(from: number, room: number): number;
}

/** Pieces measured as text: what lies between two of them counts. */
export function textRuler(text: string, pieces: readonly Piece[], measure: Measure): Ruler {
  const starts = new Float64Array(pieces.length);
  const ends = new Float64Array(pieces.length);
  let at = 0;
  let last: Span | undefined;
  pieces.forEach((piece, index) => {
    if (last) at += measure(text, { start: last.end, end: piece.start });
    starts[index] = at;
    at += measure(text, piece);
    ends[index] = at;
    last = piece;
  });
  return ruler(starts, ends);
}

/** Pieces counted: each is one. */
export function countRuler(pieces: readonly Piece[]): Ruler {
  return ruler(
    Float64Array.from(pieces, (_, index) => index),
    Float64Array.from(pieces, (_, index) => index + 1),
  );
}

function ruler(starts: Float64Array, ends: Float64Array): Ruler {
  const startOf = (index: number): number => starts[index] ?? ends.at(-1) ?? 0;
  const reach = (from: number, room: number): number => {
    const most = startOf(from) + room;
    let low = from;
    let high = ends.length + 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((ends[middle - 1] ?? 0) <= most) low = middle;
      else high = middle;
    }
    return low;
  };
  return { startOf, reach, cost: (from, to) => (to > from ? (ends[to - 1] ?? 0) - startOf(from) : 0) };
}
