import type { Span } from "../../spec/index.ts";

/** A text as it is compared, with the way back: unit i of `text` stands for `[starts[i], ends[i])` of the original. */
export interface Folded {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Brings a text to the form in which a quote and its source are compared: compatibility forms (NFKC), case, kinds of
 * quotation marks and dashes, runs of white space, signs that do not show and Markdown's emphasis no longer differ. Words
 * and digits do.
 */
export function fold(text: string): Folded {
  const folded = { text: "", starts: [] as number[], ends: [] as number[] };
  const markup = emphasisOf(text);
  let gap: Span | undefined;
  let before = "";
  for (const { segment, index } of graphemes.segment(text)) {
    const span = { start: index, end: index + segment.length };
    const sign = segment.replace(invisible, "");
    if (sign === "" || markup.has(index)) continue;
    if (/^\s+$/u.test(sign)) {
      gap = { start: gap?.start ?? span.start, end: span.end };
      continue;
    }
    // Line breaks stand between Chinese or Japanese signs where a quote has none.
    if (gap && folded.text !== "" && !(wide.test(before) && wide.test(sign))) append(folded, " ", gap);
    append(folded, foldSign(sign), span);
    gap = undefined;
    before = sign;
  }
  return folded;
}

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
const quotationMarks = /["'`´‘’‚‛“”„‟′″‵‶«»‹›「」『』〝〞〟＂＇ʼˮ]+/gu;
const dashes = /[‐‑‒–—―−﹘﹣－]/gu;
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]$/u;

/**
 * Places of asterisks and backticks that mark emphasis or code: one side is a word or a mark, the other is not. Between
 * two words (2**3) and on their own (a * b, a list's bullet) they are content.
 */
function emphasisOf(text: string): ReadonlySet<number> {
  const places = new Set<number>();
  for (const { 0: run, index } of text.matchAll(/\*+|`+/g)) {
    const sides = [text.slice(0, index).slice(-1), text.slice(index + run.length).slice(0, 1)];
    const inWord = sides.every((side) => /[\p{L}\p{N}]/u.test(side));
    const alone = sides.every((side) => side.trim() === "");
    if (!inWord && !alone) for (let at = index; at < index + run.length; at++) places.add(at);
  }
  return places;
}

function foldSign(sign: string): string {
  // A raised or circled figure is another figure: 10² is not 102.
  if (/^\p{No}/u.test(sign)) return sign;
  const plain = sign.replace(quotationMarks, "'").replace(dashes, "-").normalize("NFKC");
  // Up and down again, so that ß and SS, ς and Σ meet.
  return plain.toLowerCase().toUpperCase().toLowerCase().normalize("NFKC");
}

function append(
  folded: { text: string; readonly starts: number[]; readonly ends: number[] },
  text: string,
  { start, end }: Span,
): void {
  folded.text += text;
  for (let index = 0; index < text.length; index++) {
    folded.starts.push(start);
    folded.ends.push(end);
  }
}
