import type { Span } from "../../spec/index.ts";
import { sentences } from "../../text/sentences.ts";
import { isBlankAt } from "../../text/structure/index.ts";
import type { IsBorder } from "../../util/graphemes.ts";
import type { Measure } from "./measure.ts";
import type { Piece } from "./pieces.ts";
import type { Ruler } from "./ruler.ts";
import { partsSections, STRENGTH } from "./strength.ts";

/** Where a chunk's text begins, and what is in front of its first own piece costs. */
export interface Overlap {
  readonly start: number;
  readonly cost: number;
}

export interface OverlapRules {
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly ruler: Ruler;
  /** Most that an overlap may cost. */
  readonly most: number;
  readonly language: string | undefined;
  readonly isBorder: IsBorder;
  /** How a part of a piece is measured; left out when pieces are counted, which are never parted. */
  readonly measure?: Measure;
}

/**
 * The overlap in front of piece `index`: as many whole pieces as fit, else the last sentences or words of the piece before.
 * It never reaches back over the beginning of a section or definition.
 */
export function overlapBefore(rules: OverlapRules, index: number): Overlap {
  const { pieces, ruler, most } = rules;
  const own = ruler.startOf(index);
  const none = { start: pieces[index]?.start ?? 0, cost: 0 };
  if (most === 0 || index === 0) return none;
  let first = index;
  while (first > 0 && !partsSections(pieces[first]?.strength ?? 0) && own - ruler.startOf(first - 1) <= most)
    first--;
  const found =
    first === index ? none : { start: pieces[first]?.start ?? 0, cost: own - ruler.startOf(first) };
  const before = pieces[first - 1];
  const blocked =
    !before || !rules.measure || partsSections(pieces[first]?.strength ?? 0) || found.cost * 2 >= most;
  return blocked ? found : (tail(rules, before, found, pieces[index]?.start ?? 0) ?? found);
}

/** The longest natural end of a piece that still fits in front of what the overlap holds already. */
function tail(rules: OverlapRules, piece: Piece, found: Overlap, own: number): Overlap | undefined {
  const inSentences = sentences(rules.text.slice(piece.start, piece.end), rules.language).map(
    ({ start }) => start + piece.start,
  );
  const longest = longestFrom(rules, inSentences.reverse(), own);
  if (longest && longest.cost > found.cost) return longest;
  // Words only where there is nothing better; half a sentence beside whole ones helps nobody.
  return found.cost > 0 || piece.strength < STRENGTH.sentence
    ? undefined
    : longestFrom(rules, wordStarts(rules.text, piece), own);
}

/** The furthest of `starts` (nearest first) whose text up to `own` fits. */
function longestFrom(rules: OverlapRules, starts: Iterable<number>, own: number): Overlap | undefined {
  let longest: Overlap | undefined;
  let cost = 0;
  let end = own;
  for (const start of starts) {
    // Parts never cost less than the whole, so their sum is safe.
    cost += rules.measure?.(rules.text, { start, end }) ?? 0;
    if (cost > rules.most) break;
    if (rules.isBorder(start)) longest = { start, cost };
    end = start;
  }
  return longest;
}

function* wordStarts(text: string, { start, end }: Span): Generator<number> {
  for (let at = end - 1; at > start; at--) if (isBlankAt(text, at - 1) && !isBlankAt(text, at)) yield at;
}
