import { parentPort, workerData } from "node:worker_threads";
import { sample } from "../src/eval/build.ts";
import type { QuestionRow } from "../src/eval/rows.ts";
import type { ChunkOptions } from "../src/spec/index.ts";
import { DEFAULT_BM25 } from "../src/text/bm25.ts";
import { textForBm25 } from "../src/text/index-text.ts";
import { depthOf, type LexicalStep, measure, prepare } from "./lexical-index.ts";
import { loadSet, publishedChunks } from "./sets.ts";

export interface LexicalTask {
  readonly set: string;
  /** Chunks and contexts as published with the set. */
  readonly published: boolean;
  readonly chunk: ChunkOptions;
  readonly metrics: readonly string[];
  /** At most so many questions; undefined: all. */
  readonly questions: number | undefined;
}

export interface LexicalResult {
  readonly step: string;
  readonly chunks: number;
  readonly rows: readonly QuestionRow[];
}

/** Hits that are judged where a document has several chunks; judging takes the square of it. */
const DEPTH = 20;

const even = { weight: 1, b: 0.75 };
const body = (parts: Parameters<typeof textForBm25>[0]) => textForBm25(parts).body;

const STEPS: readonly LexicalStep[] = [
  {
    name: "chunk alone",
    fields: (parts) => ({ body: body(parts) }),
    bm25: { fields: { body: even } },
    document: false,
  },
  {
    name: "+ title, headings",
    fields: (parts) => ({ title: parts.title, headings: parts.chunk.headings.join("\n"), body: body(parts) }),
    bm25: { fields: { title: even, headings: even, body: even } },
    document: false,
  },
  { name: "+ context", fields: textForBm25, bm25: DEFAULT_BM25, document: false },
  { name: "+ document score", fields: textForBm25, bm25: DEFAULT_BM25, document: true },
];

/** Title and text as one, with the settings under which Lucene's figures for a set of documents are published. */
const LUCENE: LexicalStep = {
  name: "k1 0.9, b 0.4",
  fields: (parts) => ({ body: `${parts.title}\n${body(parts)}` }),
  bm25: { k1: 0.9, fields: { body: { weight: 1, b: 0.4 } } },
  document: false,
};

async function run(task: LexicalTask): Promise<readonly LexicalResult[]> {
  const set = await loadSet(task.set);
  const prepared = await prepare(set, task.chunk, task.published ? await publishedChunks() : undefined);
  const scored = set.questions.filter(({ gold, unanswerable }) => gold.length > 0 && !unanswerable);
  const questions = task.questions === undefined ? scored : sample(scored, task.questions);
  const whole = prepared.every(({ chunks }) => chunks.length === 1);
  const metrics = task.metrics.filter((name) => whole || depthOf(name) <= DEPTH);
  const results: LexicalResult[] = [];
  for (const step of whole ? [LUCENE, ...STEPS] : STEPS) {
    const rows = await measure(prepared, questions, step, metrics);
    const chunks = prepared.reduce((sum, each) => sum + each.chunks.length, 0);
    results.push({ step: step.name, chunks, rows });
  }
  return results;
}

parentPort?.postMessage(await run(workerData as LexicalTask));
