import {
  type CharacterClass,
  classOf,
  IDEOGRAPH,
  INVISIBLE,
  MARK,
  OTHER,
  UNSPACED,
  unitsAt,
  WORD,
} from "./characters.ts";

/** A word (perhaps joined of several: `node:fs/promises`, `c++`), or a run of a script without spaces. */
export type RunKind = "word" | "ideographs" | "unspaced";

export type VisitRun = (start: number, end: number, kind: RunKind) => void;

const JOINERS = flags("._-/\\:@=&#?+~'\u2019,");
/** Signs that belong to the word behind them when nothing stands before: `.NET`, `@nasa`, `$1.2M`. */
const PREFIXES = flags(".@#$€£¥");
/** Signs that belong to the word before them when no word follows: `c++`, `c#`, `50%`. */
const SUFFIXES = flags("+#%");

/** Calls `visit` for every run of the text, in order. Linear; offsets are UTF-16 units. */
export function scan(text: string, visit: VisitRun): void {
  let at = 0;
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    const kind = classOf(code);
    if (kind === OTHER || kind === INVISIBLE || kind === MARK) {
      at += unitsAt(code);
      continue;
    }
    const end = kind === WORD ? wordEnd(text, at) : sameClassEnd(text, at, kind);
    if (kind === WORD) visit(prefixStart(text, at), end, "word");
    else visit(at, end, kind === IDEOGRAPH ? "ideographs" : "unspaced");
    at = end;
  }
}

function wordEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = lettersEnd(text, at);
    const next = joinedAt(text, at);
    if (next === at) break;
    at = next;
  }
  return suffixEnd(text, at);
}

function lettersEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if ((code > 96 && code < 123) || (code > 47 && code < 58)) {
      at += 1;
      continue;
    }
    const full = text.codePointAt(at) ?? 0;
    const kind = classOf(full);
    if (kind !== WORD && kind !== MARK && kind !== INVISIBLE) break;
    at += unitsAt(full);
  }
  return at;
}

/** Where the word goes on behind its joining signs, or `at` when it ends here. */
function joinedAt(text: string, at: number): number {
  const sign = text.charCodeAt(at);
  if (at >= text.length || !has(JOINERS, sign)) return at;
  let next = at + 1;
  // `std::vector`, `https://x`, `__init__`: more than one sign of these kinds.
  while (next < at + 3 && isRepeatable(text.charCodeAt(next)) && isRepeatable(sign)) next += 1;
  if (next >= text.length || classAt(text, next) !== WORD) return at;
  if (sign === COMMA) return isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(next)) ? next : at;
  return next;
}

const COMMA = 44;

function isRepeatable(code: number): boolean {
  return code === 58 || code === 47 || code === 95;
}

function isDigit(code: number): boolean {
  return code > 47 && code < 58;
}

function prefixStart(text: string, start: number): number {
  if (start === 0 || !has(PREFIXES, text.charCodeAt(start - 1))) return start;
  if (start === 1) return 0;
  const before = text.charCodeAt(start - 2);
  return classAt(text, start - 2) !== OTHER ||
    has(PREFIXES, before) ||
    has(SUFFIXES, before) ||
    isLowSurrogate(before)
    ? start
    : start - 1;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function suffixEnd(text: string, end: number): number {
  let at = end;
  while (at < end + 2 && has(SUFFIXES, text.charCodeAt(at))) at += 1;
  return at > end && (at >= text.length || classAt(text, at) === OTHER) ? at : end;
}

function sameClassEnd(text: string, start: number, kind: CharacterClass): number {
  let at = start;
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    const found = classOf(code);
    if (found !== kind && !(found === INVISIBLE && kind === UNSPACED)) break;
    at += unitsAt(code);
  }
  return at;
}

function classAt(text: string, at: number): CharacterClass {
  return classOf(text.codePointAt(at) ?? 0);
}

function flags(signs: string): ReadonlySet<number> {
  return new Set([...signs].map((sign) => sign.charCodeAt(0)));
}

function has(signs: ReadonlySet<number>, code: number): boolean {
  return signs.has(code);
}
