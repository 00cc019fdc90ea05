import type { Hit, Span } from "../../spec/index.ts";
import { STEM } from "../../text/terms.ts";
import { numbersOf } from "./facts-numbers.ts";
import { type LedUnit, ledUnits } from "./led-units.ts";
import { passageUnits } from "./passage-units.ts";
import type { QuestionWord, ReadQuestion } from "./question.ts";
import { remembered } from "./remembered.ts";
import { formReader, type SentenceForm } from "./sentence-form.ts";
import { type Token, tokensOf } from "./sentence-tokens.ts";
import { said, shareOf, type Terms, termsOf } from "./word-share.ts";

/** What speaks for and against a sentence as an answer; shares from 0 to 1. */
export interface SentenceFeatures extends SentenceForm {
  /** The question's words, weighted by rarity, that the sentence itself holds. */
  readonly own: number;
  /** The same with words of its title, headings, context and chunk, which count in part. */
  readonly coverage: number;
  /** The question's words in the densest stretch of the sentence. */
  readonly near: number;
  /** Words of the sentence that the question has: a long sentence about much else has few. */
  readonly density: number;
  /** A figure where one is asked for. */
  readonly figure: number;
  readonly heading: number;
  /** A row of a table that, with its header, says a word of the question. */
  readonly table: number;
  /** Names, numbers and codes of the question that are nowhere around, by weight. */
  readonly missing: number;
  /** Those that the sentence, its headings or its context hold; the file's name and title may name several things. */
  readonly named: number;
}

export interface ScoredSentence extends Span {
  readonly hit: Hit;
  /** Of the hit, from 0. */
  readonly place: number;
  /** From the sentence before to the one behind; a row of a table stands alone. */
  readonly around: Span;
  /** Of a table's row: the words of its header. */
  readonly header?: string;
  readonly features: SentenceFeatures;
}

/** What words of the sentence's surroundings (context, title, headings) count beside words of the sentence itself. */
const SURROUNDING_SHARE = 0.8;
/** What a name there counts: a document about ACME does not say so in every sentence. */
const SURROUNDING_NAME_SHARE = 0.95;
/** What "founder" counts where it is asked who founded something. */
const KIN_SHARE = 0.9;
/** What words of the heading or question right above count. */
const LEAD_SHARE = 0.9;
/** A heading or question that says less of what is asked is about something else. */
const LEAST_LED = 0.6;
/** What words elsewhere in the chunk count. */
const CHUNK_SHARE = 0.4;
/** Words of the densest stretch. */
const STRETCH = 12;

/** What stands around a chunk's text: names of its file and document, its metadata, its headings and its context. */
export function surroundingText({ documentId, title, metadata, headings, context }: Hit): string {
  return [documentId, title, ...Object.values(metadata).flat().map(String), ...headings, context.text].join(
    "\n",
  );
}

/** The sentences of a hit with their features. `place` is the hit's, from 0. */
export function readSentences(question: ReadQuestion, hit: Hit, place: number): readonly ScoredSentence[] {
  return readUnits(question, hit, place, passageUnits(hit.text, hit.language));
}

/** What can be quoted of a hit as an answer: never a heading or question that something stands below. */
export function readAnswers(question: ReadQuestion, hit: Hit, place: number): readonly ScoredSentence[] {
  const units = passageUnits(hit.text, hit.language);
  const isHead = (words: string) => isHeading(words, hit);
  const isAsked = ({ lead }: LedUnit) => {
    if (lead === undefined) return true;
    const led = termsOf(hit.text.slice(lead.start, lead.end), hit.language);
    return shareOf(question.words, (word) => said(word, led)) >= LEAST_LED;
  };
  return readUnits(question, hit, place, ledUnits(hit.text, units, isHead).filter(isAsked));
}

function readUnits(
  question: ReadQuestion,
  hit: Hit,
  place: number,
  units: readonly LedUnit[],
): readonly ScoredSentence[] {
  const featuresOf = featureReader(question, hit);
  return units.map((unit, i) => ({
    ...unit,
    hit,
    place,
    around: aroundOf(units, i),
    features: featuresOf(unit),
  }));
}

/** Reads what all sentences of a hit share once. */
function featureReader(question: ReadQuestion, hit: Hit): (unit: LedUnit) => SentenceFeatures {
  const { words, figure, asks } = question;
  const formOf = formReader(question, hit);
  const terms = remembered((text: string) => termsOf(text, hit.language));
  const surroundings = terms(surroundingText(hit));
  const section = terms([...hit.headings, hit.context.text].join("\n"));
  const chunk = terms(hit.text);
  const exact = words.filter((word) => word.exact);
  const kin = asks === "person" ? kinSaid : () => 0;
  const missing = shareOf(exact, (word) => Number(said(word, chunk) === 0 && said(word, surroundings) === 0));
  return ({ start, end, header, lead }) => {
    const text = hit.text.slice(start, end);
    const tokens = tokensOf(text, hit.language);
    const own = termsOf(text, hit.language);
    const head: Terms = header === undefined ? new Set() : terms(header);
    const led: Terms = lead === undefined ? new Set() : terms(hit.text.slice(lead.start, lead.end));
    const saidHere = (word: QuestionWord) => Math.max(said(word, own), LEAD_SHARE * said(word, led));
    const coverage = shareOf(words, (word) =>
      Math.max(
        saidHere(word),
        KIN_SHARE * kin(word, tokens),
        surroundingShare(word) * said(word, surroundings),
        SURROUNDING_SHARE * said(word, head),
        CHUNK_SHARE * said(word, chunk),
      ),
    );
    return {
      own: shareOf(words, saidHere),
      coverage,
      ...closeness(tokens, words),
      ...formOf({ text, tokens, own, isRow: header !== undefined }),
      // A digit in a code (SKU-4521) is no figure.
      figure: Number(figure && numbersOf(text, { words: true }).length > 0),
      heading: Number(isHeading(text, hit)),
      // Rows of a table that is about something else are in the passage as well.
      table: Number(
        header !== undefined &&
          words.some((word) => said(word, own) + said(word, head) + kin(word, tokens) > 0),
      ),
      missing,
      named: shareOf(exact, (word) => Math.max(said(word, own), said(word, led), said(word, section))),
    };
  };
}

function surroundingShare({ exact, parts, text }: QuestionWord): number {
  return exact && parts.length === 0 && !/\p{N}/u.test(text) ? SURROUNDING_NAME_SHARE : SURROUNDING_SHARE;
}

/** Whether a word is a stem with a short ending, which another word of that stem has not: who founded it is its founder, not its foundation. */
function kinSaid({ exact, whole }: QuestionWord, tokens: readonly Token[]): number {
  if (exact) return 0;
  const stems = whole.filter((term) => term.startsWith(STEM)).map((term) => term.slice(STEM.length));
  const isKin = (word: string) =>
    stems.some(
      (stem) =>
        stem.length >= SHORTEST_STEM && word.startsWith(stem) && word.length - stem.length <= LONGEST_ENDING,
    );
  return Number(tokens.some(({ text }) => isKin(text.toLowerCase())));
}

const SHORTEST_STEM = 4;
const LONGEST_ENDING = 3;

function aroundOf(units: readonly LedUnit[], i: number): Span {
  const [before, own, behind] = [units[i - 1], units[i], units[i + 1]];
  if (own === undefined) return { start: 0, end: 0 };
  // The rows beside a row are about something else.
  if (own.header !== undefined) return { start: own.start, end: own.end };
  const start = Math.min(before?.start ?? own.start, own.lead?.start ?? own.start);
  return { start, end: Math.max(own.end, behind?.end ?? own.end) };
}

/** A Markdown heading, or a line that says no more than the document's title or a heading does. */
function isHeading(text: string, { title, headings }: Hit): boolean {
  return /^#{1,6}\s/.test(text) || [title, ...headings].includes(text);
}

function closeness(tokens: readonly Token[], words: readonly QuestionWord[]) {
  const held = tokens.map(({ terms }) => words.filter((word) => said(word, terms) === 1));
  let near = 0;
  for (let from = 0; from < held.length; from++) {
    if ((held[from]?.length ?? 0) === 0) continue;
    const inside = new Set(held.slice(from, from + STRETCH).flat());
    near = Math.max(
      near,
      shareOf(words, (word) => Number(inside.has(word))),
    );
  }
  const asked = held.filter((found) => found.length > 0).length;
  return { near, density: tokens.length === 0 ? 0 : asked / tokens.length };
}
