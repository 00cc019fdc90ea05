import { INVISIBLE, isAscii, normaliseWord } from "./normalise.ts";

/** A word taken apart. A plain word is its own only leaf. */
export interface Compound {
  /** Joined forms as written, normalised, largest first: `node:fs/promises`, `getuserbyid`, `3.85`. None for a plain word. */
  readonly wholes: readonly string[];
  /** The same without joining signs, so that `e-mail` meets `email` and `getUserById` meets `get_user_by_id`. */
  readonly joined: readonly string[];
  /** The words it is made of, as written; numbers stay whole. */
  readonly leaves: readonly string[];
}

/** Longer words are compared by their beginning only; nothing that a person types is longer. */
const LONGEST = 64;

/** Signs by how strongly they part, weakest word first. */
const LEVELS: readonly RegExp[] = [/[/\\:@=&#?+~%$€£¥]+/u, /\./u, /[-]/u, /_+/u];
const NUMBER = /^\p{Nd}+(?:[.,]\p{Nd}+)*$/u;
/** A number with what is written onto it: `v2.19.6`, `1.2M`, `2.5kg`. */
const MARKED_NUMBER = /^(\p{L}?)(\p{Nd}+(?:[.,]\p{Nd}+)+)(\p{L}{0,3})$/u;
const DIGITS = /^\p{Nd}+$/u;
const HUMPS =
  /(?:\p{Lu}\p{M}*)+(?!\p{Ll})|(?:\p{Lu}\p{M}*)?[\p{Ll}\p{M}]+|\p{Nd}+|[^\p{Lu}\p{Ll}\p{M}\p{Nd}]+/gu;

/** What nearly all words are: nothing to take apart. */
const PLAIN = /^[A-Z]?[a-z]+$/u;

/** Takes a scanned word apart, level by level, keeping every level's whole. */
export function takeApart(raw: string): Compound {
  if (PLAIN.test(raw)) return { wholes: [], joined: [], leaves: [raw] };
  const wholes = new Set<string>();
  const joined = new Set<string>();
  const leaves: string[] = [];
  split(isAscii(raw) ? raw : raw.normalize("NFKC").replace(INVISIBLE, ""), 0, { wholes, joined, leaves });
  return { wholes: [...wholes], joined: [...joined], leaves: leaves.filter((leaf) => termOf(leaf) !== "") };
}

/** A word's normal form as a term. */
export function termOf(word: string): string {
  const term = normaliseWord(word);
  return term.length <= LONGEST ? term : term.slice(0, LONGEST);
}

type Found = { readonly wholes: Set<string>; readonly joined: Set<string>; readonly leaves: string[] };

function split(word: string, level: number, found: Found): void {
  const marked = MARKED_NUMBER.exec(word);
  const pattern = LEVELS[level];
  if (NUMBER.test(word)) number(word, found);
  else if (marked) markedNumber(marked, found);
  else if (pattern === undefined) apostrophes(word, found);
  else pieces(word, pattern, level, found);
}

function pieces(word: string, pattern: RegExp, level: number, found: Found): void {
  const parts = word.split(pattern).filter((part) => part !== "");
  if (parts.length !== 1 || parts[0] !== word) {
    found.wholes.add(termOf(word));
    if (level >= 2) found.joined.add(joinedTerm(word));
  }
  for (const part of parts) split(part, level + 1, found);
}

function number(word: string, found: Found): void {
  if (!DIGITS.test(word)) found.joined.add(joinedTerm(word));
  found.leaves.push(word);
}

function markedNumber([word, , digits = "", unit = ""]: RegExpExecArray, found: Found): void {
  found.wholes.add(termOf(word));
  number(digits, found);
  if (unit.length > 1) found.leaves.push(unit);
}

/** `what's` is "what", `l'homme` "homme", `don't` "don": what is cut off says nothing. */
function apostrophes(word: string, found: Found): void {
  const parts = word.split(/['\u2019]/u);
  const long = parts.filter((part) => part.length > 2);
  if (parts.length > 1) found.wholes.add(termOf(word.replaceAll("\u2019", "'")));
  for (const part of parts.length === 1 || long.length === 0 ? parts : long) humps(part, found);
}

/** `getUserById`, `HTTPServer`, `HCA060T`: the whole, and its parts of two letters or more. */
function humps(word: string, found: Found): void {
  const parts = looksJoined(word) ? (word.match(HUMPS) ?? []) : [];
  const long = parts.filter((part) => part.length > 1);
  if (parts.length < 2 || long.length === 0) {
    found.leaves.push(word);
    return;
  }
  found.wholes.add(termOf(word));
  found.joined.add(joinedTerm(word));
  for (const part of long) found.leaves.push(part);
}

/** An upper-case letter after a lower-case one, or letters beside digits. */
function looksJoined(word: string): boolean {
  // A plural of capitals (`GPUs`) is one word.
  return (
    word.length <= 2 * LONGEST &&
    !/^\p{Lu}+s$/u.test(word) &&
    /\p{Ll}\p{Lu}|\p{L}\p{Nd}|\p{Nd}\p{L}|\p{Lu}{2}\p{Ll}/u.test(word)
  );
}

function joinedTerm(word: string): string {
  return termOf(word.replace(/[^\p{L}\p{M}\p{N}]+/gu, ""));
}
