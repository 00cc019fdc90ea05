/** Lines that are broken where the next word would have fitted this share of the widest one were broken on purpose. */
const FILLED = 0.8;
const MOST_EARLY = 0.6;
/** So many lines tell by their first letters; fewer may begin with capitals by chance. */
const ENOUGH_LINES = 5;
const MOST_CAPITALS = 0.8;

/**
 * Whether each line of a paragraph says something by itself (a log, a list, verse, an address) rather than being one
 * margin's share of running text. Running text breaks a line where the next word no longer fits, and mostly goes on
 * with a small letter; a log's lines begin alike.
 */
export function areLinesApart(lines: readonly string[]): boolean {
  if (lines.length < 2) return false;
  if (beginAlike(lines)) return true;
  if (lines.length < 3) return false;
  return shareOf(earlyEnds(lines)) >= MOST_EARLY || beginAnew(lines);
}

/**
 * For each line end of such a paragraph, whether a sentence goes on behind it: where there are full stops, text may be
 * broken clause by clause.
 */
export function sentenceGoesOn(lines: readonly string[]): readonly boolean[] {
  const hasSentences = lines.some((line) => /[.!?…]["”’»)]?\s*$/u.test(line));
  return lines.slice(1).map((line) => hasSentences && /^\s*\p{Ll}/u.test(line));
}

/** A beginning of the same form with a digit in it: dates, times, numbers of entries. */
function beginAlike(lines: readonly string[]): boolean {
  return [/\S+/u, /\S.{11}/u].some((beginning) => {
    const forms = lines.map((line) => formOf(beginning.exec(line)?.[0] ?? ""));
    const [form = ""] = forms;
    return form.length >= 4 && /0.*[^0]|[^0].*0/u.test(form) && forms.every((other) => other === form);
  });
}

function formOf(word: string): string {
  return word.replace(/\p{N}/gu, "0").replace(/\p{L}/gu, "a");
}

/** For each line but the last, whether the next one's first word would have fitted. */
function earlyEnds(lines: readonly string[]): readonly boolean[] {
  const widest = lines.reduce((most, line) => Math.max(most, line.length), 0);
  return lines.slice(0, -1).map((line, i) => {
    const next = /\S+/u.exec(lines[i + 1] ?? "")?.[0] ?? "";
    // A script without blanks breaks at any letter.
    const room = /^\p{Lo}/u.test(next) ? 1 : next.length;
    return line.length + 1 + room <= FILLED * widest;
  });
}

/** Most lines begin with a capital, a digit or a sign. */
function beginAnew(lines: readonly string[]): boolean {
  const cased = lines.slice(1).filter((line) => !/^\s*\p{Lo}/u.test(line));
  return (
    cased.length >= ENOUGH_LINES - 1 &&
    shareOf(cased.map((line) => !/^\s*\p{Ll}/u.test(line))) >= MOST_CAPITALS
  );
}

function shareOf(flags: readonly boolean[]): number {
  return flags.length === 0 ? 0 : flags.filter(Boolean).length / flags.length;
}
