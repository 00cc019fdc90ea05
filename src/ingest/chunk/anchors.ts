import type { Piece } from "./pieces.ts";
import type { Ruler } from "./ruler.ts";
import { STRENGTH } from "./strength.ts";

/**
 * Borders that are always cut: stronger than every other border within `radius` on both sides (equal strength: by a hash
 * of the words beside the border). Whether a border is one depends on the text around it alone, not on where chunks before
 * it ended; so after an edit the chunks agree again at the next anchor. This is local-maximum chunking (Bjørner, Blass,
 * Gurevich: Content-Dependent Chunking for Differential Compression, 2010) with natural borders in the place of bytes.
 */
export function anchorsOf(text: string, pieces: readonly Piece[], ruler: Ruler, radius: number): number[] {
  const weights = pieces.map((piece, index) => borderWeight(text, pieces[index - 1], piece));
  const begin = ruler.startOf(0);
  const end = begin + ruler.cost(0, pieces.length);
  const free = new Uint8Array(pieces.length);
  const stack: number[] = [];
  const settle = (index: number, rivalAt: number): void => {
    if (rivalAt - ruler.startOf(index) < radius) free[index] = 0;
  };
  for (let index = 1; index < pieces.length; index++) {
    const weight = weights[index] ?? 0;
    while (stack.length > 0 && (weights[stack.at(-1) ?? 0] ?? 0) < weight) {
      settle(stack.pop() ?? 0, ruler.startOf(index));
    }
    const rival = stack.at(-1);
    const distance = ruler.startOf(index) - (rival === undefined ? begin : ruler.startOf(rival));
    free[index] = distance >= radius && (pieces[index]?.strength ?? 0) > STRENGTH.glue ? 1 : 0;
    stack.push(index);
  }
  for (const index of stack) settle(index, end);
  return Array.from(free.keys()).filter((index) => free[index] === 1);
}

/** Strength of a border, then, behind the point, what tells equal ones apart. */
export function borderWeight(text: string, before: Piece | undefined, after: Piece): number {
  return after.strength + hash(text, before, after) / 2 ** 32;
}

const REACH = 24;

/** FNV-1a over the characters on both sides of a border, finished by MurmurHash3's mixer. */
function hash(text: string, before: Piece | undefined, after: Piece): number {
  let value = 0x811c9dc5;
  const end = before?.end ?? after.start;
  for (let at = Math.max(0, end - REACH); at < end; at++)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  const last = Math.min(text.length, after.start + REACH);
  for (let at = after.start; at < last; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
