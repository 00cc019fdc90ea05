import type { Citation, Hit } from "../../spec/index.ts";
import { lineStarts, linesOf } from "../../util/lines.ts";
import { confidenceOf } from "./confidence.ts";
import {
  type ConfidenceFeatures,
  confidenceFeatures,
  lackingWords,
  type Weighed,
} from "./confidence-features.ts";
import { doubtsOf } from "./extract-doubts.ts";
import { type QuestionInput, type ReadQuestion, readQuestion } from "./question.ts";
import { readAnswers, type SentenceFeatures } from "./sentence-features.ts";

export interface ExtractInput extends QuestionInput {
  readonly hits: readonly Hit[];
}

export interface ExtractOptions {
  /** Most sentences in the answer. Default 3. */
  readonly maxSentences?: number;
  /** Hits that are read. Default 8. */
  readonly maxHits?: number;
  /** Least confidence of an answer. Default `DEFAULT_CONFIDENCE`. */
  readonly minConfidence?: number;
  /** A further sentence must score at least this share of the best one. Default 0.85. */
  readonly minShare?: number;
}

export interface Extract {
  /** Empty when nothing answers. */
  readonly citations: readonly Citation[];
  /** How sure it is that the best sentence answers, 0 to 1; 0 without one. */
  readonly confidence: number;
  readonly threshold: number;
  /** What the confidence is made of; undefined without a sentence. */
  readonly features?: ConfidenceFeatures;
  /** The question's names, numbers, codes and rare words that stand nowhere around the best sentence. */
  readonly lacking: readonly string[];
  /** What to look at twice where something is quoted. */
  readonly doubts: readonly string[];
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
  heading: -0.1,
  counted: 0.1,
  defines: 0.35,
  echo: -0.2,
  rival: -0.3,
  nameless: -0.2,
};
/** What the rank of the hit counts: the first place is worth this much more than the last. */
const RANK_SHARE = 0.15;

/**
 * The sentences that answer, verbatim. A sentence scores by the share of the question's words, weighted by rarity, that
 * it holds; words that stand in its context, title or headings count in part, which is how a sentence that never names
 * its company answers a question about it.
 */
export function extractAnswer(input: ExtractInput, options: ExtractOptions = {}): Extract {
  const { minConfidence: threshold = DEFAULT_CONFIDENCE, maxHits = 8, minShare = 0.85 } = options;
  const question = readQuestion(input);
  const hits = input.hits.slice(0, maxHits);
  const candidates = candidatesOf(question, hits);
  const features = confidenceFeatures(question, input.question, candidates, hits);
  const [best] = candidates;
  if (best === undefined || features === undefined)
    return { citations: [], confidence: 0, threshold, lacking: [], doubts: [] };
  const confidence = confidenceOf(features);
  const judged = { confidence, threshold, features, lacking: lackingWords(question, best) };
  if (confidence < threshold) return { citations: [], doubts: [], ...judged };
  const chosen = distinct(candidates.filter((one) => isCloseTo(best, one, minShare))).slice(
    0,
    options.maxSentences ?? 3,
  );
  const doubts = doubtsOf(question, input.question, chosen);
  return { citations: chosen.map(toCitation), doubts, ...judged };
}

/** Least confidence of an answer without calibration. */
export const DEFAULT_CONFIDENCE = 0.5;
/** From here on an answer by the scores alone is taken for sure enough that no model is asked to grade the evidence. */
export const SURE_CONFIDENCE = 0.65;

/** Sentences of the hits, best first. */
function candidatesOf(question: ReadQuestion, hits: readonly Hit[]): readonly Weighed[] {
  return hits
    .flatMap((hit, i) =>
      readAnswers(question, hit, i).map((sentence) => ({
        ...sentence,
        score: weigh(sentence.features) + RANK_SHARE * (1 - i / hits.length),
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
 * Whether a further sentence belongs to the answer as well. Its context alone does not make it one (every sentence of a
 * report has that), and one that says less of the question is another company's or another quarter's.
 */
function isCloseTo(best: Weighed, one: Weighed, share: number): boolean {
  return (
    one.score >= share * best.score &&
    one.features.own >= share * best.features.own &&
    one.features.named >= best.features.named &&
    one.features.coverage >= (0.9 + share / 10) * best.features.coverage
  );
}

/** Without those that say the same as a better one, or lie inside it. */
function distinct(candidates: readonly Weighed[]): readonly Weighed[] {
  const kept: Weighed[] = [];
  const seen = new Set<string>();
  for (const one of candidates) {
    const text = one.hit.text.slice(one.start, one.end).replace(/\s+/gu, " ").trim();
    if (seen.has(text) || kept.some((better) => overlaps(better, one))) continue;
    seen.add(text);
    kept.push(one);
  }
  return kept;
}

function overlaps(a: Weighed, b: Weighed): boolean {
  return (
    a.hit.documentId === b.hit.documentId &&
    a.hit.start + a.start < b.hit.start + b.end &&
    b.hit.start + b.start < a.hit.start + a.end
  );
}

function toCitation(candidate: Weighed, i: number): Citation {
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
