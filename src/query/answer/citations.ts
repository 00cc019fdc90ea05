import type { AnswerSentence, Citation, Evidence, Span, Support } from "../../spec/index.ts";
import { lineStarts, linesOf } from "../../util/lines.ts";
import { type CitedSentence, citedSentences } from "./answer-sentences.ts";
import type { ClaimedQuote } from "./generate-reply.ts";
import type { SourceFacts } from "./grounds.ts";
import { knownWords } from "./known-words.ts";
import { readMarkers } from "./markers.ts";
import { createQuoteFinder, distinct, type QuoteFinder } from "./quotes.ts";
import { createJudge, type Verdict } from "./verdicts.ts";

export interface CheckInput {
  readonly question: string;
  readonly answer: string;
  readonly quotes: readonly ClaimedQuote[];
  /** Source n is `evidence[n - 1]`. */
  readonly evidence: readonly Evidence[];
  readonly sourceFacts: (documentId: string) => SourceFacts;
  /** Of the answer, when known. */
  readonly language?: string | undefined;
}

export interface CheckedAnswer {
  /** The answer without numbers of sources that do not exist. */
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly sentences: readonly AnswerSentence[];
  /** What could not be verified, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Checks an answer against the evidence it was made from. A citation's quote is always a slice of the document. It is
 * `verified` when the words that the model gave stand there; without any that do, it is the whole passage, not verified.
 * A sentence is supported when quoted words stand in what it cites and its names, numbers and dates stand there too, or
 * in the source's title, headings, metadata or opening lines, which are then shown with the citation.
 */
export function checkAnswer(input: CheckInput): CheckedAnswer {
  const { question, answer, evidence, quotes, language } = input;
  const { text, marks, numbers, unknown } = readMarkers(answer, evidence.length);
  const cited = citedSentences(text, marks, language);
  const finder = createQuoteFinder(quotes, evidence);
  const sources = numbers.flatMap((number) => checkSource(number, finder, evidence, cited));
  const judge = createJudge(knownWords(question, evidence, language), input.sourceFacts);
  const judged = cited.map((sentence) => ({
    sentence,
    verdict: judge(
      sentence,
      sources.filter(({ evidence: { number } }) => sentence.numbers.includes(number)),
    ),
  }));
  const citations = sources.flatMap((source) => citationsOf(source, judged));
  return {
    text,
    citations,
    sentences: judged.map(({ sentence, verdict }) => sentenceOf(sentence, verdict, citations)),
    notes: [
      ...(unknown.length > 0
        ? [`The answer cited sources that do not exist (${unknown.join(", ")}); the numbers were removed.`]
        : []),
      ...sources.flatMap((source) => source.notes),
      ...(numbers.length === 0 ? ["The answer cites no source."] : []),
    ],
  };
}

interface CheckedSource {
  readonly evidence: Evidence;
  readonly quotes: readonly Span[];
  readonly notes: readonly string[];
}

function checkSource(
  number: number,
  finder: QuoteFinder,
  evidence: readonly Evidence[],
  cited: readonly CitedSentence[],
): readonly CheckedSource[] {
  const one = evidence[number - 1];
  if (one === undefined) return [];
  const { found, claimed, notes } = finder.of(number);
  // Who copies a sentence into the answer has quoted it.
  const copied = cited
    .filter((sentence) => sentence.numbers.includes(number) && sentence.words.length >= 20)
    .flatMap(({ words }) => finder.verbatim(number, words.replace(/[.!?。！？]+$/u, "")) ?? []);
  const quotes = distinct([...found, ...copied.filter((span) => !found.some((one) => overlaps(one, span)))]);
  const missing =
    quotes.length === 0 && !claimed
      ? [`No words were quoted from [${number}], so it could not be checked.`]
      : [];
  return [{ evidence: one, quotes, notes: [...notes, ...missing] }];
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

function citationsOf(
  { evidence, quotes }: CheckedSource,
  judged: readonly { readonly verdict: Verdict }[],
): readonly Citation[] {
  if (quotes.length === 0) return [citationOf(evidence, { start: 0, end: evidence.text.length }, false, [])];
  const support = judged.flatMap(({ verdict }) => verdict.support.get(evidence.number) ?? []);
  const once = support.filter(
    (one, i) => support.findIndex(({ fact, place }) => fact === one.fact && place === one.place) === i,
  );
  return quotes.map((span, i) => citationOf(evidence, span, true, i === 0 ? once : []));
}

/** `span` is in the passage's text; a citation's is in the document's. */
export function citationOf(
  evidence: Evidence,
  span: Span,
  verified: boolean,
  support: readonly Support[],
): Citation {
  const { number, documentId, title, uri, headings, pages, text } = evidence;
  const [first, last] = linesOf(lineStarts(text), span);
  const above = evidence.lines[0] - 1;
  const start = evidence.start + span.start;
  return {
    number,
    chunkId: chunkAt(evidence, start),
    documentId,
    title,
    uri,
    headings,
    lines: [above + first, above + last],
    ...(pages && { pages }),
    start,
    end: evidence.start + span.end,
    quote: text.slice(span.start, span.end),
    verified,
    ...(support.length > 0 && { support }),
  };
}

/** The last chunk that begins before the place; chunks overlap, and a quote belongs to the one that holds it whole. */
function chunkAt({ chunks }: Evidence, offset: number): string {
  return (chunks.find(({ start, end }) => start <= offset && offset < end) ?? chunks[0])?.id ?? "";
}

function sentenceOf(
  { start, end, numbers }: CitedSentence,
  { verdict, reasons }: Verdict,
  citations: readonly Citation[],
): AnswerSentence {
  const own = citations.flatMap(({ number }, index) => (numbers.includes(number) ? [index] : []));
  return { start, end, citations: own, verdict, reasons };
}
