import type { Span } from "../../spec/index.ts";

/** Signs that lines under (and above) headings are drawn with in reStructuredText. */
const MARK = "[=\\-~^\"'*+#`:.]";
const FORM = new RegExp(
  `^(?:((${MARK})\\2{2,})[ \\t]*\\r?\\n)?[ \\t]?(\\S[^\\r\\n]*?)[ \\t]*\\r?\\n((${MARK})\\5{2,})[ \\t]*(?=[\\r\\n]|$)`,
);

export interface Underlined extends Span {
  readonly words: string;
  readonly level: number;
}

/**
 * Finds headings that are told by a line under them. The signs have no set meaning: the first that comes is the first
 * level, as reStructuredText has it.
 */
export function underlinedHeadings(text: string): (paragraph: Span) => Underlined | undefined {
  const known: string[] = [];
  return ({ start, end }) => {
    const [all, above, , words = "", below = "", mark = ""] = FORM.exec(text.slice(start, end)) ?? [];
    if (all === undefined || below.length < words.length - 1 || !/[\p{L}\p{N}]/u.test(words))
      return undefined;
    if (above !== undefined && above[0] !== mark) return undefined;
    const sign = above === undefined ? mark : `${mark}${mark}`;
    if (!known.includes(sign)) known.push(sign);
    return { words, level: Math.min(6, known.indexOf(sign) + 1), start, end: start + all.trimEnd().length };
  };
}
