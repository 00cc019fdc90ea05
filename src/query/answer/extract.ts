import type { Citation, Hit } from "../../spec/index.ts";
import { lineStarts, linesOf } from "../../util/lines.ts";
import { type QuestionInput, readQuestion, UNSPACED } from "./question.ts";
import { readSentences, type ScoredSentence, type SentenceFeatures } from "./sentence-features.ts";

export interface ExtractInput extends QuestionInput {
  readonly hits: readonly Hit[];
}

export interface ExtractOptions {
  /** Most sentences in the answer. Default 3. */
  readonly maxSentences?: number;
  /** Hits that are read. Default 8. */
  readonly maxHits?: number;
  /** Least coverage of an answer. Default: see `defaultCoverage`. */
  readonly minCoverage?: number;
  /** A further sentence must score at least this share of the best one. Default 0.85. */
  readonly minShare?: number;
}

export interface Extract {
  /** Empty when nothing answers. */
  readonly citations: readonly Citation[];
  /** How well the best sentence fits the question, 0 to 1; 0 without one. */
  readonly coverage: number;
  readonly threshold: number;
}

interface Candidate extends ScoredSentence {
  readonly score: number;
  readonly coverage: number;
}

/**
 * What each feature counts. Chosen by search over seven sets in English, Indonesian, Vietnamese, Chinese and Thai, each
 * step kept only where it also held on sets that it was not chosen on; the features with no weight did not help.
 */
const WEIGHTS: Readonly<Partial<Record<keyof SentenceFeatures, number>>> = {
  coverage: 1,
  near: 0.1,
  figure: 0.2,
  table: 0.2,
  missing: -0.3,
};
/** What the rank of the hit counts: the first place is worth this much more than the last. */
const RANK_SHARE = 0.15;

/**
 * The sentences that answer, verbatim. A sentence scores by the share of the question's words, weighted by rarity, that
 * it holds; words that stand in its context, title or headings count in part, which is how a sentence that never names
 * its company answers a question about it.
 */
export function extractAnswer(input: ExtractInput, options: ExtractOptions = {}): Extract {
  const threshold = options.minCoverage ?? defaultCoverage(input.question);
  const candidates = candidatesOf(input, options.maxHits ?? 8);
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
 * Least coverage without calibration: cautious, so that what is answered mostly is one. Pieces of a script without
 * spaces count one by one and lie across words as well; there less is as much.
 */
export function defaultCoverage(question: string): number {
  return UNSPACED.test(question) ? 0.25 : 0.45;
}

/** From here on an answer by the scores alone is taken for sure enough that no model is asked to grade the evidence. */
export function sureCoverage(question: string): number {
  return UNSPACED.test(question) ? 0.5 : 0.75;
}

/** Sentences of the hits, best first. */
function candidatesOf(input: ExtractInput, maxHits: number): readonly Candidate[] {
  const question = readQuestion(input);
  const read = input.hits.slice(0, maxHits);
  const top = read[0]?.score ?? 0;
  return read
    .flatMap((hit, i) =>
      readSentences(question, hit, i, top).map((sentence) => ({
        ...sentence,
        score: weigh(sentence.features) + RANK_SHARE * (1 - i / read.length),
        coverage: coverageOf(sentence.features),
      })),
    )
    .sort((a, b) => b.score - a.score || a.hit.rank - b.hit.rank || a.start - b.start);
}

function weigh(features: SentenceFeatures): number {
  return Object.entries(WEIGHTS).reduce(
    (sum, [name, weight]) => sum + weight * features[name as keyof SentenceFeatures],
    0,
  );
}

/**
 * How well a sentence fits, for the threshold. Words of the question close together speak for an answer; a name, number
 * or code of the question that is nowhere around speaks against one.
 */
function coverageOf({ coverage, near, missing }: SentenceFeatures): number {
  return Math.max(0, (coverage + 0.3 * near - 0.3 * missing) / 1.3);
}

/**
 * Whether a further sentence belongs to the answer as well. Its context alone does not make it one (every sentence of a
 * report has that), and one that says less of the question is another company's or another quarter's.
 */
function isCloseTo(best: Candidate, one: Candidate, share: number): boolean {
  return (
    one.score >= share * best.score &&
    one.features.own >= share * best.features.own &&
    one.features.named >= best.features.named &&
    one.features.coverage >= (0.9 + share / 10) * best.features.coverage
  );
}

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
