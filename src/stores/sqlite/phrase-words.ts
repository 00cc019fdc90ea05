import { exactTerms } from "../../text/exact-terms.ts";
import { isAscii } from "../../text/normalise.ts";

/** Whether the words of a phrase stand one after the other in a text. */
export function holdsPhrase(phrase: readonly string[], text: string): boolean {
  return mayHold(phrase, text) && standsIn(phrase, exactTerms(text));
}

/** Letters between white space: always a word of its own, with one term. Shorter ones may be left out of a joined word. */
const WORD_BETWEEN = /\s[A-Z]?[a-z]{2,}\s/u;

/**
 * Says no only where the phrase cannot stand in the text, without taking its words apart: two neighbours of the phrase are
 * pieces of the text with no word between them. Of text beyond ASCII, whose words have other spellings, it says nothing.
 */
export function mayHold(phrase: readonly string[], text: string): boolean {
  if (!isAscii(text) || !phrase.every(isAscii)) return true;
  const lower = text.toLowerCase();
  return phrase.every((term, i) => i === 0 || haveNeighbours(phrase[i - 1] as string, term, text, lower));
}

function haveNeighbours(first: string, second: string, text: string, lower: string): boolean {
  for (let at = lower.indexOf(first); at >= 0; at = lower.indexOf(first, at + 1)) {
    const end = at + first.length;
    const next = lower.indexOf(second, end);
    if (next < 0) return false;
    if (!WORD_BETWEEN.test(text.slice(end, next))) return true;
  }
  return false;
}

function standsIn(phrase: readonly string[], terms: readonly string[]): boolean {
  const first = phrase[0] as string;
  for (let at = terms.indexOf(first); at >= 0; at = terms.indexOf(first, at + 1)) {
    if (phrase.every((term, i) => terms[at + i] === term)) return true;
  }
  return false;
}
