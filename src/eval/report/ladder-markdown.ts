import type { Ladder, LadderRow } from "../ladder/ladder.ts";
import { answersMarkdown } from "./answers-markdown.ts";
import { dollars, milliseconds, percent, questionsAsked, signed, unread, withInterval } from "./figures.ts";
import { type Table, tables } from "./table.ts";

/**
 * The ladder as Markdown that is also readable on a terminal, with the steps left out, what was answered, and last the
 * advice, where the eye is when it has run through. A table wider than `columns` is parted. Default: never.
 */
export function ladderMarkdown(ladder: Ladder, columns?: number): string {
  const { steps, skipped, advice, answers } = ladder;
  const left = skipped.map((step) => `- "${step.name}" is left out: ${step.skipped}.`);
  const take = advice.take === undefined ? [] : [`**Take "${advice.take}".**`];
  return [
    ladderTable(ladder, columns),
    "",
    ...(steps.length > 1 ? [`${CHANGES}:`, "", changesTable(ladder, columns), ""] : []),
    `${questionsAsked(ladder.questions, ladder.unscored)}.${unread(ladder)}`,
    "",
    ...(steps.some(({ aside }) => aside) ? [ASIDE, ""] : []),
    ...left,
    ...(left.length > 0 ? [""] : []),
    ...(answers === undefined
      ? []
      : [
          `Answers over "${answers.step}": ${answersOver(ladder)}`,
          "",
          answersMarkdown(answers, columns),
          "",
        ]),
    [...take, ...advice.reasons].join(" "),
    ...(advice.uncertain.length > 0 ? ["", uncertainLine(advice.uncertain, steps.length)] : []),
  ].join("\n");
}

function ladderTable(ladder: Ladder, columns: number | undefined): string {
  return tables(
    ladderHeader(ladder),
    ladder.steps.map((step) => ladderCells(step, ladder)),
    columns,
  );
}

/** What the answers beside a ladder are, in words. */
export function answersOver({ advice }: Pick<Ladder, "advice">): string {
  const step = advice.take === undefined ? "the last one, since no step is named" : "the one to take";
  return `after the steps, every question was also asked as \`konteks ask\` asks, with the search of this step (${step}).`;
}

export const ASIDE =
  'A step "(aside)" is tried beside the ladder: the steps after it do not build on it, and are compared with the one before it.';

export const CHANGES = "Change of each metric against the step before, in points with 95 % intervals";

function changesTable(ladder: Ladder, columns: number | undefined): string {
  const { header, rows } = ladderChanges(ladder);
  return tables(header, rows, columns);
}

/** Paired differences of every metric, but for the first step, which has none before it. */
export function ladderChanges({ steps, metrics }: Ladder): Table {
  const shown = metrics.filter(isColumn);
  const rows = steps
    .slice(1)
    .map((step) => [stepName(step), ...shown.map((metric) => signed(step.change[metric]))]);
  return { header: ["step", ...shown], rows };
}

/** Columns of the ladder's table, in every format. */
export function ladderHeader({ metrics, decisive }: Ladder): readonly string[] {
  return [
    "step",
    ...metrics.filter(isColumn),
    "1 − recall@20",
    "fewer failures",
    `change of ${decisive}`,
    "helped / hurt",
    "ms p50 / p95",
    "index s",
    "index cost",
    "1,000 queries",
  ];
}

export function ladderCells(step: LadderRow, { metrics, decisive }: Ladder): readonly string[] {
  const change = step.change[decisive];
  return [
    stepName(step),
    ...metrics.filter(isColumn).map((name) => withInterval(step.summary[name])),
    percent(step.summary["failure@20"]?.mean),
    step.failureReduction === undefined ? "" : `${percent(step.failureReduction)} %`,
    signed(change),
    change === undefined ? "" : `${percent(change.up / change.n)} / ${percent(change.down / change.n)} %`,
    `${milliseconds(step.latency.p50)} / ${milliseconds(step.latency.p95)}`,
    (step.index.ms / 1000).toFixed(1),
    dollars(step.cost.index),
    dollars(step.cost.thousandQueries),
  ];
}

/** With what sets it apart from an ordinary rung. */
function stepName({ name, aside, index }: LadderRow): string {
  const marks = [
    ...(aside ? ["aside"] : []),
    ...(index.simulated > 0 ? ["simulated"] : []),
    ...(index.incomplete > 0 ? [`${index.incomplete} chunks incomplete`] : []),
  ];
  return marks.length === 0 ? name : `${name} (${marks.join(", ")})`;
}

/** The failure rate has a column of its own. */
function isColumn(metric: string): boolean {
  return metric !== "failure@20";
}

function uncertainLine(uncertain: readonly string[], steps: number): string {
  const names = uncertain.map((name) => `"${name}"`).join(", ");
  return `Not certainly better than the step before (${uncertain.length} of ${steps - 1}): ${names}.`;
}
