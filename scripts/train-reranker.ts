/**
 * Trains the built-in reranker on the evaluation sets and writes its coefficients.
 *
 *   node scripts/train-reranker.ts              all sets; writes src/models/rerank/coefficients.ts
 *     --sets codebases,tat-qa                   only these; nothing is written
 *     --without "words together"                leaves features out
 *     --questions 450                           at most so many of a set
 *     --ridge 0.02                              how strongly coefficients are held near 0
 *     --fresh                                   looks at the candidates anew instead of those kept in .bench/rerank/
 *
 * A listwise softmax (Cao et al., "Learning to Rank: From Pairwise Approach to Listwise Approach", ICML 2007) over the first
 * candidates of the default search. What is printed is scored on each set by coefficients that never saw it.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadSet, publishedChunks, setNames } from "../bench/sets.ts";
import { bootstrap } from "../src/eval/bootstrap.ts";
import { buildIndex, sample, workbench } from "../src/eval/build.ts";
import { finds } from "../src/eval/judge.ts";
import { table } from "../src/eval/report/table.ts";
import type { EvaluationSet, Question } from "../src/eval/types.ts";
import { FEATURES, featuresOf } from "../src/models/rerank/features.ts";
import { openKonteks } from "../src/open.ts";
import type { Reranker, RerankRequest } from "../src/spec/index.ts";
import { type Example, train } from "./lib/softmax-ranker.ts";

const { values: flags } = parseArgs({
  options: {
    sets: { type: "string" },
    without: { type: "string", default: "" },
    questions: { type: "string", default: "450" },
    ridge: { type: "string", default: "0.02" },
    fresh: { type: "boolean", default: false },
  },
});

/** A question's candidates, best first: features, and which gold passages each finds. */
interface Case {
  readonly gold: number;
  readonly features: readonly (readonly number[])[];
  readonly finds: readonly (readonly number[])[];
}

/** `codebases` again in its published chunks, with the contexts that a model wrote for them. */
const PUBLISHED = "codebases, published chunks";
const DEPTH = 50;
const folder = join(".bench", "rerank");

const without = flags.without.split(",").filter((name) => name !== "");
const unknown = without.find((name) => !(FEATURES as readonly string[]).includes(name));
if (unknown !== undefined) throw new Error(`There is no feature "${unknown}".`);
const used = FEATURES.map((name, i) => ({ name, i })).filter(({ name }) => !without.includes(name));
const names = flags.sets?.split(",") ?? [PUBLISHED, ...setNames()];
const cases = new Map<string, readonly Case[]>();
for (const name of names) cases.set(name, await casesOf(name));
report();
if (flags.sets === undefined) await write();

async function casesOf(name: string): Promise<readonly Case[]> {
  const file = join(folder, `${name}.json`);
  if (!flags.fresh && existsSync(file)) return JSON.parse(await readFile(file, "utf8"));
  const found = await look(name);
  await mkdir(folder, { recursive: true });
  await writeFile(file, JSON.stringify(found));
  return found;
}

async function look(name: string): Promise<readonly Case[]> {
  console.error(`${name} …`);
  const set = await evaluationSet(name);
  await using bench = await workbench(openKonteks);
  await using built = await buildIndex(bench, set, {});
  const questions = set.questions.filter(({ gold }) => gold.length > 0);
  const found: Case[] = [];
  for (const question of sample(questions, Number(flags.questions))) {
    const model = capture((request) => found.push(toCase(question, request)));
    await built.konteks.search(question.text, { k: 1, rerank: { model, depth: DEPTH, timeoutMs: 60_000 } });
  }
  return found;
}

async function evaluationSet(name: string): Promise<EvaluationSet> {
  if (name !== PUBLISHED) return loadSet(name);
  const [set, given] = await Promise.all([loadSet("codebases"), publishedChunks()]);
  const documents = set.documents.map((document) => ({ ...document, chunks: given.get(document.id) ?? [] }));
  return { ...set, documents };
}

function capture(see: (request: RerankRequest) => void): Reranker {
  return {
    id: "capture",
    kind: "local",
    maxTokens: Number.POSITIVE_INFINITY,
    rerank: async (request) => {
      see(request);
      return [];
    },
  };
}

function toCase({ gold }: Question, request: RerankRequest): Case {
  return {
    gold: gold.length,
    features: featuresOf(request).map((values) => values.map((value) => Number(value.toFixed(5)))),
    finds: request.candidates.map(({ stored: { chunk } }) =>
      gold.flatMap((passage, i) => (finds(chunk, passage) ? [i] : [])),
    ),
  };
}

function coefficientsWithout(left: (name: string) => boolean): readonly number[] {
  const groups = names.filter((name) => !left(name)).map((name) => (cases.get(name) ?? []).map(toExample));
  return train(groups, used.length, Number(flags.ridge));
}

function toExample({ features, finds }: Case): Example {
  return {
    rows: features.map((values) => used.map(({ i }) => values[i] ?? 0)),
    right: finds.map((found) => found.length > 0),
  };
}

function report(): void {
  const metrics = ["recall@5", "recall@10", "recall@20", "mrr@10"];
  const sums = metrics.map(() => [0, 0]);
  const rows = names.map((name) => {
    // The same code in other chunks is no unseen set.
    const weights = coefficientsWithout((other) => other.split(",")[0] === name.split(",")[0]);
    const all = cases.get(name) ?? [];
    const before = all.map((one) => judge(one, one.finds));
    const after = all.map((one) => judge(one, reordered(one, weights)));
    return [name, String(all.length), ...metrics.map((_, m) => cell(before, after, m, sums[m] ?? []))];
  });
  const means = sums.map(
    ([from = 0, to = 0]) => `${percent(from / names.length)} → ${percent(to / names.length)}`,
  );
  console.log(table(["set", "n", ...metrics], [...rows, ["mean", "", ...means]]));
}

function cell(before: readonly number[][], after: readonly number[][], m: number, sums: number[]): string {
  const changes = after.map((values, i) => (values[m] ?? 0) - (before[i]?.[m] ?? 0));
  const [interval] = bootstrap([changes], { resamples: 2000 });
  const from = before.reduce((sum, values) => sum + (values[m] ?? 0), 0) / before.length;
  const { mean = 0, low = 0, high = 0 } = interval ?? {};
  sums[0] = (sums[0] ?? 0) + from;
  sums[1] = (sums[1] ?? 0) + from + mean;
  const sign = low > 0 ? " better" : high < 0 ? " WORSE" : "";
  return `${percent(from)} → ${percent(from + mean)} (${percent(low)} to ${percent(high)})${sign}`;
}

function reordered({ features, finds }: Case, weights: readonly number[]): Case["finds"] {
  const scores = features.map((values) =>
    used.reduce((sum, { i }, j) => sum + (weights[j] ?? 0) * (values[i] ?? 0), 0),
  );
  return finds
    .map((found, i) => ({ found, i }))
    .sort((a, b) => (scores[b.i] ?? 0) - (scores[a.i] ?? 0) || a.i - b.i)
    .map(({ found }) => found);
}

/** Share of gold within 5, 10 and 20, and the reciprocal rank of the first within 10. */
function judge({ gold }: Case, order: Case["finds"]): number[] {
  const recall = (k: number) => new Set(order.slice(0, k).flat()).size / gold;
  const first = order.findIndex((found) => found.length > 0);
  return [recall(5), recall(10), recall(20), first < 0 || first >= 10 ? 0 : 1 / (first + 1)];
}

function percent(value: number): string {
  return (100 * value).toFixed(1);
}

async function write(): Promise<void> {
  const weights = coefficientsWithout(() => false);
  const lines = FEATURES.map((name, i) => {
    const at = used.findIndex((feature) => feature.i === i);
    return `  ${(weights[at] ?? 0).toFixed(3)}, // ${name}`;
  });
  const text = `/*
 * Written by scripts/train-reranker.ts; do not edit. Trained on the first ${DEPTH} candidates of the default search over
 * ${names.length} sets (${names.map((name) => `${name.replace(", ", " in ")}`).join(", ")}),
 * at most ${flags.questions} questions of each, every set counting the same; ridge ${flags.ridge}. Figures, scored on sets that
 * the coefficients had not seen, are in docs/decisions/0012-built-in-reranker.md.
 */

/** In the order of \`FEATURES\`. */
export const COEFFICIENTS: readonly number[] = [
${lines.join("\n")}
];
`;
  await writeFile(join("src", "models", "rerank", "coefficients.ts"), text);
}
