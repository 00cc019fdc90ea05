import type { Evidence, Span } from "../../spec/index.ts";
import { findQuote } from "./generate-find.ts";
import { type Folded, fold } from "./generate-fold.ts";
import type { ClaimedQuote } from "./generate-reply.ts";

/** What became of the quotes that a model gave for one source. Spans are in the passage's text. */
export interface SourceQuotes {
  readonly found: readonly Span[];
  /** Whether any words were given. */
  readonly claimed: boolean;
  readonly notes: readonly string[];
}

export interface QuoteFinder {
  /** Looks up what was claimed for source n. */
  of(number: number): SourceQuotes;
  /** Words of the answer itself that may stand in source n letter by letter. */
  verbatim(number: number, words: string): Span | undefined;
}

export function createQuoteFinder(
  quotes: readonly ClaimedQuote[],
  evidence: readonly Evidence[],
): QuoteFinder {
  const folded = new Map<number, Folded>();
  const foldedOf = (number: number) => {
    const known = folded.get(number) ?? fold(evidence[number - 1]?.text ?? "");
    folded.set(number, known);
    return known;
  };
  const find = (number: number, words: string) => findQuote(foldedOf(number), words);
  const elsewhere = (number: number, words: string) =>
    evidence.find((one) => one.number !== number && find(one.number, words))?.number;

  return {
    verbatim: find,
    of(number) {
      const claimed = quotes.filter((quote) => quote.number === number && quote.words !== "");
      const looked = claimed.map(({ words }) => ({ words, span: find(number, words) }));
      const missing = looked.filter(({ span }) => span === undefined);
      return {
        found: distinct(looked.flatMap(({ span }) => span ?? [])),
        claimed: claimed.length > 0,
        notes: missing.map(({ words }) => missingNote(number, words, elsewhere(number, words))),
      };
    },
  };
}

function missingNote(number: number, words: string, other: number | undefined): string {
  const where = other === undefined ? "" : ` They stand in [${other}].`;
  return `The words quoted from [${number}] do not stand there: "${shortened(words)}".${where}`;
}

export function distinct(spans: readonly Span[]): readonly Span[] {
  return spans.filter(
    (one, index) => spans.findIndex(({ start, end }) => start === one.start && end === one.end) === index,
  );
}

function shortened(words: string): string {
  const line = words.replace(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
