import { parentPort, workerData } from "node:worker_threads";
import { sample } from "../src/eval/build.ts";
import { type Ladder, type LadderOptions, runLadder } from "../src/eval/ladder/ladder.ts";
import { keywordSteps } from "../src/eval/ladder/steps.ts";
import { openKonteks } from "../src/open.ts";
import type { IndexOptions } from "../src/spec/index.ts";
import { loadSet, publishedChunks } from "./sets.ts";

export interface LadderTask {
  readonly set: string;
  /** The chunks and contexts of `codebases` as published, instead of our own cutting. */
  readonly published: boolean;
  readonly embedding: NonNullable<IndexOptions["embedding"]>;
  readonly questions: number | undefined;
}

/** The ladder, and the same contexts with BM25 alone. */
export interface LadderPair {
  readonly full: Ladder;
  readonly keywords: Ladder;
}

async function run(task: LadderTask): Promise<LadderPair> {
  const loaded = await loadSet(task.set);
  const questions =
    task.questions === undefined ? loaded.questions : sample(loaded.questions, task.questions);
  const options: LadderOptions = {
    open: openKonteks,
    set: { ...loaded, questions },
    embedding: task.embedding,
    ...(task.published && { given: await publishedChunks() }),
    price: {
      index: ({ usage }) => (usage.contexts.calls + usage.embeddings.calls === 0 ? 0 : undefined),
      thousandQueries: () => (task.embedding === "lexical" ? 0 : undefined),
    },
  };
  return {
    full: slim(await runLadder(options)),
    keywords: slim(await runLadder({ ...options, steps: keywordSteps })),
  };
}

/** Rows are many and nobody reads them here. */
function slim(ladder: Ladder): Ladder {
  return { ...ladder, steps: ladder.steps.map((step) => ({ ...step, rows: [] })) };
}

parentPort?.postMessage(await run(workerData as LadderTask));
