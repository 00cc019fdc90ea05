import { parentPort, workerData } from "node:worker_threads";
import { buildIndex, sample, workbench } from "../src/eval/build.ts";
import { isWholeDocument, overlap } from "../src/eval/judge.ts";
import type { GoldPassage } from "../src/eval/types.ts";
import { openKonteks } from "../src/open.ts";
import type { Citation } from "../src/spec/index.ts";
import { loadSet } from "./sets.ts";

export interface ExtractsTask {
  readonly set: string;
  /** At most so many questions with an answer. */
  readonly questions: number;
}

/** What the extracts of one question were worth, 0 or 1. */
export interface ExtractsRow {
  readonly id: string;
  /** The first extract shares characters with a passage that answers. */
  readonly first: number;
  /** One of the extracts does. */
  readonly any: number;
}

async function run(task: ExtractsTask): Promise<readonly ExtractsRow[]> {
  const set = await loadSet(task.set);
  const answered = set.questions.filter(({ gold }) => gold.length > 0);
  await using bench = await workbench(openKonteks);
  await using built = await buildIndex(bench, set, {});
  const rows: ExtractsRow[] = [];
  for (const { id, text, gold } of sample(answered, task.questions)) {
    const { citations } = await built.konteks.ask(text, { thresholds: { confidence: 0 } });
    const right = citations.map((citation) => gold.some((passage) => touches(citation, passage)));
    rows.push({ id, first: Number(right[0] ?? false), any: Number(right.includes(true)) });
  }
  return rows;
}

function touches(citation: Citation, gold: GoldPassage): boolean {
  return citation.documentId === gold.documentId && (isWholeDocument(gold) || overlap(citation, gold) > 0);
}

parentPort?.postMessage(await run(workerData as ExtractsTask));
