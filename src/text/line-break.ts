import { wordTerms } from "./terms.ts";

/** Where a scanned word stands, and the terms it was found to have. */
export interface PlacedWord {
  readonly start: number;
  readonly end: number;
  readonly terms: readonly string[];
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
  if (!isBroken(text, before.end, next.start)) return [];
  const first = text.slice(before.start, before.end).replace(/\u00ad$/u, "");
  const second = text.slice(next.start, next.end);
  if (!/\p{L}$/u.test(first) || !/^\p{Ll}/u.test(second)) return [];
  const known = new Set([...before.terms, ...next.terms]);
  const terms = [first + second, `${first}-${second}`].flatMap((word) => wordTerms(word, language).terms);
  return [...new Set(terms)].filter((term) => !known.has(term));
}

function isBroken(text: string, end: number, start: number): boolean {
  if (start <= end || start - end > WIDEST_GAP || end === 0) return false;
  const sign = text.charCodeAt(end);
  const soft = text.charCodeAt(end - 1) === SOFT_HYPHEN;
  if (!soft && sign !== HYPHEN_MINUS && sign !== HYPHEN) return false;
  return /^[ \t]*\r?\n[ \t]*$/u.test(text.slice(soft ? end : end + 1, start));
}
