/**
 * What a local model adds: BM25 alone, with the lexical embedding, the model alone, and hybrids by both fusions.
 *
 *   npm run bench:local                              multilingual-e5-small on all sets below
 *     --embedding local:all-MiniLM-L6-v2             another model
 *     --sets codebases,idk-mrc-id                    only these
 *     --questions 300 --documents 800                at most so many a set
 *     --metrics recall@5,ndcg@10
 *
 * Vectors are kept in .bench/local, so that a second run only searches.
 */
import { appendFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { signed, withInterval } from "../src/eval/report/figures.ts";
import { table } from "../src/eval/report/table.ts";
import { differences, summarise, summariseByTag } from "../src/eval/summary.ts";
import type { LocalResult, LocalTask } from "./local-worker.ts";
import { runInWorkers } from "./pool.ts";

const { values: flags } = parseArgs({
  options: {
    embedding: { type: "string", default: "local:multilingual-e5-small" },
    sets: { type: "string", default: "codebases,idk-mrc-id,legalbench-rag-contractnli,scifact" },
    questions: { type: "string", default: "300" },
    documents: { type: "string", default: "800" },
    metrics: { type: "string", default: "recall@5,recall@10,recall@20,ndcg@10" },
  },
});
const metrics = flags.metrics.split(",");
const bootstrap = { resamples: 1000 };

for (const set of flags.sets.split(",")) {
  const task: LocalTask = {
    set,
    embedding: flags.embedding,
    questions: Number(flags.questions),
    documents: Number(flags.documents),
  };
  const url = new URL("./local-worker.ts", import.meta.url);
  const [result] = await runInWorkers<LocalTask, LocalResult>(url, [task], () => {});
  if (result !== undefined) await show(result);
}

async function show({ set, chunks, seconds, rows }: LocalResult): Promise<void> {
  const base = rows.get("BM25") ?? [];
  const cells = [...rows].map(([name, own]) => {
    const summary = summarise(own, metrics, bootstrap);
    const changes = differences(base, own, metrics, bootstrap);
    const low = summariseByTag(own, metrics.slice(0, 1), { resamples: 10 }).get("overlap low");
    const lowest = low?.[metrics[0] ?? ""];
    return [
      name,
      ...metrics.flatMap((metric) => [withInterval(summary[metric]), signed(changes[metric])]),
      lowest === undefined ? "" : `${(100 * lowest.mean).toFixed(1)} (${lowest.n})`,
    ];
  });
  console.log(
    `\n## ${set}: ${base.length} questions, ${chunks} chunks, embedded in ${seconds.toFixed(0)} s\n`,
  );
  const header = metrics.flatMap((metric) => [metric, "± BM25"]);
  console.log(table([flags.embedding, ...header, `${metrics[0]}, few common words`], cells));
  const means = [...rows].map(([name, own]) => [name, summarise(own, metrics, { resamples: 10 })]);
  await appendFile(
    ".bench/local.jsonl",
    `${JSON.stringify({ at: new Date().toISOString(), set, embedding: flags.embedding, chunks, seconds, means })}\n`,
  );
}
