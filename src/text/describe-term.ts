import { FOLDED, JOINED, PAIR, PIECE, STEM } from "./terms.ts";

/** What a term of the index is to a word. */
export type TermKind = "as written" | "stem" | "without marks" | "joined" | "piece" | "pair of syllables";

const KINDS: Readonly<Record<string, TermKind>> = {
  [STEM]: "stem",
  [FOLDED]: "without marks",
  [JOINED]: "joined",
  [PIECE]: "piece",
  [PAIR]: "pair of syllables",
};

/** A term as people read it: its text without the sign that tells its kind. */
export function describeTerm(term: string): { readonly text: string; readonly kind: TermKind } {
  // A pair of syllables without marks has two signs.
  if (term.startsWith(FOLDED + PAIR)) return { text: term.slice(2), kind: "pair of syllables" };
  const kind = KINDS[term.slice(0, 1)];
  return kind === undefined || term.length === 1
    ? { text: term, kind: "as written" }
    : { text: term.slice(1), kind };
}
