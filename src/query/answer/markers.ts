import type { Span } from "../../spec/index.ts";

export interface Marker extends Span {
  /** Sources that exist, in the order of the mark. */
  readonly numbers: readonly number[];
}

export interface Markers {
  /** The answer with plain marks, without numbers of sources that do not exist. */
  readonly text: string;
  /** Marks in `text`. */
  readonly marks: readonly Marker[];
  /** Sources cited, in order of their first mark. */
  readonly numbers: readonly number[];
  readonly unknown: readonly number[];
}

const MARK =
  /[ \t]*(?:\[\s*(?<a>\d{1,3}(?:\s*[,;–—-]\s*\d{1,3})*)\s*\]|【\s*(?<b>\d{1,3}(?:\s*[,;–—-]\s*\d{1,3})*)(?:\s*†[^】]*)?\s*】)(?!\()/gu;
const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]+`)/u;

/**
 * Reads `[2]`, `[2, 3]`, `[2][3]`, `[2-4]` and `【2】`. Numbers beyond `count` are taken out. What is in code is left
 * alone, and so is what reads as an index of an array (`arr[1] = 0`) where code stands among the words.
 */
export function readMarkers(answer: string, count: number): Markers {
  const numbers = new Set<number>();
  const unknown = new Set<number>();
  const marks: Marker[] = [];
  let text = "";
  // Every second part is code.
  for (const [index, part] of answer.trim().split(CODE).entries()) {
    if (index % 2 === 1) text += part;
    else rewrite(part);
  }

  function rewrite(prose: string): void {
    let from = 0;
    for (const found of prose.matchAll(MARK)) {
      const { 0: whole, index } = found;
      const list = found.groups?.a ?? found.groups?.b ?? "";
      if (isIndexing(prose, index, index + whole.length)) continue;
      const cited = expand(list);
      const known = cited.filter((number) => number >= 1 && number <= count);
      for (const number of cited) (known.includes(number) ? numbers : unknown).add(number);
      text += prose.slice(from, index);
      from = index + whole.length;
      if (known.length === 0) continue;
      const written = `${/^[ \t]*/.exec(whole)?.[0] ?? ""}[${known.length === cited.length ? list.trim() : known.join(", ")}]`;
      marks.push({ start: text.length, end: text.length + written.length, numbers: [...new Set(known)] });
      text += written;
    }
    text += prose.slice(from);
  }
  return { text: text.trimEnd(), marks, numbers: [...numbers], unknown: [...unknown] };
}

/** `arr[1] = 2`, `arr[1].name`, `f(arr[1])`: right behind a word, and in front of what only code has. */
function isIndexing(prose: string, start: number, end: number): boolean {
  const before = prose.slice(Math.max(0, start - 30), start);
  if (!/[\w$)]$/.test(before)) return false;
  return (
    /^(?:\s*(?:[=+*/%&|<>!]=?|-[=>-])|\.\p{L}|\()/u.test(prose.slice(end, end + 4)) ||
    /[\w$]\([\w$, ]*$/.test(before)
  );
}

function expand(list: string): readonly number[] {
  return list.split(/[,;]/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/[–—-]/).map((number) => Number(number.trim()));
    return last < first
      ? [first, last]
      : Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
