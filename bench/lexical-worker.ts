import { parentPort, workerData } from "node:worker_threads";
import { sample } from "../src/eval/build.ts";
import type { QuestionRow } from "../src/eval/rows.ts";
import type { Bm25Options, ChunkOptions, QueryTerm } from "../src/spec/index.ts";
import { analyzeField, analyzeQuery } from "../src/text/analyze.ts";
import { DEFAULT_BM25 } from "../src/text/bm25.ts";
import { textForBm25 } from "../src/text/index-text.ts";
import { REFERENCE } from "./lexical-aims.ts";
import { type FieldsOf, indexOf, type LexicalIndex, type Prepared, prepare } from "./lexical-index.ts";
import { depthOf, measure, ranker, type Scoring } from "./lexical-score.ts";
import { plainField, plainQuery } from "./plain-analyzer.ts";
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

/** Fields of all steps; `titled` is title and text as one. */
const FIELDS: FieldsOf = (parts) => {
  const { title, context, body } = textForBm25(parts);
  return { title, headings: parts.chunk.headings.join("\n"), context, body };
};
const TITLED: FieldsOf = (parts) => ({ titled: `${parts.title}\n${textForBm25(parts).body}` });

const STEPS: readonly (Scoring & { readonly name: string })[] = [
  { name: "chunk alone", bm25: { fields: { body: even } }, document: false },
  {
    name: "+ title, headings",
    bm25: { fields: { title: even, headings: even, body: even } },
    document: false,
  },
  { name: "+ context", bm25: DEFAULT_BM25, document: false },
  { name: "+ document score", bm25: DEFAULT_BM25, document: true },
];

/** Settings under which Lucene's figures for a set of documents are published. */
const LUCENE: Bm25Options = { k1: 0.9, fields: { titled: { weight: 1, b: 0.4 } } };

type Ask = (
  step: string,
  index: LexicalIndex,
  scoring: Scoring,
  termsOf: (text: string) => readonly QueryTerm[],
) => LexicalResult;

async function run(task: LexicalTask): Promise<readonly LexicalResult[]> {
  const set = await loadSet(task.set);
  const prepared = await prepare(set, task.chunk, task.published ? await publishedChunks() : undefined);
  const scored = set.questions.filter(({ gold, unanswerable }) => gold.length > 0 && !unanswerable);
  const questions = task.questions === undefined ? scored : sample(scored, task.questions);
  const whole = prepared.every(({ chunks }) => chunks.length === 1);
  const metrics = task.metrics.filter((name) => whole || depthOf(name) <= DEPTH);
  const ask: Ask = (step, index, scoring, termsOf) => {
    const rows = measure(index, ranker(index, scoring), questions, termsOf, metrics);
    return { step, chunks: index.chunks.length, rows };
  };
  return [...plainSteps(prepared, whole, ask), ...ownSteps(prepared, whole, ask)];
}

function plainSteps(prepared: readonly Prepared[], whole: boolean, ask: Ask): readonly LexicalResult[] {
  const index = indexOf(prepared, TITLED, plainField);
  const bm25 = whole ? LUCENE : { fields: { titled: even } };
  return [ask(REFERENCE, index, { bm25, document: false }, plainQuery)];
}

function ownSteps(prepared: readonly Prepared[], whole: boolean, ask: Ask): readonly LexicalResult[] {
  const languages = [...new Set(prepared.flatMap(({ document }) => document.language ?? []))].sort();
  const termsOf = (text: string) => analyzeQuery(text, { languages }).terms;
  const fields: FieldsOf = whole ? (parts) => ({ ...FIELDS(parts), ...TITLED(parts) }) : FIELDS;
  const index = indexOf(prepared, fields, (text, language) => analyzeField(text, { language }));
  const lucene = whole ? [ask("k1 0.9, b 0.4", index, { bm25: LUCENE, document: false }, termsOf)] : [];
  return [...lucene, ...STEPS.map((step) => ask(step.name, index, step, termsOf))];
}

parentPort?.postMessage(await run(workerData as LexicalTask));
