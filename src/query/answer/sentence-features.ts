import type { Hit, Span } from "../../spec/index.ts";
import { analyzeField } from "../../text/analyze.ts";
import { sentences } from "../../text/sentences.ts";
import { numbersOf } from "./facts-numbers.ts";
import { isNegated, type QuestionWord, type ReadQuestion } from "./question.ts";

/** What speaks for and against a sentence as an answer; shares from 0 to 1. */
export interface SentenceFeatures {
  /** The question's words, weighted by rarity, that the sentence itself holds. */
  readonly own: number;
  /** The same with words of its title, headings, context and chunk, which count in part. */
  readonly coverage: number;
  /** The question's words in the densest stretch of the sentence. */
  readonly near: number;
  /** Neighbouring words of the question that the sentence holds both. */
  readonly pairs: number;
  /** The question's words in the sentences before and behind. */
  readonly before: number;
  readonly after: number;
  /** The question's words in the chunk as a whole. */
  readonly chunk: number;
  /** 1 for the first sentence of the chunk, falling with the place: texts say first what they are about. */
  readonly early: number;
  /** 1 for the first hit, falling with the rank. */
  readonly rank: number;
  /** The hit's score as a share of the first one's. */
  readonly margin: number;
  /** Words of the sentence that the question has: a long sentence about much else has few. */
  readonly density: number;
  /** Length, 0 for a word, 1 from 40 words on. */
  readonly length: number;
  /** A figure where one is asked for, and none where one is. */
  readonly figure: number;
  readonly noFigure: number;
  readonly heading: number;
  readonly table: number;
  /** A question itself. */
  readonly question: number;
  /** Only one of the question and the sentence denies something. */
  readonly negation: number;
  /** Names, numbers and codes of the question that are nowhere around, by weight. */
  readonly missing: number;
  /** Those that the sentence, its headings or its context hold; the file's name and title may name several things. */
  readonly named: number;
}

export interface ScoredSentence extends Span {
  readonly hit: Hit;
  readonly features: SentenceFeatures;
}

/** What words of the sentence's surroundings (context, title, headings) count beside words of the sentence itself. */
const SURROUNDING_SHARE = 0.8;
/** What words elsewhere in the chunk count. */
const CHUNK_SHARE = 0.4;
/** What the parts of an identifier count when the identifier itself is not there. */
const PARTS_SHARE = 0.3;
/** Words of the densest stretch. */
const STRETCH = 12;

type Terms = ReadonlySet<string>;

/** The sentences of a hit with their features. `place` is the hit's, from 0; `best` the first hit's score. */
export function readSentences(
  question: ReadQuestion,
  hit: Hit,
  place: number,
  best: number,
): readonly ScoredSentence[] {
  const { language } = hit;
  const { words } = question;
  const surroundings = termsOf(
    [hit.documentId, hit.title, ...hit.headings, hit.context.text].join("\n"),
    language,
  );
  const section = termsOf([...hit.headings, hit.context.text].join("\n"), language);
  const chunk = termsOf(hit.text, language);
  const exact = words.filter((word) => word.exact);
  const units = unitsOf(hit).map((span) => {
    const text = hit.text.slice(span.start, span.end);
    const terms = termsOf(text, language);
    return { span, text, terms, own: shareOf(words, (word) => said(word, terms)) };
  });
  const chunkShare = shareOf(words, (word) => said(word, chunk));
  const shared = {
    chunk: chunkShare,
    rank: 1 / (1 + place / 2),
    margin: best > 0 ? hit.score / best : 0,
    missing: missingOf(words, chunk, surroundings),
  };
  return units.map(({ span, text, terms, own }, i) => ({
    ...span,
    hit,
    features: {
      own,
      coverage: shareOf(words, (word) =>
        Math.max(
          said(word, terms),
          SURROUNDING_SHARE * said(word, surroundings),
          CHUNK_SHARE * said(word, chunk),
        ),
      ),
      before: units[i - 1]?.own ?? 0,
      after: units[i + 1]?.own ?? 0,
      pairs: pairsOf(words, terms),
      named: shareOf(exact, (word) => Math.max(said(word, terms), said(word, section))),
      early: 1 / (1 + i),
      ...shared,
      ...wordFeatures(text, words, language),
      ...signs(text, question),
    },
  }));
}

/** Sentences; of source code, whole lines between blank ones, as code has no sentences. */
function unitsOf(hit: Hit): readonly Span[] {
  const looksLikeCode = /[{};]\s*$/m.test(hit.text) && !/[.!?。]\s/u.test(hit.text);
  if (!looksLikeCode) return sentences(hit.text, hit.language);
  return [...hit.text.matchAll(/\S[^\n]*(?:\n(?![^\S\n]*\n)[^\n]*){0,7}/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].trimEnd().length,
  }));
}

function signs(text: string, { figure, negated }: ReadQuestion) {
  // A digit in a code (SKU-4521) is no figure.
  const hasFigure = numbersOf(text, { words: true }).length > 0;
  return {
    figure: Number(figure && hasFigure),
    noFigure: Number(figure && !hasFigure),
    heading: Number(/^#{1,6}\s/.test(text)),
    table: Number(text.startsWith("|")),
    question: Number(/[?？]\W*$/u.test(text)),
    negation: Number(isNegated(text) !== negated),
  };
}

function wordFeatures(text: string, words: readonly QuestionWord[], language: string | undefined) {
  const tokens = (text.match(/[\p{L}\p{N}\p{M}_]+(?:[-.'][\p{L}\p{N}\p{M}_]+)*/gu) ?? []).map((token) =>
    tokenTerms(token, language),
  );
  const hits = tokens.map((terms) => words.filter((word) => said(word, terms) === 1));
  let near = 0;
  for (let from = 0; from < hits.length; from++) {
    if ((hits[from]?.length ?? 0) === 0) continue;
    const inside = new Set(hits.slice(from, from + STRETCH).flat());
    near = Math.max(
      near,
      shareOf(words, (word) => Number(inside.has(word))),
    );
  }
  const said1 = hits.filter((found) => found.length > 0).length;
  return {
    near,
    density: tokens.length === 0 ? 0 : said1 / tokens.length,
    length: Math.min(1, Math.log1p(tokens.length) / Math.log1p(40)),
  };
}

function pairsOf(words: readonly QuestionWord[], terms: Terms): number {
  let held = 0;
  let all = 0;
  for (let i = 1; i < words.length; i++) {
    const [a, b] = [words[i - 1], words[i]];
    if (!a || !b) continue;
    const weight = Math.min(a.weight, b.weight);
    all += weight;
    held += weight * Math.min(said(a, terms), said(b, terms));
  }
  return all === 0 ? 0 : held / all;
}

function missingOf(words: readonly QuestionWord[], chunk: Terms, surroundings: Terms): number {
  const exact = words.filter((word) => word.exact);
  return shareOf(exact, (word) => Number(said(word, chunk) === 0 && said(word, surroundings) === 0));
}

function shareOf(words: readonly QuestionWord[], share: (word: QuestionWord) => number): number {
  let held = 0;
  let all = 0;
  for (const word of words) {
    all += word.weight;
    held += word.weight * share(word);
  }
  return all === 0 ? 0 : held / all;
}

function said(word: QuestionWord, terms: Terms): number {
  if (word.whole.some((term) => terms.has(term))) return 1;
  return word.parts.length > 0 && word.parts.every((term) => terms.has(term)) ? PARTS_SHARE : 0;
}

function termsOf(text: string, language: string | undefined): Terms {
  return new Set(analyzeField(text, { language }).terms.keys());
}

const tokens = new Map<string, Terms>();
const MOST_TOKENS = 20_000;

/** Terms of one word, remembered: the words of neighbouring hits are mostly the same. */
function tokenTerms(token: string, language: string | undefined): Terms {
  const key = `${language ?? ""} ${token}`;
  const known = tokens.get(key);
  if (known) return known;
  const terms = termsOf(token, language);
  if (tokens.size >= MOST_TOKENS) tokens.clear();
  tokens.set(key, terms);
  return terms;
}
