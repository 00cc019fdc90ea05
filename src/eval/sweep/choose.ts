import type { BootstrapOptions, Interval } from "../bootstrap.ts";
import { recall } from "../metrics/recall.ts";
import { tokenEfficiency } from "../metrics/token-efficiency.ts";
import type { IndexFacts, QuestionRow } from "../rows.ts";
import { differences, type Latency, latency, type Summary, summarise } from "../summary.ts";
import type { SweepSetting } from "./settings.ts";

/** A setting as it did on the half of the questions that chooses, and on the half that confirms. */
export interface SweepRow extends SweepSetting {
  readonly chosenBy: Summary;
  readonly confirmedBy: Summary;
  readonly latency: Latency;
  readonly facts: IndexFacts;
  readonly rows: readonly QuestionRow[];
}

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
  const near = scored.filter((setting) => {
    const gap = differences(half(setting), half(best), [decisive], options)[decisive];
    return gap !== undefined && gap.mean <= gap.error;
  });
  return { best, taken: [...near, best].sort(compareSimplicity)[0] ?? best };
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

/** 0: nothing is reranked. Without a depth it is that of the engine, which is above those one would name to save time. */
function rerankDepth({ rerank = false }: SweepSetting["search"]): number {
  if (rerank === false) return 0;
  return typeof rerank === "object" && "depth" in rerank ? (rerank.depth ?? 50) : 50;
}

/** What the first k hits of a setting bring and cost. */
export interface DepthRow {
  readonly k: number;
  readonly recall: number;
  readonly tokenEfficiency: number;
  /** Mean tokens of the first k hits. */
  readonly tokens: number;
}

/**
 * Recall only grows with k, so it cannot choose it. Taken is the smallest k whose recall is within one standard error
 * of the deepest: the fewest tokens that lose nothing that these questions could show.
 */
export function chooseDepth(
  rows: readonly QuestionRow[],
  depth: number,
  options?: BootstrapOptions,
): { readonly k: number; readonly curve: readonly DepthRow[] } {
  const scored = rows.filter((row) => row.places.length > 0);
  const curve = Array.from({ length: depth }, (_, index) => depthRow(scored, index + 1));
  const at = (k: number) =>
    scored.map((row) => ({ ...row, values: { recall: recall(judgedOf(row), k) ?? 0 } }));
  const deepest = at(depth);
  const enough = (gap: Interval | undefined) => gap === undefined || gap.mean <= gap.error;
  const found = curve.find(({ k }) => enough(differences(at(k), deepest, ["recall"], options).recall));
  return { k: found?.k ?? depth, curve };
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

/** Summaries of both halves of a setting's rows. */
export function halves(
  rows: readonly QuestionRow[],
  chooses: (row: QuestionRow) => boolean,
  metrics: readonly string[],
  options?: BootstrapOptions,
): Pick<SweepRow, "chosenBy" | "confirmedBy" | "latency"> {
  return {
    chosenBy: summarise(rows.filter(chooses), metrics, options),
    confirmedBy: summarise(
      rows.filter((row) => !chooses(row)),
      metrics,
      options,
    ),
    latency: latency(rows),
  };
}
