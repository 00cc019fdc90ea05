import type { Citation, Hit, Span } from "../../spec/index.ts";
import { analyzeField, analyzeQuery } from "../../text/analyze.ts";
import { sentences } from "../../text/sentences.ts";
import { PAIR } from "../../text/terms.ts";
import { lineStarts, linesOf } from "../../util/lines.ts";

/** What extraction needs of the index: how rare the query's terms are in it. */
export interface ExtractInput {
  readonly question: string;
  readonly hits: readonly Hit[];
  readonly languages: readonly string[];
  /** Rarity of a term in the index. */
  idf(term: string): number;
}

export interface ExtractOptions {
  /** Most sentences in the answer. Default 3. */
  readonly maxSentences?: number;
  /** Hits that are read. Default 8. */
  readonly maxHits?: number;
  /**
   * Share of the question's weight that the best sentence and its context must hold to be an answer. Default 0.5; 0.25
   * for a question in a script without spaces, whose pieces count one by one and lie across words as well.
   */
  readonly minCoverage?: number;
  /** A further sentence must score at least this share of the best one. Default 0.85. */
  readonly minShare?: number;
}

export interface Extract {
  /** Empty when nothing answers. */
  readonly citations: readonly Citation[];
  /** Coverage of the best sentence, with its context; 0 without one. */
  readonly coverage: number;
  readonly threshold: number;
}

/** A word of the question. */
interface QuestionWord {
  /** One of these says the word in full. */
  readonly whole: readonly string[];
  /** Pieces of an identifier; all together they say a part of it. */
  readonly parts: readonly string[];
  readonly weight: number;
}

interface Candidate extends Span {
  readonly hit: Hit;
  readonly score: number;
  readonly coverage: number;
  /** The part of the coverage that the sentence's own words have. */
  readonly own: number;
}

/** What words of the sentence's surroundings (context, title, headings) count beside words of the sentence itself. */
const SURROUNDING_SHARE = 0.8;
/** What words elsewhere in the chunk count. */
const CHUNK_SHARE = 0.4;
/** What the parts of an identifier count when the identifier itself is not there. */
const PARTS_SHARE = 0.3;
/** What the rank of the hit counts: the first place is worth this much coverage more than the last. */
const RANK_SHARE = 0.25;
/** What a figure in the sentence counts, when the question asks for one. */
const FIGURE_SHARE = 0.15;

/**
 * The sentences that answer, verbatim. A sentence scores by the share of the question's words, weighted by rarity, that
 * it holds; words that stand in its context, title or headings count in part, which is how a sentence that never names
 * its company answers a question about it.
 */
export function extractAnswer(input: ExtractInput, options: ExtractOptions = {}): Extract {
  const threshold = options.minCoverage ?? (UNSPACED.test(input.question) ? 0.25 : 0.5);
  const words = questionWords(input);
  const candidates = input.hits
    .slice(0, options.maxHits ?? 8)
    .flatMap((hit, i, read) => candidatesOf(hit, words, asksForFigure(input.question), 1 - i / read.length))
    .sort((a, b) => b.score - a.score || a.hit.rank - b.hit.rank || a.start - b.start);
  const best = candidates[0];
  if (!best || best.coverage < threshold) return { citations: [], coverage: best?.coverage ?? 0, threshold };
  const share = options.minShare ?? 0.85;
  const chosen = distinct(candidates.filter((one) => isCloseTo(best, one, share))).slice(
    0,
    options.maxSentences ?? 3,
  );
  return { citations: chosen.map(toCitation), coverage: best.coverage, threshold };
}

/**
 * Whether a further sentence belongs to the answer as well. Its context alone does not make it one (every sentence of a
 * report has that), and one that says less of the question is another company's or another quarter's.
 */
function isCloseTo(best: Candidate, one: Candidate, share: number): boolean {
  return (
    one.score >= share * best.score &&
    one.own >= share * best.own &&
    one.coverage >= (0.9 + share / 10) * best.coverage
  );
}

function questionWords({ question, languages, idf }: ExtractInput): readonly QuestionWord[] {
  const { words, terms, identifiers } = analyzeQuery(question, { languages });
  const weights = new Map(terms.map(({ term, weight }) => [term, weight]));
  const weigh = (part: readonly string[]) => weightOf(part, weights) * rarity(part, idf);
  const asking = askingSpans(question);
  const asked = words.filter(
    (word) => !asking.some((span) => span.start <= word.start && word.end <= span.end),
  );
  return asked.flatMap((word): QuestionWord[] => {
    const own = word.terms.filter((term) => !term.startsWith(PAIR));
    // A run of a script without spaces is many words: each of its pieces counts for itself.
    if (UNSPACED.test(word.text))
      return own.map((term) => ({ whole: [term], parts: [], weight: weigh([term]) }));
    if (!identifiers.includes(word.text)) return [{ whole: own, parts: [], weight: weigh(own) }];
    const whole = own.slice(0, 1);
    return [{ whole, parts: own.slice(1), weight: weigh(whole) }];
  });
}

function weightOf(terms: readonly string[], weights: ReadonlyMap<string, number>): number {
  return Math.max(0, ...terms.map((term) => weights.get(term) ?? 0));
}

/**
 * Of a word's forms the most frequent one tells how rare it is; a form that the index lacks says nothing. The 1 keeps a
 * word that a small index lacks from outweighing all the others.
 */
function rarity(terms: readonly string[], idf: (term: string) => number): number {
  return terms.length === 0 ? 0 : 1 + Math.min(...terms.map(idf));
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function candidatesOf(
  hit: Hit,
  words: readonly QuestionWord[],
  wantsFigure: boolean,
  rankShare: number,
): readonly Candidate[] {
  const { language } = hit;
  const surroundings = termsOf([hit.title, ...hit.headings, hit.context.text].join("\n"), language);
  const chunk = termsOf(hit.text, language);
  return unitsOf(hit).map((unit) => {
    const text = hit.text.slice(unit.start, unit.end);
    const terms = termsOf(text, language);
    const own = coverageOf(words, terms, NO_TERMS, NO_TERMS);
    const coverage = coverageOf(words, terms, chunk, surroundings);
    const figure = wantsFigure && /\p{N}/u.test(text) ? FIGURE_SHARE : 0;
    return { ...unit, hit, own, coverage, score: coverage + RANK_SHARE * rankShare + figure };
  });
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

/** The share of the question's weight that is said, in the sentence or, for less, around it. */
function coverageOf(words: readonly QuestionWord[], own: Terms, chunk: Terms, surroundings: Terms): number {
  let held = 0;
  let all = 0;
  for (const word of words) {
    all += word.weight;
    held +=
      word.weight *
      Math.max(
        said(word, own),
        SURROUNDING_SHARE * said(word, surroundings),
        CHUNK_SHARE * said(word, chunk),
      );
  }
  return all === 0 ? 0 : held / all;
}

function said(word: QuestionWord, terms: Terms): number {
  if (word.whole.some((term) => terms.has(term))) return 1;
  return word.parts.length > 0 && word.parts.every((term) => terms.has(term)) ? PARTS_SHARE : 0;
}

type Terms = ReadonlySet<string>;

const NO_TERMS: Terms = new Set();

function termsOf(text: string, language: string | undefined): Terms {
  return new Set(analyzeField(text, { language }).terms.keys());
}

/** Words that ask for an amount, a number or a time, in the languages that have a structural form. */
const ASKING =
  /(?<![\p{L}\p{M}])(?:how (?:much|many|long|old|far|high|big|large)|when|what (?:percent|number|amount|year|date)|berapa(?: banyak| lama)?|kapan|bao nhiêu|khi nào|mấy|wie ?viele?|wann|combien|quand|cuánt[oa]s?|cuándo)(?![\p{L}\p{M}])|多少|几|何时|什么时候|เท่าไร|เท่าไหร่|กี่|เมื่อไร|いくら|いつ/giu;

function asksForFigure(question: string): boolean {
  return askingSpans(question).length > 0;
}

/** Where the question asks: "how long" wants a figure, not the word "long". */
function askingSpans(question: string): readonly Span[] {
  return [...question.matchAll(ASKING)].map(({ index, 0: words }) => ({
    start: index,
    end: index + words.length,
  }));
}

/** Overlapping chunks hold the same sentence twice; its best place stays. */
function distinct(candidates: readonly Candidate[]): readonly Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ hit, start, end }) => {
    const text = hit.text.slice(start, end).replace(/\s+/gu, " ").trim();
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

function toCitation(candidate: Candidate, i: number): Citation {
  const { hit } = candidate;
  const [first, last] = linesOf(lineStarts(hit.text), candidate);
  return {
    number: i + 1,
    chunkId: hit.chunkId,
    documentId: hit.documentId,
    title: hit.title,
    uri: hit.uri,
    headings: hit.headings,
    lines: [hit.lines[0] + first - 1, hit.lines[0] + last - 1],
    ...(hit.pages && { pages: hit.pages }),
    start: hit.start + candidate.start,
    end: hit.start + candidate.end,
    quote: hit.text.slice(candidate.start, candidate.end),
    // Verbatim by construction: the quote is cut out of the source.
    verified: true,
  };
}
