import type { BootstrapOptions } from "../bootstrap.ts";
import type { QuestionRow } from "../rows.ts";
import { latency, summarise } from "../summary.ts";
import { isNear } from "./depth.ts";
import { rerankDepth } from "./rerank-depth.ts";
import type { SweepRow } from "./rows.ts";

/**
 * The one-standard-error rule: of all settings whose figure is within one standard error of the best (of the paired
 * difference, over the same questions) the simplest is taken, because what is within it may be chance.
 * Source: Breiman, Friedman, Olshen, Stone, "Classification and Regression Trees" (1984), section 3.4.3.
 */
export function simplestGood(
  settings: readonly SweepRow[],
  decisive: string,
  chooses: (row: QuestionRow) => boolean,
  options?: BootstrapOptions,
): { readonly best: SweepRow; readonly taken: SweepRow } | undefined {
  const scored = settings.filter((setting) => setting.chosenBy[decisive] !== undefined);
  const mean = (setting: SweepRow) => setting.chosenBy[decisive]?.mean ?? 0;
  const [best] = [...scored].sort((a, b) => mean(b) - mean(a) || compareSimplicity(a, b));
  if (best === undefined) return undefined;
  const half = (setting: SweepRow) => setting.rows.filter(chooses);
  const near = scored.filter((setting) => isNear(half(setting), half(best), decisive, options));
  // Of what is equally simple, a weight beside another, the better one.
  const order = (a: SweepRow, b: SweepRow) => compareSimplicity(a, b) || mean(b) - mean(a);
  return { best, taken: [best, ...near].sort(order)[0] ?? best };
}

/** Simpler first: no model before structural before LLM contexts, one list before two, nothing reranked before something, fewer tokens indexed, fewer candidates. */
export function compareSimplicity(a: SweepRow, b: SweepRow): number {
  const [left, right] = [effort(a), effort(b)];
  return left.map((value, index) => value - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function effort({ index, search, facts }: SweepRow): readonly number[] {
  return [
    ["none", "structural", "llm"].indexOf(index.context ?? "structural"),
    ["text", "vector", "hybrid"].indexOf(search.mode ?? "hybrid"),
    rerankDepth(search),
    facts.tokens,
    search.candidates ?? 150,
  ];
}

/** Summaries of both halves of a setting's rows. */
export function halves(
  rows: readonly QuestionRow[],
  chooses: (row: QuestionRow) => boolean,
  metrics: readonly string[],
  options?: BootstrapOptions,
): Pick<SweepRow, "summary" | "chosenBy" | "confirmedBy" | "latency"> {
  return {
    summary: summarise(rows, metrics, options),
    chosenBy: summarise(rows.filter(chooses), metrics, options),
    confirmedBy: summarise(
      rows.filter((row) => !chooses(row)),
      metrics,
      options,
    ),
    latency: latency(rows),
  };
}
