/** A piece of text as the PDF library gives it. */
interface Piece {
  readonly str: string;
}

/** Letters that stand alone, each with a space behind it. */
const alone = /^\S(?: \S)+$/u;
/** A single word of that kind is taken for one from so many letters on. */
const shortestWord = 5;

/**
 * Headings are set with room between their letters, which the PDF library takes for spaces ("A N N U A L"); it gives the
 * spaces between their words as pieces of their own. Letters of a list ("A B C D E") stay apart.
 */
export function closeTracked<T extends Piece>(items: readonly T[]): readonly T[] {
  const isApart = items.map(({ str }) => alone.test(str) && /\p{L} \p{L}/u.test(str));
  if (!isApart.includes(true)) return items;
  return items.map((item, at) => {
    if (!isApart[at]) return item;
    const word = item.str.replaceAll(" ", "");
    const hasNeighbour = [-2, 2].some((step) => isApart[at + step] && isBlank(items[at + step / 2]));
    const isWord = word.length >= shortestWord && /^\p{L}+$/u.test(word) && !isAlphabet(word);
    return hasNeighbour || isWord ? { ...item, str: word } : item;
  });
}

function isBlank(item: Piece | undefined): boolean {
  return item !== undefined && item.str !== "" && item.str.trim() === "";
}

/** Whether letters follow each other as they do in the alphabet, mostly. */
function isAlphabet(word: string): boolean {
  const codes = Array.from(word.toLowerCase(), (letter) => letter.codePointAt(0) ?? 0);
  return codes.filter((code, i) => code - (codes[i - 1] ?? 0) === 1).length >= codes.length / 2;
}
