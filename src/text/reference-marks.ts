/** A number, a range or list of them, a letter, "nb 3", "^12": short enough to be a mark wherever it stands. */
const LABEL =
  "\\^?(?:\\p{L}{1,12}[ .\\u00a0])?(?:\\p{N}{1,4}\\p{L}?|\\p{L})(?:\\s?[,，、;–-]\\s?(?:\\p{N}{1,4}\\p{L}?|\\p{L}))*";
/** Words in brackets right behind a full stop ("[citation needed]"); behind a blank only without a capital, as a sentence in brackets has one. */
const WORDS = "[^\\[\\]【】［］〔〕\\r\\n]{1,40}";
const SMALL_WORDS = "(?!\\p{Lu})[^\\[\\]【】［］〔〕.!?。！？\\r\\n]{1,30}";
const BRACKETS = ["\\[\\]", "【】", "［］", "〔〕"].map((pair) => {
  const middle = pair.length / 2;
  return [pair.slice(0, middle), pair.slice(middle)] as const;
});

const bracketed = (content: string) =>
  `(?:${BRACKETS.map(([open, close]) => `${open}\\s?(?:${content})\\s?${close}`).join("|")})`;
/** `[[12]](#note)` and `[12](#note)`, as Markdown writes a mark that is a link; a link of other words is none. */
const LINKED = `(?:\\[\\\\?\\[(?:${LABEL})\\\\?\\]\\]|\\[\\\\?(?:${LABEL})\\\\?\\])\\([^\\s()]{0,300}\\)`;
const PARENTHESES = "(?:\\(\\p{N}{1,3}(?:[,–-]\\p{N}{1,3})*\\)|（\\p{N}{1,3}）)";
const RAISED = "[¹²³⁰⁴-⁹†‡]+";
/** The page of a source behind its mark, `[1]: 23–24`. */
const PAGES = "(?::\\s?\\p{N}{1,4}(?:[–-]\\p{N}{1,4})?(?![\\p{L}\\p{N}]))?";
const NO_LINK = "(?![(:]\\S)";
const close = `(?:${LINKED}|(?:${bracketed(WORDS)})${PAGES}${NO_LINK}|${PARENTHESES}(?=\\s|$)|${RAISED})`;
const apart = `\\s{1,2}(?:${LINKED}|(?:${bracketed(`${LABEL}|${SMALL_WORDS}`)})${PAGES}${NO_LINK})`;

/** Marks behind the end of a sentence and its quotation marks or brackets. */
const MARKS = new RegExp(
  `(?<=[.!?…。！？｡؟۔।][”"’'»」』)）]{0,2})(?:${close}|${apart})(?:${close}|${apart})*`,
  "gu",
);

/** A line of a list of sources, `[3] A. Author: Title`. */
export const SOURCE_LINE = /^\s*[[［【]\p{N}{1,4}[\]］】]\s/u;

/**
 * The line with blanks in place of marks that refer to a note or source and stand behind the end of a sentence, so that
 * they part no sentence and none begins with them: `[12]`, `[a]`, `[nb 1]`, `[citation needed]`, `【3】`, `［4］`, `¹`.
 * Of the same length as the line.
 */
export function withoutMarks(line: string): string {
  return MARK_SIGN.test(line) ? line.replace(MARKS, (marks) => " ".repeat(marks.length)) : line;
}

const MARK_SIGN = /[[【［〔(（¹²³⁰⁴-⁹†‡]/;
