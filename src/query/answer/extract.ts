import type { Citation, Hit, Span } from "../../spec/index.ts";
import { analyzeField, analyzeQuery } from "../../text/analyze.ts";
import { sentences } from "../../text/sentences.ts";
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
  /** Share of the question's weight that the best sentence and its context must hold to be an answer. Default 0.5. */
  readonly minCoverage?: number;
  /** A further sentence must score at least this share of the best one. Default 0.8. */
  readonly minShare?: number;
}

export interface Extract {
  /** Empty when nothing answers. */
  readonly citations: readonly Citation[];
  /** Coverage of the best sentence, with its context; 0 without one. */
  readonly coverage: number;
  readonly threshold: number;
}

/** A word of the question: it counts as said when one of its terms is. */
interface QuestionWord {
  readonly terms: readonly string[];
  readonly weight: number;
}

interface Candidate extends Span {
  readonly hit: Hit;
  readonly score: number;
  readonly coverage: number;
}

/** What words of the sentence's surroundings (context, title, headings) count beside words of the sentence itself. */
const SURROUNDING_SHARE = 0.6;
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
  const threshold = options.minCoverage ?? 0.5;
  const words = questionWords(input);
  const candidates = input.hits
    .slice(0, options.maxHits ?? 8)
    .flatMap((hit, i, read) => candidatesOf(hit, words, asksForFigure(input.question), 1 - i / read.length))
    .sort((a, b) => b.score - a.score || a.hit.rank - b.hit.rank || a.start - b.start);
  const best = candidates[0];
  if (!best || best.coverage < threshold) return { citations: [], coverage: best?.coverage ?? 0, threshold };
  const floor = best.score * (options.minShare ?? 0.8);
  const chosen = distinct(candidates.filter((one) => one.score >= floor)).slice(0, options.maxSentences ?? 3);
  return { citations: chosen.map(toCitation), coverage: best.coverage, threshold };
}

function questionWords({ question, languages, idf }: ExtractInput): readonly QuestionWord[] {
  const { words, terms } = analyzeQuery(question, { languages });
  const weights = new Map(terms.map(({ term, weight }) => [term, weight]));
  return words.map((word) => {
    const known = Math.max(0, ...word.terms.map((term) => weights.get(term) ?? 0));
    return { terms: word.terms, weight: known * Math.max(0, ...word.terms.map(idf)) };
  });
}

function candidatesOf(
  hit: Hit,
  words: readonly QuestionWord[],
  wantsFigure: boolean,
  rankShare: number,
): readonly Candidate[] {
  const { language } = hit;
  const surroundings = termsOf([hit.title, ...hit.headings, hit.context.text].join("\n"), language);
  return unitsOf(hit).map((unit) => {
    const text = hit.text.slice(unit.start, unit.end);
    const own = termsOf(text, language);
    const coverage = coverageOf(words, own, surroundings);
    const figure = wantsFigure && /\p{N}/u.test(text) ? FIGURE_SHARE : 0;
    return { ...unit, hit, coverage, score: coverage + RANK_SHARE * rankShare + figure };
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

function coverageOf(
  words: readonly QuestionWord[],
  own: ReadonlySet<string>,
  surroundings: ReadonlySet<string>,
): number {
  let held = 0;
  let all = 0;
  for (const { terms, weight } of words) {
    all += weight;
    if (terms.some((term) => own.has(term))) held += weight;
    else if (terms.some((term) => surroundings.has(term))) held += weight * SURROUNDING_SHARE;
  }
  return all === 0 ? 0 : held / all;
}

function termsOf(text: string, language: string | undefined): ReadonlySet<string> {
  return new Set(analyzeField(text, { language }).terms.keys());
}

/** Questions for an amount, a number or a time, in the languages that have a structural form. */
function asksForFigure(question: string): boolean {
  return /\b(how (much|many|long|old|far|high|big|large)|when|what (percent|number|amount|year|date)|berapa|kapan|bao nhiêu|khi nào|mấy|wie ?viele?|wann|combien|quand|cuánt[oa]s?|cuándo)\b|多少|几|何时|เท่าไร|เท่าไหร่|กี่|เมื่อไร|いくら|いつ|何/iu.test(
    question,
  );
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
