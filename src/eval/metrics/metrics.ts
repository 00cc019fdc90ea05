import { KonteksError } from "../../spec/index.ts";
import type { Judged } from "../judge.ts";
import { answerMetrics } from "./answer-metrics.ts";
import { averagePrecision } from "./average-precision.ts";
import { coverage } from "./coverage.ts";
import { empty } from "./empty.ts";
import { failure } from "./failure.ts";
import { hit } from "./hit.ts";
import { ndcg } from "./ndcg.ts";
import { pass } from "./pass.ts";
import { precision } from "./precision.ts";
import { recall } from "./recall.ts";
import { recallTokens } from "./recall-tokens.ts";
import { reciprocalRank } from "./reciprocal-rank.ts";
import { tokenEfficiency } from "./token-efficiency.ts";
import { topScoreRight, topScoreUnanswerable, topScoreWrong } from "./top-score.ts";

/** A retrieval metric: a question's value, undefined when it is not scored (never 0 for want of gold). */
export interface Metric {
  /** "recall@20", "mrr@10", "empty", … */
  readonly name: string;
  /** Which way is better; undefined for scores, which are only read. */
  readonly better: "higher" | "lower" | undefined;
  readonly of: (judged: Judged) => number | undefined;
}

type AtK = (judged: Judged, k: number) => number | undefined;

const atK: Readonly<Record<string, { readonly of: AtK; readonly better: "higher" | "lower" }>> = {
  recall: { of: recall, better: "higher" },
  hit: { of: hit, better: "higher" },
  failure: { of: failure, better: "lower" },
  pass: { of: pass, better: "higher" },
  mrr: { of: reciprocalRank, better: "higher" },
  ndcg: { of: ndcg, better: "higher" },
  map: { of: averagePrecision, better: "higher" },
  precision: { of: precision, better: "higher" },
  "token-efficiency": { of: tokenEfficiency, better: "higher" },
  "recall-tokens": { of: recallTokens, better: "higher" },
  coverage: { of: coverage, better: "higher" },
};

const plain: Readonly<Record<string, Omit<Metric, "name">>> = {
  empty: { of: empty, better: "lower" },
  "top-score-right": { of: topScoreRight, better: undefined },
  "top-score-wrong": { of: topScoreWrong, better: undefined },
  "top-score-unanswerable": { of: topScoreUnanswerable, better: undefined },
};

/** Names `metric` knows; those with `@k` need a depth. */
export const metricNames: readonly string[] = [
  ...Object.keys(atK).map((name) => `${name}@k`),
  ...Object.keys(plain),
];

/** The metric of a name such as "recall@20" or "empty". */
export function metric(name: string): Metric {
  const simple = plain[name];
  if (simple !== undefined) return { name, ...simple };
  const [, family = "", depth = ""] = /^(.+)@(\d+)$/.exec(name) ?? [];
  const found = atK[family];
  const k = Number(depth);
  if (found === undefined || k < 1) {
    throw new KonteksError(
      "wrong-option",
      `There is no metric "${name}". Take one of ${metricNames.join(", ")}.`,
      {
        facts: { name },
      },
    );
  }
  return { name, better: found.better, of: (judged) => found.of(judged, k) };
}

/** Which way is better, by the metric's name, of retrieval or of answers; undefined for scores, which are only read. */
export function directionOf(name: string): Metric["better"] {
  return (answerMetrics[name] ?? metric(name)).better;
}
