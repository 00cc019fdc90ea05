import type { Block, Span } from "../../spec/index.ts";
import type { IsBorder } from "../../util/graphemes.ts";
import { cutPieces } from "./cut.ts";
import type { Measure } from "./measure.ts";
import { isCode, joinedBlocks, type Piece, type PieceRules, piecesOf, sentencePiecesOf } from "./pieces.ts";
import { textRuler } from "./ruler.ts";
import { STRENGTH } from "./strength.ts";

export interface ItemRules {
  readonly text: string;
  readonly isBorder: IsBorder;
  readonly language: string | undefined;
  readonly measure: Measure;
  /** An item that costs more counts as several. */
  readonly largest: number;
}

/** Sentences as pieces; code has none, there a block counts as one. */
export function sentencePieces(rules: ItemRules, blocks: readonly Block[]): Piece[] {
  return joinedBlocks(rules, blocks).flatMap(({ block, strength }) => {
    if (isCode(block)) return parted(rules, [block], strength);
    return sentencePiecesOf(partRules(rules), block, strength).flatMap((piece) =>
      parted(rules, [{ kind: "paragraph", start: piece.start, end: piece.end }], piece.strength),
    );
  });
}

/** Paragraphs as pieces: blocks, a tight list being one. */
export function paragraphPieces(rules: ItemRules, blocks: readonly Block[]): Piece[] {
  const starts = (block: Block, previous: Block): boolean => !isSameList(rules.text, previous, block);
  return items(rules, blocks, starts);
}

/** Sections as pieces: a heading with its text; headings without text of their own go with the next. */
export function sectionPieces(rules: ItemRules, blocks: readonly Block[]): Piece[] {
  return items(rules, blocks, (block, previous) => block.kind === "heading" && previous.kind !== "heading");
}

function isSameList(text: string, previous: Block, block: Block): boolean {
  if (block.kind !== "list-item" || previous.kind !== "list-item") return false;
  return !/(?:\r\n|\r|\n)[^\S\r\n]*[\r\n]/.test(text.slice(previous.end, block.start).replace(/\r\n/g, "\n"));
}

function items(
  rules: ItemRules,
  blocks: readonly Block[],
  starts: (block: Block, previous: Block) => boolean,
): Piece[] {
  const groups: { strength: number; blocks: Block[] }[] = [];
  let previous: Block | undefined;
  for (const { block, strength } of joinedBlocks(rules, blocks)) {
    const group = groups.at(-1);
    if (group && previous && !starts(block, previous)) group.blocks.push(block);
    else groups.push({ strength, blocks: [block] });
    previous = block;
  }
  return groups.flatMap((group) => parted(rules, group.blocks, group.strength));
}

/** One piece, or several where the item is too large. */
function parted(rules: ItemRules, blocks: readonly Block[], strength: number): Piece[] {
  const whole = { start: blocks[0]?.start ?? 0, end: blocks.at(-1)?.end ?? 0 };
  if (rules.measure(rules.text, whole) <= rules.largest) return [{ ...whole, strength }];
  const pieces = piecesOf(partRules(rules), blocks);
  const ruler = textRuler(rules.text, pieces, rules.measure);
  const overlapAt = (index: number) => ({ start: pieces[index]?.start ?? 0, cost: 0 });
  const cuts = cutPieces({ text: rules.text, pieces, ruler, size: rules.largest, overlap: 0, overlapAt });
  return cuts.map(({ from, to, start }) => ({
    start,
    end: pieces[to - 1]?.end ?? start,
    strength: from === 0 ? strength : (pieces[from]?.strength ?? STRENGTH.blank),
  }));
}

function partRules({ text, isBorder, language, measure, largest }: ItemRules): PieceRules {
  return {
    text,
    isBorder,
    language,
    fits: (span: Span) => measure(text, span) <= largest / 4,
    within: (span: Span) => measure(text, span) <= largest,
  };
}
