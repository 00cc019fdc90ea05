/**
 * Retrieval quality of the default settings over all evaluation sets, without any paid model.
 *
 *   npm run bench:quality                      all sets; text, vector, hybrid, and hybrid with the built-in reranker
 *     --sets codebases,xquad-vi                only these
 *     --modes hybrid                           only these parts
 *     --lexical                                BM25 alone, step by step (`bench/lexical.ts`)
 *     --size 800                               characters of a chunk with --lexical (default: the default chunks)
 *     --local                                  a model of this machine beside BM25 and the lexical embedding, by both fusions
 *     --anew                                   with --local: search again instead of reading .bench/local
 *     --questions 300 --characters 1050000     with --local: at most so many of a set, drawn with a seed
 *     --embedding provider:model               another vector side (with --local: another model of this machine)
 *     --quick                                  at most 200 questions a set
 *     --label name                             where rows are kept: .bench/quality/<name>/ (default "latest")
 *     --against name                           paired differences to the rows kept under that label
 *     --metrics recall@5,ndcg@10               columns
 */
import { existsSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { milliseconds, signed, withInterval } from "../src/eval/report/figures.ts";
import { table } from "../src/eval/report/table.ts";
import { readResult, writeResult } from "../src/eval/result-file.ts";
import type { RunResult } from "../src/eval/rows.ts";
import { differences, latency, summarise } from "../src/eval/summary.ts";
import { gainOver, HYBRID, RERANK } from "./gain.ts";
import { lexicalBench } from "./lexical.ts";
import { localQuality } from "./local-quality.ts";
import { runInWorkers } from "./pool.ts";
import type { QualityPart, QualityTask } from "./quality-worker.ts";
import { setNames } from "./sets.ts";

const { values: flags } = parseArgs({
  options: {
    sets: { type: "string" },
    modes: { type: "string", default: "text,vector,hybrid,rerank" },
    lexical: { type: "boolean", default: false },
    local: { type: "boolean", default: false },
    anew: { type: "boolean", default: false },
    questions: { type: "string", default: "300" },
    characters: { type: "string", default: "1050000" },
    size: { type: "string" },
    embedding: { type: "string" },
    quick: { type: "boolean", default: false },
    label: { type: "string", default: "latest" },
    against: { type: "string" },
    metrics: { type: "string" },
  },
});
if (flags.lexical) {
  await lexicalBench({
    sets: flags.sets,
    quick: flags.quick,
    size: flags.size === undefined ? undefined : Number(flags.size),
  });
  process.exit();
}
if (flags.local) {
  await localQuality({
    sets: flags.sets,
    embedding: flags.embedding ?? "local:multilingual-e5-small",
    questions: flags.quick ? 200 : Number(flags.questions),
    characters: Number(flags.characters),
    anew: flags.anew,
    metrics: (flags.metrics ?? "recall@5,recall@10,recall@20,ndcg@10,hit@5").split(","),
  });
  process.exit();
}
const metrics = (flags.metrics ?? "recall@5,recall@10,recall@20,ndcg@10,mrr@10,token-efficiency@5").split(
  ",",
);
/** Enough for one digit after the point. */
const bootstrap = { resamples: 2000 };

const begun = performance.now();
const tasks = setNames(flags.sets).map(
  (set): QualityTask => ({
    set,
    modes: flags.modes.split(",") as QualityPart[],
    index: { embedding: flags.embedding ?? "lexical" },
    questions: flags.quick ? 200 : undefined,
  }),
);
const results = await runInWorkers<QualityTask, readonly RunResult[]>(
  new URL("./quality-worker.ts", import.meta.url),
  tasks,
  (_, task) => console.error(`${task.set} (${seconds()} s)`),
);
const runs = results.flat();
const against = await Promise.all(runs.map((run) => earlier(run, flags.against)));
console.log(table(["set", "part", "n", ...metrics, "p50 / p95 ms", "index s", "chunks"], runs.map(cells)));
for (const gain of [gainOver(runs, metrics, HYBRID), gainOver(runs, metrics, RERANK)])
  if (gain !== undefined) console.log(`\n${gain}`);
if (flags.against !== undefined) printDifferences(flags.against);
await keep();
console.log(`\n${seconds()} s. Rows: .bench/quality/${flags.label}/`);

function cells(run: RunResult): readonly string[] {
  const summary = summarise(run.rows, metrics, bootstrap);
  const { p50, p95 } = latency(run.rows);
  return [
    run.set,
    run.setting,
    String(summary[metrics[0] ?? ""]?.n ?? 0),
    ...metrics.map((name) => withInterval(summary[name])),
    `${milliseconds(p50)} / ${milliseconds(p95)}`,
    (run.index.ms / 1000).toFixed(1),
    String(run.index.chunks),
  ];
}

function printDifferences(label: string): void {
  const rows = runs.map((run, index) => {
    const before = against[index];
    const changes = before && differences(before.rows, run.rows, metrics, bootstrap);
    return [run.set, run.setting, ...metrics.map((name) => signed(changes?.[name]))];
  });
  console.log(
    `\nDifferences to "${label}", in points (≈: not certain)\n\n${table(["set", "part", ...metrics], rows)}`,
  );
}

function fileOf(run: RunResult, label: string): string {
  return join(".bench", "quality", label, `${run.set}.${run.setting}.jsonl`);
}

async function earlier(run: RunResult, label: string | undefined): Promise<RunResult | undefined> {
  if (label === undefined) return undefined;
  const path = fileOf(run, label);
  return existsSync(path) ? readResult(path) : undefined;
}

async function keep(): Promise<void> {
  await Promise.all(runs.map((run) => writeResult(fileOf(run, flags.label), run)));
  await mkdir(".bench", { recursive: true });
  const lines = runs.map((run) => {
    const means = Object.entries(summarise(run.rows, metrics, { resamples: 100 })).map(([name, { mean }]) => [
      name,
      mean,
    ]);
    return JSON.stringify({
      at: new Date().toISOString(),
      label: flags.label,
      set: run.set,
      part: run.setting,
      questions: run.rows.length,
      ...Object.fromEntries(means),
      ...latency(run.rows),
      indexMs: Math.round(run.index.ms),
    });
  });
  await appendFile(join(".bench", "quality.jsonl"), `${lines.join("\n")}\n`);
}

function seconds(): string {
  return ((performance.now() - begun) / 1000).toFixed(1);
}
