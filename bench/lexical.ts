import { percent, signed, withInterval } from "../src/eval/report/figures.ts";
import { table } from "../src/eval/report/table.ts";
import { differences, summarise } from "../src/eval/summary.ts";
import { AIMS, type Aim, REFERENCE } from "./lexical-aims.ts";
import type { LexicalResult, LexicalTask } from "./lexical-worker.ts";
import { runInWorkers } from "./pool.ts";
import { setNames } from "./sets.ts";

export interface LexicalBenchOptions {
  /** Comma-separated; undefined: all. */
  readonly sets: string | undefined;
  readonly quick: boolean;
  /** Characters of a chunk; 0: the default chunks. Undefined: these, and 800 where a figure is stated for such chunks. */
  readonly size: number | undefined;
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

type Run = readonly [task: LexicalTask, steps: readonly LexicalResult[]];

/**
 * BM25 step by step, without any vector: the chunk alone; title and headings beside it; the structural context (or,
 * with published chunks, the model's) and the title; and the score of the whole document. Headings have a field of
 * their own in the second step only. Beside them a plain analyzer over title and chunk, and what is aimed at.
 */
export async function lexicalBench(options: LexicalBenchOptions): Promise<void> {
  const begun = performance.now();
  const tasks = tasksOf(options);
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(0);
  const results = await runInWorkers<LexicalTask, readonly LexicalResult[]>(
    new URL("./lexical-worker.ts", import.meta.url),
    tasks,
    (_, task) => console.error(`${titleOf(task)} (${seconds()} s)`),
  );
  const runs = tasks.map((task, i): Run => [task, results[i] ?? []]);
  const rows = runs.flatMap(([task, steps]) => steps.map((step) => cells(task, step)));
  const parts = [table(HEADER, rows), means(results), againstReference(runs), aims(runs)];
  console.log(parts.filter((part) => part !== "").join("\n\n"));
  console.log(`\n${seconds()} s.`);
}

/** Sets whose published figures are for chunks of about 800 characters. */
const SHORT_CHUNKS: ReadonlySet<string> = new Set(["legalbench-rag-contractnli"]);

function tasksOf({ sets, quick, size }: LexicalBenchOptions): readonly LexicalTask[] {
  const task = (set: string, characters: number, published = false): LexicalTask => ({
    set,
    published,
    chunk: characters === 0 ? {} : { unit: "characters", size: characters, overlap: 0 },
    metrics: METRICS,
    questions: quick ? 200 : undefined,
  });
  return setNames(sets).flatMap((set) => [
    task(set, size ?? 0),
    ...(size === undefined && SHORT_CHUNKS.has(set) ? [task(set, 800)] : []),
    ...(set === "codebases" ? [task(set, 0, true)] : []),
  ]);
}

function titleOf({ set, published, chunk }: LexicalTask): string {
  if (published) return `${set}, published chunks`;
  return chunk.size === undefined ? set : `${set}, ${chunk.size} characters`;
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
  const chosen = ["hit@5", "recall@10", "mrr@20", "ndcg@10"];
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

/** The last step against the plain analyzer, question by question. */
function againstReference(runs: readonly Run[]): string {
  const chosen = ["hit@5", "recall@20", "mrr@20", "ndcg@10"];
  const rows = runs.flatMap(([task, steps]) => {
    const reference = steps.find(({ step }) => step === REFERENCE);
    const last = steps.at(-1);
    if (reference === undefined || last === undefined) return [];
    const changes = differences(reference.rows, last.rows, chosen, bootstrap);
    return [[titleOf(task), ...chosen.map((name) => signed(changes[name]))]];
  });
  return table([`all steps, against the ${REFERENCE}, in points (≈: not certain)`, ...chosen], rows);
}

/** What is aimed at, beside what was measured. */
function aims(runs: readonly Run[]): string {
  const rows = runs.flatMap(([task, steps]) =>
    AIMS.filter(({ set, published = false }) => set === task.set && published === task.published).map((aim) =>
      aimCells(aim, titleOf(task), steps),
    ),
  );
  return rows.length === 0 ? "" : table(["set", "step", "figure", "measured", "aim", "reference"], rows);
}

function aimCells(aim: Aim, title: string, steps: readonly LexicalResult[]): readonly string[] {
  const rows = steps.find(({ step }) => step === aim.step)?.rows ?? [];
  const found = summarise(rows, [aim.metric], bootstrap)[aim.metric];
  const met = found !== undefined && Number(percent(found.mean)) >= aim.atLeast;
  const target = `${aim.atLeast.toFixed(1)}${met ? "" : " (not met)"}`;
  return [title, aim.step, aim.metric, withInterval(found), target, aim.reference ?? ""];
}
