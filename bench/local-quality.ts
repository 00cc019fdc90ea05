import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { UNKNOWN_WEIGHT, VECTOR_WEIGHT } from "../src/query/options.ts";
import { folderOf, type LocalSet, type LocalTask, PUBLISHED } from "./local-cases.ts";
import type { Fusion } from "./local-orders.ts";
import { meanTable, setTable, variantsOf } from "./local-report.ts";
import { weightTable } from "./local-weight.ts";
import { runInWorkers } from "./pool.ts";
import { setNames } from "./sets.ts";

export interface LocalQualityOptions {
  /** Names by commas; default: all, and `codebases` in its published chunks as well. */
  readonly sets: string | undefined;
  readonly embedding: string;
  /** At most so many questions a set. */
  readonly questions: number;
  /** Documents of at most so many characters a set. */
  readonly characters: number;
  /** Searches anew instead of reading what an earlier run found. */
  readonly anew: boolean;
  readonly metrics: readonly string[];
}

const DEFAULT_FUSION: Fusion = { method: "scores", weight: VECTOR_WEIGHT.local, unknown: UNKNOWN_WEIGHT };

/** What a local model adds, set by set and in the mean. Vectors and lists are kept in .bench/local. */
export async function localQuality(options: LocalQualityOptions): Promise<void> {
  const sets = await lookedAt(options);
  const all = variantsOf(sets, DEFAULT_FUSION);
  for (const one of all) console.log(`${setTable(one, options.metrics)}\n`);
  console.log(`${meanTable(all, options.metrics)}\n`);
  console.log(weightTable(sets));
}

/** Both lists of every question; what an earlier run found is read. */
export async function lookedAt(options: LocalQualityOptions): Promise<readonly LocalSet[]> {
  const names = options.sets?.split(",") ?? [PUBLISHED, ...setNames()];
  const { embedding, questions, characters } = options;
  const tasks = names.map((name): LocalTask => {
    // A comma parts names.
    const set = name === "published" ? PUBLISHED : name;
    return { set, embedding, questions, characters };
  });
  const missing = tasks.filter((task) => options.anew || !existsSync(fileOf(task)));
  const url = new URL("./local-worker.ts", import.meta.url);
  await runInWorkers<LocalTask, number>(url, missing, (found, { set }) =>
    console.error(`${set}: ${found} questions`),
  );
  return Promise.all(tasks.map(async (task) => JSON.parse(await readFile(fileOf(task), "utf8")) as LocalSet));
}

/** Where the worker leaves what it found. */
function fileOf(task: LocalTask): string {
  return `${folderOf(task)}.json`;
}
