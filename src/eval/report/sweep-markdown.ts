import { caution } from "../ladder/advise.ts";
import type { DepthRow } from "../sweep/depth.ts";
import { rerankTradeOff } from "../sweep/rerank-depth.ts";
import type { SweepRow } from "../sweep/rows.ts";
import type { Sweep } from "../sweep/sweep.ts";
import {
  dollars,
  milliseconds,
  percent,
  questionsAsked,
  signed,
  unread,
  unscoredOf,
  withInterval,
} from "./figures.ts";
import { sweepConfig } from "./sweep-config.ts";
import { type Table, tables } from "./table.ts";

/** A sweep as Markdown that is also readable on a terminal: settings best first, the choice, and how deep to read. A table wider than `columns` is parted; default: never. */
export function sweepMarkdown(sweep: Sweep, columns?: number): string {
  const settings = settingsTable(sweep);
  const depth = depthTable(sweep);
  const reranking = rerankTable(sweep);
  const asked = sweep.settings[0]?.rows ?? [];
  return [
    tables(settings.header, settings.rows, columns),
    "",
    `${questionsAsked(asked.length, unscoredOf(asked))}.${unread(sweep)}`,
    "",
    sweepChoice(sweep),
    ...(reranking.rows.length === 0
      ? []
      : ["", `${RERANKING}:`, "", tables(reranking.header, reranking.rows, columns)]),
    ...(depth.rows.length === 0
      ? []
      : ["", sweepDepth(sweep), "", tables(depth.header, depth.rows, columns)]),
  ].join("\n");
}

/** Settings, best first, with the half that chooses and the half held back. */
export function settingsTable({ settings, decisive, best, taken }: Sweep): Table {
  const mean = (row: SweepRow) => row.chosenBy[decisive]?.mean ?? -1;
  const header = [
    "setting",
    decisive,
    "held back",
    "recall@20",
    "mrr@10",
    "token-efficiency@5",
    "ms p50 / p95",
    "index cost",
    "1,000 queries",
    "chunks",
    "tokens",
  ];
  const rows = [...settings]
    .sort((a, b) => mean(b) - mean(a))
    .map((row) => [
      `${row.name}${row === taken ? " ← taken" : row === best ? " ← best" : ""}`,
      withInterval(row.chosenBy[decisive]),
      withInterval(row.confirmedBy[decisive]),
      percent(row.chosenBy["recall@20"]?.mean),
      percent(row.chosenBy["mrr@10"]?.mean),
      percent(row.chosenBy["token-efficiency@5"]?.mean),
      `${milliseconds(row.latency.p50)} / ${milliseconds(row.latency.p95)}`,
      dollars(row.cost.index),
      dollars(row.cost.thousandQueries),
      `${row.facts.chunks}${row.facts.incomplete > 0 ? ` (${row.facts.incomplete} incomplete)` : ""}`,
      String(row.facts.tokens),
    ]);
  return { header, rows };
}

/** Which setting to take and why, with both figures; Markdown. */
export function sweepChoice(sweep: Sweep): string {
  const { best, taken, decisive, confirmed } = sweep;
  if (best === undefined || taken === undefined) return `No question is scored by ${decisive}.`;
  const why =
    taken === best
      ? `It has the best ${decisive} on the half of the questions that chooses, and nothing simpler is within one standard error.`
      : `It is the simplest within one standard error of the best, "${best.name}", on the half of the questions that chooses; on the half held back the best is ${signed(confirmed)} points ahead.`;
  const both = `${decisive}: ${withInterval(taken.chosenBy[decisive])} where it was chosen, ${withInterval(taken.confirmedBy[decisive])} on the half held back.`;
  const few = caution(taken.chosenBy[decisive]?.n ?? 0, "that choose");
  const config = sweepConfig(sweep);
  const written = config === undefined ? [] : [`In the configuration file: ${config}`];
  return [`**Take "${taken.name}".** ${why} ${both}`, ...few, ...written].join(" ");
}

export const RERANKING = "What reranking deeper brings and takes, all else as in the setting to take";

/** Depth of reranking against time and cost; without rows where it was not varied. */
export function rerankTable({ settings, taken, decisive }: Sweep): Table {
  const rows = rerankTradeOff(settings, taken, decisive).map(({ depth, row, gain }) => [
    String(depth),
    withInterval(row.summary[decisive]),
    signed(gain),
    `${milliseconds(row.latency.p50)} / ${milliseconds(row.latency.p95)}`,
    dollars(row.cost.thousandQueries),
  ]);
  return { header: ["rerank depth", decisive, "gain, points", "ms p50 / p95", "1,000 queries"], rows };
}

/** How deep to read; Markdown. Empty when nothing was scored. */
export function sweepDepth({ depth }: Sweep): string {
  if (depth === undefined) return "";
  const { k, curve, answered } = depth;
  if (answered !== undefined)
    return `**Read ${k} ${k === 1 ? "hit" : "hits"}**: the fewest from which ${answered.model} answers as correctly as from any number, as far as these questions can show.`;
  if (k === curve.length)
    return `Recall still rises at ${k} hits: how many to read is a question of what their tokens may cost.`;
  return `**Read ${k} ${k === 1 ? "hit" : "hits"}**: more cost tokens and find nothing more that these questions could show.`;
}

export function depthTable({ depth }: Sweep): Table {
  const rows = (depth?.curve ?? []).filter(
    ({ k }) => k === depth?.k || shownDepths.includes(k) || k === depth?.curve.length,
  );
  const { answered } = depth ?? {};
  const correct = (k: number) => withInterval(answered?.depths.find((each) => each.k === k)?.correct);
  return {
    header: ["k", "recall", "token efficiency", "tokens", ...(answered ? ["correct answers"] : [])],
    rows: rows.map((row) => [...depthCells(row), ...(answered ? [correct(row.k)] : [])]),
  };
}

const shownDepths: readonly number[] = [1, 3, 5, 10, 20];

function depthCells(row: DepthRow): readonly string[] {
  return [String(row.k), percent(row.recall), percent(row.tokenEfficiency), row.tokens.toFixed(0)];
}
