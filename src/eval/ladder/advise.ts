import type { BootstrapOptions, Interval } from "../bootstrap.ts";
import { counted } from "../counted.ts";
import type { QuestionRow } from "../rows.ts";
import { certain, differences, type Summary } from "../summary.ts";
import { isNothing, tenths } from "../tenths.ts";

/** What the numbers say to do, and why. */
export interface Advice {
  /** The step to take; undefined when nothing was measured, or by too few questions. */
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

/** Under this many no step is named: "basic" would win for want of evidence, and be taken for a finding. */
const fewestToChoose = 10;

/** Tells steps apart that find as much: whether they put it first. */
const order = "ndcg@10";

/**
 * Takes the earliest step that no other step beats for certain: later steps cost time, money or upkeep, so each has to
 * prove itself on the user's questions. A step is beaten by one with a certainly better figure, or with a certainly
 * better order (nDCG@10) and a figure that is not certainly worse. `decisive` is a metric of which more is better.
 */
export function advise(steps: readonly Step[], decisive: string, options?: BootstrapOptions): Advice {
  const scored = steps.filter((step) => step.summary[decisive] !== undefined);
  const [best] = bestFirst(scored, decisive);
  if (best === undefined)
    return {
      take: undefined,
      reasons: [`No question is scored by ${decisive}, so no step is named.`],
      uncertain: [],
    };
  const questions = best.summary[decisive]?.n ?? 0;
  if (questions < fewestToChoose)
    return { take: undefined, reasons: [tooFew(questions), ...caution(questions)], uncertain: [] };
  const gap = (from: Step, to: Step, metric: string) =>
    differences(from.rows, to.rows, [metric], options)[metric];
  const gain = (from: Step, to: Step, metric: string) => certain(gap(from, to, metric) ?? nothing);
  const beats = (other: Step, step: Step) => {
    const figure = gain(step, other, decisive);
    return figure === "up" || (figure === undefined && gain(step, other, order) === "up");
  };
  const take = scored.find((step) => !scored.some((other) => other !== step && beats(other, step))) ?? best;
  return {
    take: take.name,
    reasons: [
      ...explain(take, best, gap(take, best, decisive), decisive),
      ...beaten(scored, take, (step, metric) => gap(step, take, metric), decisive),
      ...caution(questions),
    ],
    uncertain: scored
      .slice(1)
      .filter((step) => certain(step.change[decisive] ?? nothing) !== "up")
      .map(nameOf),
  };
}

function tooFew(questions: number): string {
  return `Too few questions to name a step: ${questions} ${questions === 1 ? "has" : "have"} a gold passage, and it takes ${fewestToChoose}.`;
}

function bestFirst(steps: readonly Step[], decisive: string): readonly Step[] {
  return steps.toSorted(
    (a, b) => meanOf(b, decisive) - meanOf(a, decisive) || meanOf(b, order) - meanOf(a, order),
  );
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
  if (take === best || gap === undefined) return [`${reached}, the best of all steps.`];
  if (gap.mean < 0.0005) return [`${reached}, as much as the best, "${best.name}".`];
  return [
    `${reached}. "${best.name}" has ${percent(meanOf(best, decisive))}, ${points(gap)} more, which ${gap.n === 1 ? "this question" : `these ${gap.n} questions`} cannot tell from chance.`,
  ];
}

/** What stopping at the best of the steps before the taken one would cost. */
function beaten(
  steps: readonly Step[],
  take: Step,
  behind: (step: Step, metric: string) => Interval | undefined,
  decisive: string,
): readonly string[] {
  const [before] = bestFirst(steps.slice(0, steps.indexOf(take)), decisive);
  if (before === undefined) return [];
  const figures = [decisive, order].flatMap((metric) => {
    const gap = behind(before, metric);
    return gap === undefined || certain(gap) !== "up" ? [] : [`${points(gap)} of ${metric}`];
  });
  if (figures.length === 0) return [];
  return [`Stopping at "${before.name}" would cost ${figures.join(" and ")}.`];
}

/** That so few questions prove little; nothing when they are enough. */
export function caution(questions: number, which = ""): readonly string[] {
  if (questions >= fewQuestions) return [];
  const asked = [counted(questions, "question"), which].filter(Boolean).join(" ");
  return [
    `${asked} ${questions === 1 ? "is" : "are"} too few to rely on; add more (${fewQuestions} at least, 100 for small gains).`,
  ];
}

function percent(value: number): string {
  return `${tenths(value)} %`;
}

/** "1.2 points (0.4 to 2.1)"; "≈ 0 points" when there is no difference to see. */
export function points(difference: Interval): string {
  if (isNothing(difference)) return "≈ 0 points";
  const [middle, from, to] = [difference.mean, difference.low, difference.high].map(tenths);
  return `${middle} points (${from} to ${to})`;
}
