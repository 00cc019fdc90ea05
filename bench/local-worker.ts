import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { buildIndex, sample, workbench } from "../src/eval/build.ts";
import { judge } from "../src/eval/judge.ts";
import { metric } from "../src/eval/metrics/metrics.ts";
import type { QuestionRow } from "../src/eval/rows.ts";
import type { EvaluationSet, Question } from "../src/eval/types.ts";
import { openKonteks } from "../src/open.ts";
import { fuse, type RankedList } from "../src/query/fuse.ts";
import type { Hit, Konteks } from "../src/spec/index.ts";
import { exactTerms } from "../src/text/exact-terms.ts";
import { isFunctionWord } from "../src/text/lexical-share.ts";
import { loadSet, publishedChunks } from "./sets.ts";

export interface LocalTask {
  readonly set: string;
  readonly embedding: string;
  readonly questions: number;
  readonly documents: number;
}

export interface LocalResult {
  readonly set: string;
  readonly chunks: number;
  readonly seconds: number;
  /** By variant, in the order they are shown. */
  readonly rows: ReadonlyMap<string, readonly QuestionRow[]>;
}

const METRICS = ["recall@5", "recall@10", "recall@20", "hit@1", "hit@5", "ndcg@10"].map(metric);
const DEPTH = 150;
const WEIGHTS = [0.2, 0.3, 0.5, 0.7, 1, 1.5, 2];

/** Both lists of a question, best first. */
interface Lists {
  readonly text: readonly Hit[];
  readonly vector: readonly Hit[];
}

async function run(task: LocalTask): Promise<LocalResult> {
  const set = await questionsOf(task);
  const folder = join(".bench", "local", `${task.set}.${task.embedding.replace(/\W+/g, "-")}`);
  await mkdir(folder, { recursive: true });
  await using bench = await workbench(openKonteks, folder);
  const rows = new Map<string, QuestionRow[]>();
  let facts = { chunks: 0, ms: 0 };
  for (const embedding of ["lexical", task.embedding]) {
    await using built = await buildIndex(bench, set, { embedding });
    facts = built.facts;
    for (const question of set.questions) {
      const lists = await listsOf(built.konteks, question);
      const names = embedding === "lexical" ? lexicalVariants(lists) : localVariants(lists);
      if (embedding === "lexical")
        names.set("lexical hybrid", (await built.konteks.search(question.text, { k: 20 })).hits);
      for (const [name, hits] of names)
        rows.set(name, [...(rows.get(name) ?? []), rowOf(question, hits, lists.text)]);
    }
  }
  return { set: task.set, chunks: facts.chunks, seconds: facts.ms / 1000, rows };
}

async function questionsOf(task: LocalTask): Promise<EvaluationSet> {
  const loaded = await loadSet(task.set);
  const given = task.set === "codebases" ? await publishedChunks() : undefined;
  const questions = sample(
    loaded.questions.filter(({ gold }) => gold.length > 0),
    task.questions,
  );
  const wanted = new Set(questions.flatMap(({ gold }) => gold.map(({ documentId }) => documentId)));
  const step = Math.max(1, Math.floor(loaded.documents.length / task.documents));
  const documents = loaded.documents
    .filter(({ id }, index) => index % step === 0 || wanted.has(id))
    .map((document) => {
      const chunks = given?.get(document.id);
      return chunks === undefined ? document : { ...document, chunks };
    });
  return { ...loaded, questions, documents };
}

async function listsOf(konteks: Konteks, { text }: Question): Promise<Lists> {
  const options = { k: DEPTH, candidates: DEPTH };
  const [words, vector] = await Promise.all(
    (["text", "vector"] as const).map((mode) => konteks.search(text, { ...options, mode })),
  );
  return { text: words?.hits ?? [], vector: vector?.hits ?? [] };
}

function lexicalVariants({ text }: Lists): Map<string, readonly Hit[]> {
  return new Map([["BM25", text]]);
}

function localVariants(lists: Lists): Map<string, readonly Hit[]> {
  const found = new Map<string, readonly Hit[]>([["local alone", lists.vector]]);
  for (const weight of WEIGHTS) {
    found.set(`rrf ${weight}`, fused(lists, weight, "rrf"));
    found.set(`scores ${weight}`, fused(scaled(lists), weight, "scores"));
  }
  return found;
}

/** A cosine's zero says nothing: only how far a chunk stands above the list's end counts. */
function scaled({ text, vector }: Lists): Lists {
  const floor = vector.at(-1)?.score ?? 0;
  return { text, vector: vector.map((hit) => ({ ...hit, score: hit.score - floor })) };
}

function fused({ text, vector }: Lists, weight: number, method: "rrf" | "scores"): readonly Hit[] {
  const hits = new Map([...vector, ...text].map((hit) => [hit.chunkId, hit]));
  const lists: RankedList[] = [
    { name: "text", items: text },
    { name: "vector", items: vector, weight },
  ];
  return fuse(lists, { method }).flatMap(({ chunkId }) => hits.get(chunkId) ?? []);
}

function rowOf(question: Question, hits: readonly Hit[], text: readonly Hit[]): QuestionRow {
  const { id, gold } = question;
  const judged = judge(
    hits.slice(0, 20).map((hit) => ({ ...hit, tokens: 0 })),
    gold,
  );
  const values = METRICS.flatMap(({ name, of }) => {
    const value = of(judged);
    return value === undefined ? [] : [[name, value] as const];
  });
  const tags = [`overlap ${overlapOf(question, text) < 0.5 ? "low" : "high"}`];
  return { id, text: question.text, tags, ms: 0, values: Object.fromEntries(values), places: [], hits: [] };
}

/** Share of the question's words that stand in its gold passage; a passage that BM25 does not find at all counts as 0. */
function overlapOf({ text, gold }: Question, hits: readonly Hit[]): number {
  const words = exactTerms(text).filter((word) => !isFunctionWord(word));
  const shares = gold.map(({ documentId, start, end }) => {
    const passage = hits.find((hit) => hit.documentId === documentId && hit.start < end && hit.end > start);
    const held = new Set(exactTerms(passage?.text ?? ""));
    return words.filter((word) => held.has(word)).length / Math.max(1, words.length);
  });
  return Math.max(0, ...shares);
}

parentPort?.postMessage(await run(workerData as LocalTask));
