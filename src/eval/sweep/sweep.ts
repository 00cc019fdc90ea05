import type { IndexOptions, SearchOptions } from "../../spec/index.ts";
import type { AnswersOptions } from "../answers/run-answers.ts";
import type { BootstrapOptions, Interval } from "../bootstrap.ts";
import { buildIndex, type Open, type Workbench, workbench } from "../build.ts";
import type { Price } from "../price.ts";
import { shuffled } from "../random.ts";
import type { IndexFacts, QuestionRow } from "../rows.ts";
import { runQuestions } from "../run.ts";
import { refuseSimulated } from "../simulated.ts";
import { differences } from "../summary.ts";
import type { EvaluationSet } from "../types.ts";
import { halves, simplestGood } from "./choose.ts";
import { type ChosenDepth, chooseDepth, chooseDepthByAnswers } from "./depth.ts";
import type { SweepRow } from "./rows.ts";
import { type SweepGrid, type SweepSetting, sweepGroups } from "./settings.ts";

export interface SweepOptions {
  readonly open: Open;
  readonly set: EvaluationSet;
  readonly grid: SweepGrid;
  /** Settings that all have in common. */
  readonly base?: { readonly index?: IndexOptions; readonly search?: SearchOptions };
  /** Where indexes are made; kept with the paid contexts and vectors. Default: a temporary folder. */
  readonly folder?: string;
  /**
   * What settings are compared by. Default "recall-tokens@4000", since recall@k favours large chunks; its hits are
   * fetched `depth` deep.
   */
  readonly decisive?: string;
  /** Prices of an index with these settings and its queries. Without it cost is not shown. */
  readonly price?: (index: IndexOptions) => Price;
  /** Hits fetched. Default 50. */
  readonly depth?: number;
  /**
   * With a model in `ask.model`, how deep to read is chosen by how many of its answers are correct. Default: by how many
   * tokens are read for what is found.
   */
  readonly answers?: AnswersOptions;
  /** Which questions choose and which confirm is drawn with it. Default 1. */
  readonly seed?: number;
  /** Contexts of the simulated provider are let through; for tests. Default false. */
  readonly allowSimulated?: boolean;
  readonly bootstrap?: BootstrapOptions;
  readonly signal?: AbortSignal;
  readonly onSetting?: (row: SweepRow) => void;
}

export interface Sweep {
  readonly set: string;
  /** Files that cannot be read. */
  readonly leftOut?: readonly string[];
  readonly decisive: string;
  readonly settings: readonly SweepRow[];
  /** Best figure on the choosing half. */
  readonly best: SweepRow | undefined;
  /** The simplest setting within one standard error of it. */
  readonly taken: SweepRow | undefined;
  /** `best` − `taken` on the half that did not choose. */
  readonly confirmed: Interval | undefined;
  /** For the taken setting: how deep to go, and the curve it is read from. */
  readonly depth: ChosenDepth | undefined;
}

const columns: readonly string[] = ["recall@5", "recall@10", "recall@20", "mrr@10", "token-efficiency@5"];

/**
 * Tries every combination of the grid. Each index is made once and searched under all its settings; contexts and
 * vectors that cost money are kept on the workbench. Half of the questions choose, the other half confirms.
 */
export async function runSweep(options: SweepOptions): Promise<Sweep> {
  const { set, decisive = "recall-tokens@4000", depth = 50, bootstrap } = options;
  const metrics = [...new Set([decisive, ...columns])];
  const chooses = chosenHalf(set, options.seed ?? 1);
  await using bench = await workbench(options.open, options.folder);
  const settings: SweepRow[] = [];
  for (const group of sweepGroups(options.grid, options.base)) {
    await using built = await buildIndex(bench, set, group.index);
    refuseSimulated(built.facts.simulated, options.allowSimulated);
    for (const setting of group.settings) {
      const run = {
        search: setting.search,
        metrics,
        depth,
        ...(options.signal && { signal: options.signal }),
      };
      const rows = await runQuestions(built.konteks, set.questions, run);
      const row = {
        ...setting,
        ...halves(rows, chooses, metrics, bootstrap),
        facts: built.facts,
        cost: costOf(options, setting, built.facts, rows),
        rows,
      };
      settings.push(row);
      options.onSetting?.(row);
    }
  }
  const choice = simplestGood(settings, decisive, chooses, bootstrap);
  const held = (row: SweepRow) => row.rows.filter((each) => !chooses(each));
  return {
    set: set.name,
    ...(set.leftOut && { leftOut: set.leftOut.map(({ id }) => id) }),
    decisive,
    settings,
    best: choice?.best,
    taken: choice?.taken,
    confirmed: choice && differences(held(choice.taken), held(choice.best), [decisive], bootstrap)[decisive],
    depth: choice && (await depthOf(options, bench, choice.taken, depth)),
  };
}

async function depthOf(
  { set, answers, bootstrap, signal }: SweepOptions,
  bench: Workbench,
  taken: SweepRow,
  depth: number,
): Promise<ChosenDepth> {
  const byTokens = chooseDepth(taken.rows, depth, { resamples: 1000, ...bootstrap });
  if (answers?.ask?.model === undefined) return byTokens;
  await using built = await buildIndex(bench, set, taken.index);
  const options = { ...answers, ...(signal && { signal }) };
  const { k, ...answered } = await chooseDepthByAnswers(built.konteks, set, taken.search, options);
  return { ...byTokens, k: k ?? byTokens.k, answered };
}

function costOf(
  { price }: SweepOptions,
  { index, search }: SweepSetting,
  facts: IndexFacts,
  rows: readonly QuestionRow[],
): SweepRow["cost"] {
  const prices = price?.(index);
  return { index: prices?.index(facts), thousandQueries: prices?.thousandQueries(rows, search, facts) };
}

function chosenHalf({ questions }: EvaluationSet, seed: number): (row: QuestionRow) => boolean {
  const drawn = shuffled(questions, seed).slice(0, Math.ceil(questions.length / 2));
  const ids = new Set(drawn.map((question) => question.id));
  return (row) => ids.has(row.id);
}
