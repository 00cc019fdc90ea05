import { wordTerms } from "./terms.ts";

/** Where a scanned word stands, and the terms it was found to have. */
export interface PlacedWord extends Place {
  readonly terms: readonly string[];
}

interface Place {
  readonly start: number;
  readonly end: number;
}

const HYPHEN_MINUS = 0x2d;
const HYPHEN = 0x2010;
const SOFT_HYPHEN = 0xad;
/** Line end with the indentation around it. */
const WIDEST_GAP = 12;

/**
 * The terms of the word that two neighbours may be the parts of, broken by a hyphen at the end of a line as print does
 * ("re-" above "trieval"): those of "retrieval" and of "re-trieval" that the parts do not have themselves, since nothing
 * tells a hyphen of the typesetter from the word's own. None where the line does not break there.
 */
export function brokenWordTerms(
  text: string,
  before: PlacedWord,
  next: PlacedWord,
  language: string | undefined,
): readonly string[] {
  const words = brokenWord(text, before, next);
  if (words.length === 0) return [];
  const known = new Set([...before.terms, ...next.terms]);
  const terms = words.flatMap((word) => wordTerms(word, language).terms);
  return [...new Set(terms)].filter((term) => !known.has(term));
}

/** "retrieval" and "re-trieval" where two neighbours may be the parts of a broken word; else none. */
export function brokenWord(text: string, before: Place, next: Place): readonly string[] {
  if (!isBroken(text, before.end, next.start)) return [];
  const first = text.slice(before.start, before.end).replace(/\u00ad$/u, "");
  const second = text.slice(next.start, next.end);
  if (!/\p{L}$/u.test(first) || !/^\p{Ll}/u.test(second)) return [];
  return [first + second, `${first}-${second}`];
}

function isBroken(text: string, end: number, start: number): boolean {
  if (start <= end || start - end > WIDEST_GAP || end === 0) return false;
  const sign = text.charCodeAt(end);
  const soft = text.charCodeAt(end - 1) === SOFT_HYPHEN;
  if (!soft && sign !== HYPHEN_MINUS && sign !== HYPHEN) return false;
  return /^[ \t]*\r?\n[ \t]*$/u.test(text.slice(soft ? end : end + 1, start));
}

const BROKEN = /(?<=\p{L})(?:[-\u2010][ \t]*|\u00ad[ \t]*)\r?\n[ \t]*(?=\p{Ll})/gu;

/** The text with the parts of broken words side by side, for reading: the hyphen stays, since it may be the word's own. */
export function closeBrokenWords(text: string): string {
  return text.replace(BROKEN, (sign) => (sign.startsWith("\u00ad") ? "" : sign.charAt(0)));
}

/** The text with words joined that a hyphen breaks at a line end; the text itself where there are none. */
export function joinBrokenWords(text: string): string {
  return text.replace(BROKEN, "");
}
