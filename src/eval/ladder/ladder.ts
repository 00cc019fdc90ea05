import { isDeepStrictEqual } from "node:util";
import { type AnswersOptions, type AnswersResult, runAnswers } from "../answers/run-answers.ts";
import type { BootstrapOptions } from "../bootstrap.ts";
import { type BuiltIndex, buildIndex, type Open, workbench } from "../build.ts";
import { metric } from "../metrics/metrics.ts";
import type { Price } from "../price.ts";
import type { IndexFacts, QuestionRow } from "../rows.ts";
import { runQuestions } from "../run.ts";
import { refuseSimulated } from "../simulated.ts";
import { type Difference, differences, type Latency, latency, type Summary, summarise } from "../summary.ts";
import type { EvaluationSet } from "../types.ts";
import { type Advice, advise } from "./advise.ts";
import { missedReasons } from "./missed.ts";
import { defaultSteps, type LadderInput, type LadderStep, type StepPlan } from "./steps.ts";

export interface LadderOptions extends LadderInput {
  readonly open: Open;
  /** Where indexes are made; kept with the paid contexts and vectors. Default: a temporary folder. */
  readonly folder?: string;
  /** Default: `defaultSteps`. */
  readonly steps?: readonly LadderStep[];
  /** Columns of the table. Default: `ladderMetrics`. */
  readonly metrics?: readonly string[];
  /** What the steps are compared by. Default "recall@20". */
  readonly decisive?: string;
  /**
   * Also asks every question of the step to take (of the last one when none is), and judges the answers. Its searches go
   * before those of `ask`. Default: nothing is answered.
   */
  readonly answers?: AnswersOptions;
  /** What an index cost, and a query, in US dollars. Without it cost is not shown. */
  readonly price?: Price;
  /** Contexts of the simulated provider are let through and marked; for tests. Default false. */
  readonly allowSimulated?: boolean;
  readonly bootstrap?: BootstrapOptions;
  readonly signal?: AbortSignal;
  readonly onStep?: (row: LadderRow | SkippedStep) => void;
}

export const ladderMetrics: readonly string[] = [
  "recall@5",
  "recall@10",
  "recall@20",
  "failure@20",
  "mrr@10",
  "ndcg@10",
  "token-efficiency@5",
];

/** One step as it was measured. */
export interface LadderRow {
  readonly name: string;
  readonly adds: string;
  /** The step after it does not build on it. */
  readonly aside: boolean;
  readonly plan: Omit<StepPlan, "documents">;
  readonly summary: Summary;
  /** Against the step before, by metric; none for the first. */
  readonly change: Readonly<Record<string, Difference>>;
  /** Share by which failure@20 fell since the first step; below 0 when it rose. Undefined for the first. */
  readonly failureReduction: number | undefined;
  readonly latency: Latency;
  readonly index: IndexFacts;
  /** US dollars; undefined when prices are not known. */
  readonly cost: { readonly index: number | undefined; readonly thousandQueries: number | undefined };
  readonly rows: readonly QuestionRow[];
  /** Of the last step: why passages were not found, by question id, for the first of them. */
  readonly missed?: Readonly<Record<string, string>>;
}

export interface SkippedStep {
  readonly name: string;
  readonly adds: string;
  readonly skipped: string;
}

export interface Ladder {
  readonly set: string;
  readonly questions: number;
  /** Those without a gold passage, which the figures leave out. */
  readonly unscored: number;
  /** Files that cannot be read. */
  readonly leftOut?: readonly string[];
  readonly decisive: string;
  readonly metrics: readonly string[];
  readonly steps: readonly LadderRow[];
  readonly skipped: readonly SkippedStep[];
  readonly advice: Advice;
  /** What was answered over the step of this name. */
  readonly answers?: AnswersResult & { readonly step: string };
}

/**
 * Runs the same questions over each step of contextual retrieval and says what each one brings.
 * Refuses an empty index, documents that failed, and gold that does not fit (see `buildIndex`).
 */
export async function runLadder(options: LadderOptions): Promise<Ladder> {
  const { set, metrics = ladderMetrics, decisive = "recall@20" } = options;
  await using bench = await workbench(options.open, options.folder);
  await using indexes = oneIndex((plan) => buildIndex(bench, withDocuments(options, plan), plan.index));
  const steps: LadderRow[] = [];
  const skipped: SkippedStep[] = [];
  const plans = new Map<string, StepPlan>();
  let before: StepPlan | undefined;
  for (const step of options.steps ?? defaultSteps) {
    const plan = step.plan(options, before);
    if ("skipped" in plan) {
      skipped.push({ name: step.name, adds: step.adds, skipped: plan.skipped });
    } else {
      const built = await indexes.of(plan);
      refuseSimulated(built.facts.simulated, options.allowSimulated);
      const rows = await runQuestions(built.konteks, set.questions, {
        search: plan.search,
        metrics: [...new Set([...metrics, decisive, "failure@20", "recall@20", "ndcg@10"])],
        depth: Math.max(20, ...metrics.map(depthOf)),
        ...(options.signal && { signal: options.signal }),
      });
      steps.push(measure(step, plan, rows, built.facts, steps, options));
      plans.set(step.name, plan);
      if (step.aside !== true) before = plan;
    }
    const latest = "skipped" in plan ? skipped.at(-1) : steps.at(-1);
    if (latest !== undefined) options.onStep?.(latest);
  }
  const explained = await withReasons(steps, set, indexes, plans);
  const advice = advise(explained, decisive, options.bootstrap);
  const answers = await answersOf(options, indexes, plans, advice);
  return {
    set: set.name,
    questions: set.questions.length,
    unscored: set.questions.filter(({ gold }) => gold.length === 0).length,
    ...(set.leftOut && { leftOut: set.leftOut.map(({ id }) => id) }),
    decisive,
    metrics,
    steps: explained,
    skipped,
    advice,
    ...(answers && { answers }),
  };
}

/** The last step with the reasons for what it misses. */
async function withReasons(
  steps: readonly LadderRow[],
  { questions }: EvaluationSet,
  indexes: Indexes,
  plans: ReadonlyMap<string, StepPlan>,
): Promise<readonly LadderRow[]> {
  const last = steps.at(-1);
  const plan = last && plans.get(last.name);
  if (last === undefined || plan === undefined) return steps;
  const { konteks } = await indexes.of(plan);
  const missed = await missedReasons(konteks, questions, last.rows, plan.search);
  return [...steps.slice(0, -1), { ...last, missed }];
}

/** Answers over the step to take, whose index is made again when another one is open. */
async function answersOf(
  { answers, set, signal }: LadderOptions,
  indexes: Indexes,
  plans: ReadonlyMap<string, StepPlan>,
  { take }: Advice,
): Promise<Ladder["answers"]> {
  const step = take ?? [...plans.keys()].at(-1);
  const plan = step === undefined ? undefined : plans.get(step);
  if (answers === undefined || step === undefined || plan === undefined) return undefined;
  const { konteks } = await indexes.of(plan);
  const ask = { ...answers.ask, ...plan.search };
  const asked = { name: set.name, questions: set.questions };
  return { ...(await runAnswers(konteks, asked, { ...answers, ask, ...(signal && { signal }) })), step };
}

type Indexes = Pick<ReturnType<typeof oneIndex>, "of">;

/** Steps that only search otherwise share an index; at any time one is open. */
function oneIndex(build: (plan: StepPlan) => Promise<BuiltIndex>) {
  let open: { readonly plan: StepPlan; readonly built: BuiltIndex } | undefined;
  const close = async () => {
    const { built } = open ?? {};
    open = undefined;
    await built?.[Symbol.asyncDispose]();
  };
  return {
    async of(plan: StepPlan): Promise<BuiltIndex> {
      if (open && open.plan.documents === plan.documents && isDeepStrictEqual(open.plan.index, plan.index))
        return open.built;
      await close();
      open = { plan, built: await build(plan) };
      return open.built;
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Given chunks replace what a step would cut; without them the set's own documents or sources are taken. */
function withDocuments({ set }: LadderInput, { documents }: StepPlan) {
  if (documents === undefined) return set;
  const { sources: _, ...rest } = set;
  return { ...rest, documents };
}

function depthOf(name: string): number {
  metric(name);
  return /@(\d+)$/.test(name) && !name.startsWith("recall-tokens") ? Number(name.split("@")[1]) : 1;
}

function measure(
  step: LadderStep,
  plan: StepPlan,
  rows: readonly QuestionRow[],
  index: IndexFacts,
  earlier: readonly LadderRow[],
  options: LadderOptions,
): LadderRow {
  const { metrics = ladderMetrics, decisive = "recall@20", bootstrap, price } = options;
  const measured = [...new Set([...metrics, decisive, "failure@20"])];
  const summary = summarise(rows, measured, bootstrap);
  const previous = earlier.findLast(({ aside }) => !aside);
  return {
    name: step.name,
    adds: step.adds,
    aside: step.aside ?? false,
    plan: { index: plan.index, search: plan.search },
    summary,
    change: previous === undefined ? {} : differences(previous.rows, rows, measured, bootstrap),
    failureReduction: reduction(earlier[0]?.summary["failure@20"]?.mean, summary["failure@20"]?.mean),
    latency: latency(rows),
    index,
    cost: { index: price?.index(index), thousandQueries: price?.thousandQueries(rows, plan.search, index) },
    rows,
  };
}

function reduction(first: number | undefined, now: number | undefined): number | undefined {
  if (first === undefined || now === undefined) return undefined;
  return first === 0 ? (now === 0 ? 0 : undefined) : (first - now) / first;
}
