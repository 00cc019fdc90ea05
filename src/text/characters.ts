/** What the scanner tells apart. */
export const OTHER = 0;
/** Letter or number of a script that writes words apart. */
export const WORD = 1;
/** Han and Kana: no spaces, words found by dictionary, and matched by pairs of characters as well. */
export const IDEOGRAPH = 2;
/** Thai, Lao, Khmer, Myanmar: no spaces between words, alphabetic. */
export const UNSPACED = 3;
/** Invisible inside a word: soft hyphen, zero-width joiner and non-joiner, word joiner, byte order mark. */
export const INVISIBLE = 4;

/** Combining mark: goes on with a word, begins none. */
export const MARK = 5;

export type CharacterClass = 0 | 1 | 2 | 3 | 4 | 5;

const PAGE = 256;
const pages = new Map<number, Uint8Array>();
const basic = new Uint8Array(PAGE);
for (let i = 0; i < PAGE; i++) basic[i] = classify(i);

/** Class of a code point; tables are filled a page of 256 at a time, as they are needed. */
export function classOf(codePoint: number): CharacterClass {
  if (codePoint < PAGE) return basic[codePoint] as CharacterClass;
  const number = Math.floor(codePoint / PAGE);
  let page = pages.get(number);
  if (page === undefined) {
    page = new Uint8Array(PAGE);
    for (let i = 0; i < PAGE; i++) page[i] = classify(number * PAGE + i);
    pages.set(number, page);
  }
  return page[codePoint % PAGE] as CharacterClass;
}

/** Units of the code point that starts at `index`: 2 for a surrogate pair. */
export function unitsAt(codePoint: number): 1 | 2 {
  return codePoint > 0xffff ? 2 : 1;
}

function classify(codePoint: number): CharacterClass {
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return OTHER;
  const character = String.fromCodePoint(codePoint);
  // A variation selector is a mark, but it follows symbols and emoji as well as letters.
  if (/\u00ad|\u200c|\u200d|\u2060|\ufeff|[\ufe00-\ufe0f]/u.test(character)) return INVISIBLE;
  if (!/[\p{L}\p{M}\p{N}]/u.test(character)) return OTHER;
  if (
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\uff70\uff9e\uff9f\u3099\u309a]/u.test(
      character,
    )
  ) {
    return IDEOGRAPH;
  }
  if (/[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(character)) return UNSPACED;
  return /\p{M}/u.test(character) ? MARK : WORD;
}
