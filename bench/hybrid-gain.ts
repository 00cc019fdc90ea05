import { signed } from "../src/eval/report/figures.ts";
import { table } from "../src/eval/report/table.ts";
import type { RunResult } from "../src/eval/rows.ts";
import { certain, differences } from "../src/eval/summary.ts";

/** What the vector side brings beside BM25 alone, set by set; names the sets where it certainly hurts. */
export function hybridGain(runs: readonly RunResult[], metrics: readonly string[]): string | undefined {
  const pairs = [...Map.groupBy(runs, ({ set }) => set)].flatMap(([set, own]) => {
    const [text, hybrid] = ["text", "hybrid"].map((part) => own.find(({ setting }) => setting === part));
    return text && hybrid ? [{ set, changes: differences(text.rows, hybrid.rows, metrics) }] : [];
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
      ? "No set is certainly worse than BM25 alone."
      : `Certainly worse: ${worse.join(", ")}.`;
  return `Hybrid against BM25 alone, in points (≈: not certain)\n\n${table(["set", ...metrics], rows)}\n\n${verdict}`;
}
