import { signed } from "../src/eval/report/figures.ts";
import { table } from "../src/eval/report/table.ts";
import type { RunResult } from "../src/eval/rows.ts";
import { certain, differences } from "../src/eval/summary.ts";

/** Two parts that are compared, and how they are called. */
export interface Compared {
  readonly before: readonly [part: string, name: string];
  readonly after: readonly [part: string, name: string];
}

export const HYBRID: Compared = { before: ["text", "BM25 alone"], after: ["hybrid", "Hybrid"] };
/** Its coefficients know these sets; scripts/train-reranker.ts scores each set by coefficients that do not. */
export const RERANK: Compared = {
  before: ["hybrid", "no reranker"],
  after: ["rerank", "The built-in reranker"],
};

/** What one part brings beside another, set by set; names the sets where it certainly hurts. */
export function gainOver(
  runs: readonly RunResult[],
  metrics: readonly string[],
  { before, after }: Compared,
): string | undefined {
  const pairs = [...Map.groupBy(runs, ({ set }) => set)].flatMap(([set, own]) => {
    const [old, now] = [before, after].map(([part]) => own.find(({ setting }) => setting === part));
    return old && now ? [{ set, changes: differences(old.rows, now.rows, metrics) }] : [];
  });
  if (pairs.length === 0) return undefined;
  const rows = pairs.map(({ set, changes }) => [set, ...metrics.map((name) => signed(changes[name]))]);
  const worse = pairs.flatMap(({ set, changes }) =>
    metrics
      .filter((name) => changes[name] && certain(changes[name]) === "down")
      .map((name) => `${set} (${name})`),
  );
  const verdict =
    worse.length === 0
      ? `No set is certainly worse than ${before[1]}.`
      : `Certainly worse: ${worse.join(", ")}.`;
  return `${after[1]} against ${before[1]}, in points (≈: not certain)\n\n${table(["set", ...metrics], rows)}\n\n${verdict}`;
}
