import {
  isKonteksError,
  KonteksError,
  type RerankCandidate,
  type Reranker,
  type RerankRequest,
  type RerankScore,
} from "../spec/index.ts";
import { countTokens } from "../text/count-tokens.ts";
import { textForRerank } from "../text/index-text.ts";
import { timeoutSignal } from "../util/timer.ts";
import type { Candidate } from "./candidate.ts";
import type { RerankCache } from "./rerank-cache.ts";

export interface Reranked {
  /** What the reranker judged, best first by its score, then all others in the order they had. */
  readonly order: readonly (Candidate & { readonly rerank?: RerankScore })[];
  /** Why it was left out; the order is then the one it was given. */
  readonly skipped?: string;
  /** Its scores had been paid for already. */
  readonly cached?: boolean;
  /** Why scores that were paid for could not be kept. */
  readonly unkept?: string;
}

export interface RerankStage {
  readonly reranker: Reranker;
  readonly depth: number;
  readonly timeoutMs: number;
  readonly query: Omit<RerankRequest, "candidates">;
  readonly cache?: RerankCache | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Tokens of query and text together, where the reranker does not say. */
const DEFAULT_LIMIT = { "built-in": Number.POSITIVE_INFINITY, local: 512, hosted: 4000 } as const;

/**
 * Puts the first `depth` candidates into the reranker's order. A reranker that fails, or takes longer than its time, leaves
 * the order as it was and says why; an abort of the whole search is thrown.
 */
export async function rerank(candidates: readonly Candidate[], stage: RerankStage): Promise<Reranked> {
  const judged = candidates.slice(0, stage.depth);
  if (judged.length === 0) return { order: candidates };
  try {
    const { scores, ...facts } = await scoresOf(judged, stage);
    return { order: [...byScore(judged, scores), ...candidates.slice(stage.depth)], ...facts };
  } catch (error) {
    stage.signal?.throwIfAborted();
    return { order: candidates, skipped: reasonOf(error) };
  }
}

interface Scored extends Pick<Reranked, "cached" | "unkept"> {
  readonly scores: readonly RerankScore[];
}

async function scoresOf(judged: readonly Candidate[], stage: RerankStage): Promise<Scored> {
  const { reranker } = stage;
  await reranker.ready?.();
  const request = {
    ...stage.query,
    candidates: judged.map((candidate, i) => toCandidate(candidate, i, stage)),
  };
  const key = JSON.stringify([reranker.id, request.query, request.candidates.map(({ text }) => text)]);
  const cache = reranker.kind === "hosted" ? stage.cache : undefined;
  const known = valid(cache?.get(key), judged.length, reranker.id);
  if (known) return { scores: known, cached: true };
  const scores = checkScores(await inTime(request, stage), judged.length, reranker.id);
  return { scores, ...keep(cache, key, scores) };
}

/** What is kept was checked when it came; a file that somebody wrote into is as good as none. */
function valid(scores: readonly RerankScore[] | undefined, sent: number, id: string) {
  try {
    return scores && checkScores(scores, sent, id);
  } catch {
    return undefined;
  }
}

function toCandidate({ fused, stored }: Candidate, i: number, stage: RerankStage): RerankCandidate {
  const { maxTokens, kind } = stage.reranker;
  const limit = (maxTokens ?? DEFAULT_LIMIT[kind]) - countTokens(stage.query.query);
  const { scores, ranks, score } = fused;
  return { stored, text: cutToTokens(textForRerank(stored), limit), scores, ranks, rank: i + 1, score };
}

/** Characters. */
const LONGEST_WORD = 40;

/** The beginning of a text that has at most so many tokens, cut between words. */
export function cutToTokens(text: string, limit: number): string {
  if (limit === Number.POSITIVE_INFINITY || countTokens(text) <= limit) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (countTokens(text.slice(0, middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  const cut = text.slice(0, low);
  const blank = Math.max(cut.lastIndexOf(" "), cut.lastIndexOf("\n"));
  // A script without spaces has nowhere better to be cut.
  const end = /\s/.test(text[low] ?? " ") || low - blank > LONGEST_WORD ? low : Math.max(0, blank);
  return cut.slice(0, end).trimEnd();
}

async function inTime(request: RerankRequest, stage: RerankStage): Promise<readonly RerankScore[]> {
  const { reranker, timeoutMs, signal } = stage;
  const timeout = timeoutSignal(timeoutMs);
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const late = new Promise<never>((_, reject) => {
    either.addEventListener("abort", () => reject(timeout.aborted ? tooLate(timeoutMs) : either.reason), {
      once: true,
    });
  });
  return Promise.race([reranker.rerank(request, { signal: either }), late]);
}

function tooLate(ms: number): KonteksError {
  return new KonteksError("model-failed", `it took longer than ${Math.round(ms)} ms`);
}

/**
 * Indices point into the very list that was sent: one beyond it, or one named twice, would put a score on the wrong chunk.
 * Any finite score is legal.
 */
export function checkScores(
  scores: readonly RerankScore[],
  sent: number,
  id: string,
): readonly RerankScore[] {
  const seen = new Set<number>();
  for (const { index, score } of scores) {
    if (!Number.isInteger(index) || index < 0 || index >= sent)
      throw new KonteksError("model-failed", `${id} scored text ${index} of a list of ${sent}`);
    if (seen.has(index)) throw new KonteksError("model-failed", `${id} scored text ${index} twice`);
    if (!Number.isFinite(score))
      throw new KonteksError("model-failed", `${id} gave text ${index} the score ${score}`);
    seen.add(index);
  }
  return scores;
}

function byScore(judged: readonly Candidate[], scores: readonly RerankScore[]): Reranked["order"] {
  const byIndex = new Map(scores.map((score) => [score.index, score]));
  const scored = scores
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .flatMap((score) => {
      const candidate = judged[score.index];
      return candidate ? [{ ...candidate, rerank: score }] : [];
    });
  return [...scored, ...judged.filter((_, i) => !byIndex.has(i))];
}

function keep(
  cache: RerankCache | undefined,
  key: string,
  scores: readonly RerankScore[],
): Pick<Reranked, "unkept"> {
  try {
    cache?.set(key, scores);
    return {};
  } catch (error) {
    return { unkept: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (isKonteksError(error)) return error.message;
  return error instanceof Error ? error.message || error.name : String(error);
}
