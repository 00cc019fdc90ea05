import type { BootstrapOptions, Interval } from "../bootstrap.ts";
import type { QuestionRow } from "../rows.ts";
import { certain, differences, type Summary } from "../summary.ts";

/** What the numbers say to do, and why. */
export interface Advice {
  /** The step to take; undefined when nothing was measured. */
  readonly take: string | undefined;
  readonly reasons: readonly string[];
  /** Steps whose gain over the step before is not certain. */
  readonly uncertain: readonly string[];
}

interface Step {
  readonly name: string;
  readonly summary: Summary;
  readonly change: Readonly<Record<string, Interval>>;
  readonly rows: readonly QuestionRow[];
}

/** Under this many questions intervals are too narrow to be trusted. */
const fewQuestions = 30;

/**
 * Takes the earliest step that no other step beats for certain: later steps cost time, money or upkeep, so each has to
 * prove itself on the user's questions. `decisive` is a metric of which more is better.
 */
export function advise(steps: readonly Step[], decisive: string, options?: BootstrapOptions): Advice {
  const scored = steps.filter((step) => step.summary[decisive] !== undefined);
  const [best] = [...scored].sort((a, b) => meanOf(b, decisive) - meanOf(a, decisive));
  if (best === undefined)
    return { take: undefined, reasons: [`No question is scored by ${decisive}.`], uncertain: [] };
  const lag = (step: Step) => differences(step.rows, best.rows, [decisive], options)[decisive];
  const take = scored.find((step) => step === best || certain(lag(step) ?? nothing) !== "up") ?? best;
  return {
    take: take.name,
    reasons: [
      ...explain(take, best, lag(take), decisive),
      ...beaten(scored, take, best, lag),
      ...caution(best.summary[decisive]?.n ?? 0),
    ],
    uncertain: scored
      .slice(1)
      .filter((step) => certain(step.change[decisive] ?? nothing) !== "up")
      .map(nameOf),
  };
}

const nothing: Interval = { mean: 0, low: 0, high: 0, error: 0, n: 0 };

function nameOf(step: Step): string {
  return step.name;
}

function meanOf(step: Step, metric: string): number {
  return step.summary[metric]?.mean ?? Number.NEGATIVE_INFINITY;
}

function explain(take: Step, best: Step, gap: Interval | undefined, decisive: string): readonly string[] {
  const reached = `"${take.name}" reaches ${decisive} ${percent(meanOf(take, decisive))}`;
  if (take === best || gap === undefined)
    return [`${reached}, the best of all steps; every earlier step is certainly worse.`];
  return [
    `${reached}. "${best.name}" has ${percent(meanOf(best, decisive))}, ${points(gap)} more, which these ${gap.n} questions cannot tell from chance.`,
  ];
}

function beaten(
  steps: readonly Step[],
  take: Step,
  best: Step,
  lag: (step: Step) => Interval | undefined,
): readonly string[] {
  const before = steps.slice(0, steps.indexOf(take)).at(-1);
  const gap = before === undefined ? undefined : lag(before);
  if (before === undefined || gap === undefined) return [];
  return [`Stopping at "${before.name}" would be ${points(gap)} below "${best.name}".`];
}

function caution(questions: number): readonly string[] {
  if (questions >= fewQuestions) return [];
  return [
    `${questions} questions are too few to rely on; add more (${fewQuestions} at least, 100 for small gains).`,
  ];
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}

/** "1.2 points (0.4 to 2.1)". */
export function points({ mean, low, high }: Interval): string {
  const [middle, from, to] = [mean, low, high].map((value) => (100 * value).toFixed(1).replace("-", "−"));
  return `${middle} points (${from} to ${to})`;
}
