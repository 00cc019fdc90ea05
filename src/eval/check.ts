import type { BootstrapOptions, Interval } from "./bootstrap.ts";
import { compareRuns } from "./compare.ts";
import { counted } from "./counted.ts";
import { points } from "./ladder/advise.ts";
import { directionOf } from "./metrics/metrics.ts";
import type { RunResult } from "./rows.ts";

export interface CheckOptions {
  /** What must not fall. Default recall@20, mrr@10 and ndcg@10. */
  readonly metrics?: readonly string[];
  /** A loss up to this is let through even when it is certain. Default 0. */
  readonly tolerance?: number;
  readonly bootstrap?: BootstrapOptions;
}

export interface CheckResult {
  /** False: quality fell for certain, or the baseline's questions are not all there. */
  readonly ok: boolean;
  /** One line for each metric, and one for each reason to fail. */
  readonly lines: readonly string[];
}

/**
 * Holds a run against a baseline, as a gate for CI: it fails when a metric is lower than in the baseline by more than
 * `tolerance` over the whole paired 95 % interval. A question that left the set fails it too, or losing the hard
 * questions would pass for a gain.
 */
export function checkAgainst(baseline: RunResult, run: RunResult, options: CheckOptions = {}): CheckResult {
  const { metrics = ["recall@20", "mrr@10", "ndcg@10"], tolerance = 0, bootstrap } = options;
  const compared = compareRuns(baseline, run, { metrics, ...(bootstrap && { bootstrap }) });
  const verdicts = metrics.map((name) => verdict(name, compared.differences[name], tolerance));
  const gone = compared.onlyBefore;
  const lost =
    gone.length === 0
      ? []
      : [
          `${counted(gone.length, "question")} of the baseline ${gone.length === 1 ? "was" : "were"} not asked, the first is ${gone[0]}`,
        ];
  return {
    ok: lost.length === 0 && verdicts.every(({ ok }) => ok),
    lines: [...verdicts.map(({ line }) => line), ...lost],
  };
}

function verdict(
  name: string,
  difference: Interval | undefined,
  tolerance: number,
): { ok: boolean; line: string } {
  if (difference === undefined)
    return { ok: false, line: `${name}: no question is scored by it in both runs` };
  const lowerIsBetter = directionOf(name) === "lower";
  const leastLoss = lowerIsBetter ? difference.low : -difference.high;
  const ok = leastLoss <= tolerance + 1e-12;
  return {
    ok,
    line: `${name}: ${ok ? "held" : "fell"}, ${points(difference)} over ${counted(difference.n, "question")}`,
  };
}
