import type { BootstrapOptions } from "./bootstrap.ts";
import { directionOf } from "./metrics/metrics.ts";
import type { RunResult } from "./rows.ts";
import { type Difference, differences } from "./summary.ts";

/** A question whose value differs between two runs. */
export interface ChangedQuestion {
  readonly id: string;
  readonly text: string;
  readonly before: number;
  readonly after: number;
}

export interface Comparison {
  /** `after` − `before`, by metric, over the questions that both score. */
  readonly differences: Readonly<Record<string, Difference>>;
  /** Questions of only one of the two runs; they are not compared. */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
  /** By the first metric: what got worse, the most first, and what got better. */
  readonly worse: readonly ChangedQuestion[];
  readonly better: readonly ChangedQuestion[];
}

/** Compares two runs question by question. `metrics` default to all that both hold. */
export function compareRuns(
  before: RunResult,
  after: RunResult,
  options: { readonly metrics?: readonly string[]; readonly bootstrap?: BootstrapOptions } = {},
): Comparison {
  const metrics = options.metrics ?? sharedMetrics(before, after);
  const changed = changedQuestions(before, after, metrics[0]);
  const rising = metrics[0] !== undefined && directionOf(metrics[0]) === "lower" ? -1 : 1;
  const gain = (question: ChangedQuestion) => rising * (question.after - question.before);
  return {
    differences: differences(before.rows, after.rows, metrics, options.bootstrap),
    onlyBefore: missing(before, after),
    onlyAfter: missing(after, before),
    worse: changed.filter((question) => gain(question) < 0).sort((a, b) => gain(a) - gain(b)),
    better: changed.filter((question) => gain(question) > 0).sort((a, b) => gain(b) - gain(a)),
  };
}

function sharedMetrics(before: RunResult, after: RunResult): readonly string[] {
  const names = (run: RunResult) => new Set(run.rows.flatMap((row) => Object.keys(row.values)));
  return [...names(before)].filter((name) => names(after).has(name));
}

function changedQuestions(
  before: RunResult,
  after: RunResult,
  name: string | undefined,
): readonly ChangedQuestion[] {
  if (name === undefined) return [];
  const earlier = new Map(before.rows.map((row) => [row.id, row.values[name]]));
  return after.rows.flatMap(({ id, text, values }) => {
    const [was, is] = [earlier.get(id), values[name]];
    return was === undefined || is === undefined || was === is ? [] : [{ id, text, before: was, after: is }];
  });
}

function missing(run: RunResult, other: RunResult): readonly string[] {
  const there = new Set(other.rows.map((row) => row.id));
  return run.rows.filter((row) => !there.has(row.id)).map((row) => row.id);
}
