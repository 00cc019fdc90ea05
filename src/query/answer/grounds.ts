import type { Evidence, Metadata, Support } from "../../spec/index.ts";
import { analyzeField } from "../../text/analyze.ts";
import { type DateFact, datesOf } from "./facts-dates.ts";
import { currencyApart, type NumberFact, numbersOf } from "./facts-numbers.ts";

/** What is known of a source beside its passage. */
export interface SourceFacts {
  readonly metadata: Metadata;
  /** First lines of the document that are not blank; slices of it. */
  readonly opening: readonly string[];
}

/** A text that facts are looked up in, read once. */
export interface Ground {
  readonly place: Support["place"] | "quote";
  /** What is shown when a fact stands here. */
  readonly words: string;
  readonly numbers: ReadonlySet<string>;
  readonly dates: readonly DateFact[];
  readonly terms: ReadonlySet<string>;
  readonly language: string | undefined;
}

export function groundOf(
  place: Ground["place"],
  words: string,
  language: string | undefined,
  text = words,
): Ground {
  const read = currencyApart(text);
  return {
    place,
    words,
    language,
    numbers: new Set(numbersOf(read, { words: true }).flatMap((number: NumberFact) => number.values)),
    dates: datesOf(read),
    terms: new Set(analyzeField(read, { language }).terms.keys()),
  };
}

/** The grounds around a passage, nearest first. */
export function surroundingsOf(evidence: Evidence, facts: SourceFacts): readonly Ground[] {
  const { title, headings, language } = evidence;
  const ground = (place: Ground["place"], words: string) => groundOf(place, words, language);
  return [
    ground("title", title),
    ...(headings.length > 0 ? [ground("headings", headings.join(" > "))] : []),
    ...Object.entries(facts.metadata).map(([key, value]) => ground("metadata", `${key}: ${String(value)}`)),
    ...facts.opening.map((line) => ground("opening", line)),
  ];
}

/** First lines of a document that hold a letter or digit. Default: three, of at most 200 units each. */
export function openingOf(text: string, count = 3): readonly string[] {
  const lines: string[] = [];
  for (const { 0: line } of text.slice(0, 4_000).matchAll(/[^\r\n]*[\p{L}\p{N}][^\r\n]*/gu)) {
    if (lines.length === count) break;
    lines.push(line.trim().slice(0, 200));
  }
  return lines;
}
