import type { Konteks, SearchOptions } from "../../spec/index.ts";
import { type AnswersOptions, runAnswers } from "../answers/run-answers.ts";
import type { BootstrapOptions, Interval } from "../bootstrap.ts";
import { recall } from "../metrics/recall.ts";
import { tokenEfficiency } from "../metrics/token-efficiency.ts";
import type { QuestionRow } from "../rows.ts";
import { differences, type Scored } from "../summary.ts";
import type { EvaluationSet } from "../types.ts";

/** What the first k hits of a setting bring and cost. */
export interface DepthRow {
  readonly k: number;
  readonly recall: number;
  readonly tokenEfficiency: number;
  /** Mean tokens of the first k hits. */
  readonly tokens: number;
}

/** How many answers are correct when k hits are read. */
export interface AnsweredDepth {
  readonly k: number;
  readonly correct: Interval | undefined;
}

export interface ChosenDepth {
  readonly k: number;
  readonly curve: readonly DepthRow[];
  /** What `k` was chosen by, where a model answered: the smallest depth within one standard error of the most correct. */
  readonly answered?: { readonly model: string; readonly depths: readonly AnsweredDepth[] };
}

/**
 * Recall only grows with k, so it cannot choose it. Taken is the smallest k whose recall is within one standard error
 * of the deepest: the fewest tokens that lose nothing that these questions could show.
 */
export function chooseDepth(
  rows: readonly QuestionRow[],
  depth: number,
  options?: BootstrapOptions,
): ChosenDepth {
  const scored = rows.filter((row) => row.places.length > 0);
  const curve = Array.from({ length: depth }, (_, index) => depthRow(scored, index + 1));
  const at = (k: number) =>
    scored.map((row) => ({ ...row, values: { recall: recall(judgedOf(row), k) ?? 0 } }));
  const deepest = at(depth);
  const found = curve.find(({ k }) => isNear(at(k), deepest, "recall", options));
  return { k: found?.k ?? depth, curve };
}

/** Whether a figure is within one standard error of another's, over the same questions. */
export function isNear(
  rows: readonly Scored[],
  best: readonly Scored[],
  metric: string,
  options?: BootstrapOptions,
): boolean {
  const gap = differences(rows, best, [metric], options)[metric];
  return gap === undefined || gap.mean <= gap.error;
}

/** Depths at which every question is answered. */
export const ANSWERED_DEPTHS: readonly number[] = [1, 3, 5, 10, 20];

/**
 * More passages help an answer until they distract it, which recall does not show. Every question is answered from the
 * first k hits, for some k; taken is the smallest within one standard error of the most correct.
 */
export async function chooseDepthByAnswers(
  konteks: Konteks,
  set: EvaluationSet,
  search: SearchOptions,
  { ask, ...answers }: AnswersOptions,
): Promise<NonNullable<ChosenDepth["answered"]> & { readonly k: number | undefined }> {
  const runs: {
    readonly k: number;
    readonly rows: readonly Scored[];
    readonly correct: Interval | undefined;
  }[] = [];
  let model = "";
  for (const k of ANSWERED_DEPTHS) {
    const result = await runAnswers(konteks, set, { ...answers, ask: { ...ask, ...search, k } });
    runs.push({ k, rows: result.rows, correct: result.summary.correct });
    model = result.model ?? model;
  }
  const [best] = runs.toSorted((a, b) => (b.correct?.mean ?? -1) - (a.correct?.mean ?? -1) || a.k - b.k);
  const taken =
    best?.correct && runs.find(({ rows }) => isNear(rows, best.rows, "correct", answers.bootstrap));
  return { k: taken?.k, model, depths: runs.map(({ k, correct }) => ({ k, correct })) };
}

function depthRow(rows: readonly QuestionRow[], k: number): DepthRow {
  const judged = rows.map(judgedOf);
  return {
    k,
    recall: average(judged.map((row) => recall(row, k) ?? 0)),
    tokenEfficiency: average(judged.map((row) => tokenEfficiency(row, k) ?? 0)),
    tokens: average(judged.map((row) => row.hits.slice(0, k).reduce((total, hit) => total + hit.tokens, 0))),
  };
}

/** A row holds what the metrics of places and tokens need; grades and lengths are not asked for by them. */
function judgedOf({ places, hits }: QuestionRow) {
  return { places, hits, grades: places.map(() => 1), lengths: [] };
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((total, value) => total + value, 0) / values.length;
}
