/** Words in a row that may stand in the passage as well: names of several words are not copying. */
const mostWords = 5;
/** The same in characters, where words are not parted by spaces. */
const mostCharacters = 16;

/** Whether a question copies the passage's wording, so that finding it would prove nothing. */
export function isCopied(question: string, passage: string): boolean {
  const spaced = question.trim().split(/\s+/u).length > 2;
  return spaced
    ? longestRun(words(question), words(passage)) > mostWords
    : longestRun([...question], [...passage]) > mostCharacters;
}

function words(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Length of the longest common run (longest common substring, by dynamic programming over two rows). */
function longestRun(a: readonly string[], b: readonly string[]): number {
  let before = new Array<number>(b.length + 1).fill(0);
  let longest = 0;
  for (const one of a) {
    const row = b.map((other, index) => (one === other ? (before[index] ?? 0) + 1 : 0));
    longest = Math.max(longest, ...row);
    before = [0, ...row];
  }
  return longest;
}

/** A question's words, in any order and case: what duplicates have in common. */
export function sameQuestion(a: string, b: string): boolean {
  const [left, right] = [new Set(words(a)), new Set(words(b))];
  if (left.size === 0 || right.size === 0) return a.trim() === b.trim();
  const common = [...left].filter((word) => right.has(word)).length;
  return common / (left.size + right.size - common) > 0.8;
}
