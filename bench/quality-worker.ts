import { parentPort, workerData } from "node:worker_threads";
import { buildIndex, sample, workbench } from "../src/eval/build.ts";
import type { RunResult } from "../src/eval/rows.ts";
import { runQuestions } from "../src/eval/run.ts";
import { openKonteks } from "../src/open.ts";
import type { IndexOptions, SearchMode, SearchOptions } from "../src/spec/index.ts";
import { loadSet } from "./sets.ts";

/** A mode of search, or the default one with the built-in reranker behind it. */
export type QualityPart = SearchMode | "rerank";

/** One set under the default settings, searched in each of the modes. */
export interface QualityTask {
  readonly set: string;
  readonly modes: readonly QualityPart[];
  readonly index: IndexOptions;
  /** At most so many questions; undefined: all. */
  readonly questions: number | undefined;
}

async function run(task: QualityTask): Promise<readonly RunResult[]> {
  const set = await loadSet(task.set);
  const questions = task.questions === undefined ? set.questions : sample(set.questions, task.questions);
  await using bench = await workbench(openKonteks);
  await using built = await buildIndex(bench, set, task.index);
  const results: RunResult[] = [];
  for (const mode of task.modes) {
    const rows = await runQuestions(built.konteks, questions, { search: searchOf(mode) });
    // Hits are many and nobody reads them here; places and values stay.
    const slim = rows.map((row) => ({ ...row, hits: [] }));
    results.push({ set: task.set, setting: mode, index: built.facts, rows: slim });
  }
  return results;
}

function searchOf(part: QualityPart): SearchOptions {
  return part === "rerank" ? { rerank: true } : { mode: part };
}

parentPort?.postMessage(await run(workerData as QualityTask));
