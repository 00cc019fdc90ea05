import type { Citation, Hit, Span } from "../../spec/index.ts";
import { lineStarts, linesOf } from "../../util/lines.ts";
import { findQuote } from "./generate-find.ts";
import { type Folded, fold } from "./generate-fold.ts";
import type { ClaimedQuote } from "./generate-reply.ts";

export interface CheckedAnswer {
  /** The answer without numbers of sources that do not exist. */
  readonly text: string;
  readonly citations: readonly Citation[];
  /** What could not be verified, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Checks an answer against the hits it was made from; source n is `hits[n - 1]`. A citation's quote is always a slice of
 * the document. It is `verified` when the words that the model gave stand there; without any that do, it is the whole
 * hit, not verified.
 */
export function checkCitations(
  answer: string,
  quotes: readonly ClaimedQuote[],
  hits: readonly Hit[],
): CheckedAnswer {
  const { text, numbers, unknown } = readMarkers(answer, hits.length);
  const checked = numbers.map((number) => checkSource(number, quotes, hits));
  const notes = [
    ...(unknown.length > 0
      ? [`The answer cited sources that do not exist (${unknown.join(", ")}); the numbers were removed.`]
      : []),
    ...checked.flatMap((source) => source.notes),
    ...(numbers.length === 0 ? ["The answer cites no source."] : []),
  ];
  return { text, citations: checked.flatMap((source) => source.citations), notes };
}

export interface Markers {
  readonly text: string;
  /** Sources cited, in order of their first mark. */
  readonly numbers: readonly number[];
  readonly unknown: readonly number[];
}

const marker = /[ \t]*[[【]\s*(\d{1,3}(?:\s*[,;–—-]\s*\d{1,3})*)\s*[\]】](?!\()/gu;
const code = /(```[\s\S]*?(?:```|$)|`[^`\n]+`)/u;

/** Reads `[2]`, `[2, 3]`, `[2-4]` and `【2】`. Numbers beyond `count` are taken out; what is in code is left alone. */
export function readMarkers(answer: string, count: number): Markers {
  const numbers = new Set<number>();
  const unknown = new Set<number>();
  const rewrite = (prose: string) =>
    prose.replace(marker, (whole: string, list: string) => {
      const cited = expand(list);
      const known = cited.filter((number) => number >= 1 && number <= count);
      for (const number of cited) (known.includes(number) ? numbers : unknown).add(number);
      if (known.length === 0) return "";
      const space = /^[ \t]*/.exec(whole)?.[0] ?? "";
      return known.length === cited.length
        ? whole.replace("【", "[").replace("】", "]")
        : `${space}[${known.join(", ")}]`;
    });
  // Every second part is code.
  const text = answer
    .split(code)
    .map((part, index) => (index % 2 === 0 ? rewrite(part) : part))
    .join("");
  return { text: text.trim(), numbers: [...numbers], unknown: [...unknown] };
}

function expand(list: string): readonly number[] {
  return list.split(/[,;]/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/[–—-]/).map((number) => Number(number.trim()));
    return last < first
      ? [first, last]
      : Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

function checkSource(
  number: number,
  quotes: readonly ClaimedQuote[],
  hits: readonly Hit[],
): { readonly citations: readonly Citation[]; readonly notes: readonly string[] } {
  const hit = hits[number - 1];
  if (hit === undefined) return { citations: [], notes: [] };
  const source = fold(hit.text);
  const claimed = quotes.filter((quote) => quote.number === number && quote.words !== "");
  const found = claimed.map((quote) => ({ ...quote, span: findQuote(source, quote.words) }));
  const spans = distinct(found.flatMap(({ span }) => span ?? []));
  const notes = found
    .filter(({ span }) => span === undefined)
    .map(({ words }) => `The words quoted from [${number}] do not stand there: "${shortened(words)}".`);
  if (spans.length > 0) return { citations: spans.map((span) => citationOf(number, hit, span, true)), notes };
  const missing =
    claimed.length === 0 ? [`No words were quoted from [${number}], so it could not be checked.`] : [];
  return { citations: [citationOf(number, hit, wholeOf(source), false)], notes: [...notes, ...missing] };
}

/** The whole hit, without white space around it. */
function wholeOf({ starts, ends }: Folded): Span {
  return { start: starts[0] ?? 0, end: ends.at(-1) ?? 0 };
}

/** `span` is in the hit's text; a citation's is in the document's. */
function citationOf(number: number, hit: Hit, span: Span, verified: boolean): Citation {
  const [first, last] = linesOf(lineStarts(hit.text), span);
  const above = hit.lines[0] - 1;
  return {
    number,
    chunkId: hit.chunkId,
    documentId: hit.documentId,
    title: hit.title,
    uri: hit.uri,
    headings: hit.headings,
    lines: [above + first, above + last],
    ...(hit.pages && { pages: hit.pages }),
    start: hit.start + span.start,
    end: hit.start + span.end,
    quote: hit.text.slice(span.start, span.end),
    verified,
  };
}

function distinct(spans: readonly Span[]): readonly Span[] {
  return spans.filter(
    (one, index) => spans.findIndex(({ start, end }) => start === one.start && end === one.end) === index,
  );
}

function shortened(words: string): string {
  const line = words.replace(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
