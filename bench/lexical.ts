import { withInterval } from "../src/eval/report/figures.ts";
import { table } from "../src/eval/report/table.ts";
import { summarise } from "../src/eval/summary.ts";
import type { LexicalResult, LexicalTask } from "./lexical-worker.ts";
import { runInWorkers } from "./pool.ts";
import { setNames } from "./sets.ts";

export interface LexicalBenchOptions {
  /** Comma-separated; undefined: all. */
  readonly sets: string | undefined;
  readonly quick: boolean;
  /** Characters of a chunk; 0: the default chunks. */
  readonly size: number;
}

const METRICS = [
  ...[1, 5, 10, 20].map((k) => `hit@${k}`),
  ...[5, 10, 20, 100].map((k) => `recall@${k}`),
  "mrr@20",
  "ndcg@10",
];
const HEADER = ["set", "step", "n", "chunks", ...METRICS];
/** Enough for one digit after the point. */
const bootstrap = { resamples: 2000 };

/**
 * BM25 step by step, without any vector: the chunk alone; title and headings beside it; the structural context (or,
 * with published chunks, the model's) and the title; and the score of the whole document. Headings have a field of
 * their own in the second step only.
 */
export async function lexicalBench(options: LexicalBenchOptions): Promise<void> {
  const tasks = tasksOf(options);
  const results = await runInWorkers<LexicalTask, readonly LexicalResult[]>(
    new URL("./lexical-worker.ts", import.meta.url),
    tasks,
    // Each set as it is done: a run over all takes long on a busy machine.
    (steps, task) =>
      console.error(
        `${table(
          HEADER,
          steps.map((step) => cells(task, step)),
        )}\n`,
      ),
  );
  const rows = results.flatMap((steps, i) => {
    const task = tasks[i];
    return task === undefined ? [] : steps.map((step) => cells(task, step));
  });
  console.log(table(HEADER, rows));
  console.log(`\n${means(results)}`);
}

function tasksOf({ sets, quick, size }: LexicalBenchOptions): readonly LexicalTask[] {
  const common = {
    chunk: size === 0 ? {} : ({ unit: "characters", size, overlap: 0 } as const),
    metrics: METRICS,
    questions: quick ? 200 : undefined,
  };
  const names = setNames(sets);
  const published = names.includes("codebases") ? [{ set: "codebases", published: true, ...common }] : [];
  return [...names.map((set) => ({ set, published: false, ...common })), ...published];
}

function titleOf({ set, published }: LexicalTask): string {
  return published ? `${set}, published chunks` : set;
}

function cells(task: LexicalTask, { step, chunks, rows }: LexicalResult): readonly string[] {
  const summary = summarise(rows, METRICS, bootstrap);
  return [
    titleOf(task),
    step,
    String(rows.length),
    String(chunks),
    ...METRICS.map((name) => withInterval(summary[name])),
  ];
}

/** What each step is worth on average, every set counted once. */
function means(results: readonly (readonly LexicalResult[])[]): string {
  const steps = [...new Set(results.flatMap((each) => each.map(({ step }) => step)))];
  const shared = steps.filter((step) => results.every((each) => each.some((one) => one.step === step)));
  const chosen = ["hit@5", "recall@10", "mrr@20"];
  const rows = shared.map((step) => {
    const summaries = results.map((each) =>
      summarise(each.find((one) => one.step === step)?.rows ?? [], chosen, { resamples: 1 }),
    );
    const mean = (name: string) =>
      summaries.reduce((sum, summary) => sum + (summary[name]?.mean ?? 0), 0) / summaries.length;
    return [step, ...chosen.map((name) => (100 * mean(name)).toFixed(1))];
  });
  return table(["mean of all sets", ...chosen], rows);
}
