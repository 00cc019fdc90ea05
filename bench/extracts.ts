/**
 * How often the first extract of an answer without a model is a right one.
 *
 *   npm run bench:extracts                     all sets with passages that answer
 *     --sets idk-mrc-id,tat-qa                 only these
 *     --questions 150                          at most so many of a set
 *     --label name                             where rows are kept: .bench/extracts/<name>/ (default "latest")
 *     --against name                           paired differences to the rows kept under that label
 *
 * Every question that has an answer is answered, however unsure that answer is; an extract is right when it shares
 * characters with a passage that answers.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bootstrap } from "../src/eval/bootstrap.ts";
import { signed, withInterval } from "../src/eval/report/figures.ts";
import { table } from "../src/eval/report/table.ts";
import type { ExtractsRow, ExtractsTask } from "./extracts-worker.ts";
import { runInWorkers } from "./pool.ts";
import { setNames } from "./sets.ts";

const { values: flags } = parseArgs({
  options: {
    sets: { type: "string" },
    questions: { type: "string", default: "150" },
    label: { type: "string", default: "latest" },
    against: { type: "string" },
  },
});
/** Its passages are whole documents, in which any sentence would be right. */
const WITHOUT_PASSAGES = "scifact";
const MEASURES = ["first", "any"] as const;

const begun = performance.now();
const names = setNames(flags.sets).filter((name) => name !== WITHOUT_PASSAGES);
const results = await runInWorkers<ExtractsTask, readonly ExtractsRow[]>(
  new URL("./extracts-worker.ts", import.meta.url),
  names.map((set) => ({ set, questions: Number(flags.questions) })),
  (_, { set }) => console.error(`${set} (${seconds()} s)`),
);
const lines = await Promise.all(names.map((name, i) => lineOf(name, results[i] ?? [])));
console.log(table(["set", "n", "first right, %", "any right, %", "first, change", "any, change"], lines));
console.log(`\n${seconds()} s. Rows: .bench/extracts/${flags.label}/`);

async function lineOf(name: string, rows: readonly ExtractsRow[]): Promise<readonly string[]> {
  const before = await earlier(name);
  const changes = MEASURES.map((measure) => before && changeOf(measure, before, rows));
  await keep(name, rows);
  const means = bootstrap(MEASURES.map((measure) => rows.map((row) => row[measure])));
  return [name, String(rows.length), ...means.map(withInterval), ...changes.map(signed)];
}

/** Over the questions that both runs asked. */
function changeOf(
  measure: keyof ExtractsRow & (typeof MEASURES)[number],
  before: readonly ExtractsRow[],
  rows: readonly ExtractsRow[],
) {
  const old = new Map(before.map((row) => [row.id, row[measure]]));
  const changes = rows.flatMap((row) => {
    const was = old.get(row.id);
    return was === undefined ? [] : [row[measure] - was];
  });
  return bootstrap([changes])[0];
}

function fileOf(name: string, label: string): string {
  return join(".bench", "extracts", label, `${name}.json`);
}

async function earlier(name: string): Promise<readonly ExtractsRow[] | undefined> {
  if (flags.against === undefined) return undefined;
  const path = fileOf(name, flags.against);
  return existsSync(path) ? JSON.parse(await readFile(path, "utf8")) : undefined;
}

async function keep(name: string, rows: readonly ExtractsRow[]): Promise<void> {
  await mkdir(join(".bench", "extracts", flags.label), { recursive: true });
  await writeFile(fileOf(name, flags.label), JSON.stringify(rows));
}

function seconds(): string {
  return ((performance.now() - begun) / 1000).toFixed(1);
}
