import {
  type Answer,
  type Konteks,
  KonteksError,
  type ScoreKind,
  type SearchOptions,
} from "../spec/index.ts";
import { refuseSkipped } from "./skipped.ts";
import type { Question } from "./types.ts";

/** What a threshold can be put on: a kind of score, or how sure it is that the best sentence answers. */
export type ThresholdKind = ScoreKind | "confidence";

const KINDS: readonly ThresholdKind[] = ["confidence", "bm25", "cosine", "rrf", "weighted", "rerank"];

export interface CalibrationPoint {
  readonly threshold: number;
  /** Share of the questions without an answer that are answered. */
  readonly wronglyAnswered: number;
  /** Share of the questions with one that are not. */
  readonly wronglyAbstained: number;
  /** Mean of the shares of both kinds that are treated rightly. */
  readonly balancedAccuracy: number;
}

export interface KindCalibration extends CalibrationPoint {
  readonly kind: ThresholdKind;
  /** Balanced accuracy on questions that the threshold was not fitted on (five parts, each left out once). */
  readonly heldOut: number;
  /** From answering everything to answering nothing, at most 21 points. */
  readonly curve: readonly CalibrationPoint[];
}

export interface Calibration {
  readonly answerable: number;
  readonly unanswerable: number;
  /** By held-out accuracy, best first; kinds that no answer had are missing. */
  readonly kinds: readonly KindCalibration[];
}

export interface CalibrateOptions {
  readonly search?: SearchOptions;
  /**
   * Highest share of questions without an answer that may be answered; the lowest such threshold is taken. Default: the
   * threshold with the best balanced accuracy.
   */
  readonly maxWrong?: number;
  readonly signal?: AbortSignal;
}

interface Outcome {
  readonly answerable: boolean;
  readonly scores: Readonly<Partial<Record<ThresholdKind, number>>>;
}

/**
 * Fits thresholds for abstention on a question set that holds questions without an answer. The index is asked without a
 * model, so nothing is paid.
 */
export async function calibrate(
  konteks: Konteks,
  questions: readonly Question[],
  options: CalibrateOptions = {},
): Promise<Calibration> {
  const judged = questions.filter(({ unanswerable, gold }) => unanswerable || gold.length > 0);
  refuseOneSided(judged);
  const outcomes: Outcome[] = [];
  for (const question of judged) {
    const answer = await konteks.ask(question.text, {
      ...options.search,
      thresholds: { confidence: 0 },
      ...(options.signal && { signal: options.signal }),
    });
    refuseSkipped(question.id, answer.notes);
    outcomes.push({ answerable: !question.unanswerable, scores: scoresOf(answer) });
  }
  const kinds = KINDS.flatMap((kind) => fitKind(kind, outcomes, options.maxWrong));
  const unanswerable = judged.filter((question) => question.unanswerable).length;
  return {
    answerable: judged.length - unanswerable,
    unanswerable,
    kinds: kinds.toSorted((a, b) => b.heldOut - a.heldOut),
  };
}

function refuseOneSided(questions: readonly Question[]): void {
  const without = questions.filter(({ unanswerable }) => unanswerable).length;
  if (without > 0 && without < questions.length) return;
  throw new KonteksError(
    "wrong-option",
    `A threshold needs questions with an answer and questions without; there are ${questions.length - without} and ${without}. Add some of the others: \`konteks eval add "<question>"\` adds one that the documents do not answer.`,
    { facts: { answerable: questions.length - without, unanswerable: without } },
  );
}

function scoresOf({ hits, trace, kind }: Answer): Outcome["scores"] {
  if (kind === "generated")
    throw new KonteksError(
      "wrong-option",
      "Thresholds are fitted without a model. Open the index without one.",
    );
  const confidence = Number(trace.find(({ stage }) => stage === "extract")?.facts.confidence ?? 0);
  const best = (score: ScoreKind) => {
    const scores = hits.flatMap((hit) => hit.scores[score] ?? []);
    return scores.length === 0 ? {} : { [score]: Math.max(...scores) };
  };
  const kinds = KINDS.filter((one) => one !== "confidence");
  return Object.assign({ confidence }, ...kinds.map(best));
}

function fitKind(
  kind: ThresholdKind,
  outcomes: readonly Outcome[],
  maxWrong: number | undefined,
): readonly KindCalibration[] {
  if (!outcomes.some(({ scores }) => scores[kind] !== undefined)) return [];
  const scored = outcomes.map(({ answerable, scores }) => ({ answerable, score: scores[kind] ?? 0 }));
  const curve = curveOf(scored);
  const best = choose(curve, maxWrong);
  return best ? [{ kind, ...best, heldOut: heldOutAccuracy(scored, maxWrong), curve: thinned(curve) }] : [];
}

interface Scored {
  readonly answerable: boolean;
  readonly score: number;
}

/** A point for each place between two scores that differ, and one at either end. */
function curveOf(scored: readonly Scored[]): readonly CalibrationPoint[] {
  const scores = [...new Set(scored.map(({ score }) => score))].sort((a, b) => a - b);
  const between = scores.slice(1).map((score, i) => (score + (scores[i] ?? 0)) / 2);
  const thresholds = [0, ...between, (scores.at(-1) ?? 0) * 1.01 + 1e-9];
  return thresholds.map((threshold) => pointAt(scored, threshold));
}

function pointAt(scored: readonly Scored[], threshold: number): CalibrationPoint {
  const share = (answerable: boolean, answered: boolean) => {
    const all = scored.filter((one) => one.answerable === answerable);
    const those = all.filter(({ score }) => score >= threshold === answered);
    return all.length === 0 ? 0 : those.length / all.length;
  };
  const wronglyAnswered = share(false, true);
  const wronglyAbstained = share(true, false);
  return {
    threshold,
    wronglyAnswered,
    wronglyAbstained,
    balancedAccuracy: 1 - (wronglyAnswered + wronglyAbstained) / 2,
  };
}

function choose(
  curve: readonly CalibrationPoint[],
  maxWrong: number | undefined,
): CalibrationPoint | undefined {
  if (maxWrong !== undefined) return curve.find(({ wronglyAnswered }) => wronglyAnswered <= maxWrong);
  const best = Math.max(...curve.map(({ balancedAccuracy }) => balancedAccuracy));
  return curve.find(({ balancedAccuracy }) => balancedAccuracy === best);
}

const PARTS = 5;

function heldOutAccuracy(scored: readonly Scored[], maxWrong: number | undefined): number {
  const judged = Array.from({ length: PARTS }, (_, part) => {
    const chosen = choose(curveOf(scored.filter((_, i) => i % PARTS !== part)), maxWrong);
    const left = scored.filter((_, i) => i % PARTS === part);
    return left.map((one) => ({ ...one, answered: one.score >= (chosen?.threshold ?? 0) }));
  }).flat();
  const right = (answerable: boolean) => {
    const all = judged.filter((one) => one.answerable === answerable);
    return all.filter(({ answered }) => answered === answerable).length / Math.max(1, all.length);
  };
  return (right(true) + right(false)) / 2;
}

/** Of a long curve every so-manieth point, with both ends. */
function thinned(curve: readonly CalibrationPoint[], most = 21): readonly CalibrationPoint[] {
  if (curve.length <= most) return curve;
  const step = (curve.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, i) => curve[Math.round(i * step)]).filter(
    (point) => point !== undefined,
  );
}
