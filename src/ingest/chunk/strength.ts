import type { Block } from "../../spec/index.ts";

/** How good a place for a cut is; compared, never added up. */
export const STRENGTH = {
  /** Behind a heading: only when nothing else is left. */
  glue: 1,
  grapheme: 10,
  word: 15,
  blank: 20,
  sentence: 30,
  /** A line of code; less when it is indented. */
  line: 40,
  /** A blank line within code. */
  gap: 46,
  row: 50,
  /** Between "as follows:" and what follows. */
  announced: 45,
  /** A list item of the first level; less when it is nested. */
  item: 60,
  block: 70,
  /** A definition of the first level; less when it is nested. */
  definition: 80,
  /** Less for every level. */
  heading: 90,
} as const;

/** Strength of the border in front of `block`. */
export function blockStrength(text: string, previous: Block, block: Block): number {
  if (previous.kind === "heading") return STRENGTH.glue;
  const level = Math.min(block.level ?? 1, 6);
  if (block.kind === "heading") return STRENGTH.heading - level;
  if (block.kind === "definition") return STRENGTH.definition - level;
  const announced = /[:：]$/.test(text.slice(previous.end - 1, previous.end));
  if (announced && previous.kind !== "code" && previous.kind !== "definition") return STRENGTH.announced;
  return block.kind === "list-item" ? STRENGTH.item - level : STRENGTH.block;
}

/** Whether an overlap may reach back over a border: not from one section or definition into the one before. */
export function partsSections(strength: number): boolean {
  return strength > STRENGTH.block;
}
