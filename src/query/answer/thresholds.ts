import type { Hit, ScoreKind, Thresholds } from "../../spec/index.ts";
import { type ExtractInput, extractAnswer, SURE_CONFIDENCE } from "./extract.ts";

const KINDS: readonly ScoreKind[] = ["bm25", "cosine", "rrf", "weighted", "rerank"];

/** Why the hits are not taken for an answer, by the thresholds on their scores; a kind that no hit has says nothing. */
export function belowThreshold(hits: readonly Hit[], thresholds: Thresholds = {}): string | undefined {
  for (const kind of KINDS) {
    const wanted = thresholds[kind];
    const scores = hits.flatMap((hit) => hit.scores[kind] ?? []);
    if (wanted === undefined || scores.length === 0) continue;
    const best = Math.max(...scores);
    if (best < wanted) return `The best ${kind} score is ${short(best)}; an answer needs ${short(wanted)}.`;
  }
  return undefined;
}

function short(score: number): string {
  return String(Number(score.toPrecision(3)));
}

/** Whether the scores alone say that the evidence suffices: above every threshold that was fitted, or a very close sentence. */
export function isSure(input: ExtractInput, thresholds: Thresholds | undefined): boolean {
  if (input.hits.length === 0 || belowThreshold(input.hits, thresholds) !== undefined) return false;
  const fitted = Object.values(thresholds ?? {}).some((value) => value !== undefined);
  if (fitted && thresholds?.confidence === undefined) return true;
  return extractAnswer(input).confidence >= (thresholds?.confidence ?? SURE_CONFIDENCE);
}
