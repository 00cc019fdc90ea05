import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isWholeDocument, judge, type Retrieved } from "../src/eval/judge.ts";
import type { GivenChunks } from "../src/eval/ladder/steps.ts";
import { metric } from "../src/eval/metrics/metrics.ts";
import type { QuestionRow } from "../src/eval/rows.ts";
import type { EvaluationSet, Question } from "../src/eval/types.ts";
import { chunkDocument } from "../src/ingest/chunk/chunk.ts";
import { structuralContext } from "../src/ingest/contextualize/structural.ts";
import { documentFromInput } from "../src/ingest/load/index.ts";
import type { Bm25Options, Chunk, ChunkOptions, Context, Document, Store } from "../src/spec/index.ts";
import { openSqliteStore } from "../src/stores/sqlite/index.ts";
import { analyzeField, analyzeQuery } from "../src/text/analyze.ts";
import { documentWeight } from "../src/text/document-weight.ts";
import { lineStarts, linesOf } from "../src/util/lines.ts";

/** A document with its chunks and what situates each. */
export interface Prepared {
  readonly document: Document;
  readonly chunks: readonly Chunk[];
  readonly contexts: readonly Context[];
}

/** What is indexed of a chunk, and how it is scored. */
export interface LexicalStep {
  readonly name: string;
  readonly fields: (parts: {
    readonly title: string;
    readonly chunk: Chunk;
    readonly context: Context;
  }) => Readonly<Record<string, string>>;
  readonly bm25: Bm25Options;
  /** Whether the score of the whole document is added, weighted by the query. */
  readonly document: boolean;
}

/** Loads and cuts a set. Where all gold is whole documents, a document is one chunk. */
export async function prepare(
  set: EvaluationSet,
  options: ChunkOptions,
  given: GivenChunks | undefined,
): Promise<readonly Prepared[]> {
  const whole = set.questions.every(({ gold }) => gold.every(isWholeDocument));
  return Promise.all(
    set.documents.map(async (input) => {
      const document = await documentFromInput(input);
      const spans = given?.get(input.id) ?? (whole ? [{ start: 0, end: document.text.length }] : undefined);
      if (spans === undefined) {
        const chunks = chunkDocument(document, options);
        return { document, chunks, contexts: chunks.map((chunk) => structuralContext(document, chunk)) };
      }
      const chunks = spans.map((span, ordinal) => chunkOf(document, span, ordinal));
      const contexts = spans.map((span, i): Context => {
        const text = "context" in span ? span.context : undefined;
        const chunk = chunks[i] as Chunk;
        return text === undefined ? structuralContext(document, chunk) : { kind: "llm", text };
      });
      return { document, chunks, contexts };
    }),
  );
}

function chunkOf(
  document: Document,
  span: { readonly start: number; readonly end: number },
  ordinal: number,
): Chunk {
  const { start, end } = span;
  return {
    id: `${document.id}#${ordinal}`,
    documentId: document.id,
    ordinal,
    start,
    end,
    text: document.text.slice(start, end),
    headings: [],
    lines: linesOf(lineStarts(document.text), { start, end }),
    tokens: 0,
  };
}

/** Indexes what a step names in a store of its own, and asks every question. */
export async function measure(
  prepared: readonly Prepared[],
  questions: readonly Question[],
  step: LexicalStep,
  metrics: readonly string[],
): Promise<readonly QuestionRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "konteks-lexical-"));
  const store = await openSqliteStore({ path: join(folder, "index.sqlite") });
  try {
    for (const each of prepared) await store.replaceDocument(recordOf(each), indexed(each, step));
    const depth = Math.max(...metrics.map(depthOf));
    const chunks = new Map(prepared.flatMap((each) => each.chunks.map((chunk) => [chunk.id, chunk])));
    const languages = await store.languages();
    const rows: QuestionRow[] = [];
    for (const question of questions) {
      rows.push(await ask({ store, chunks, languages, depth }, question, step, metrics));
    }
    return rows;
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function recordOf({ document: { blocks: _, ...document } }: Prepared) {
  return { document, contentHash: document.id, indexedAt: "2026-01-01T00:00:00.000Z", source: "bench" };
}

function indexed({ document, chunks, contexts }: Prepared, step: LexicalStep) {
  const { title, language } = document;
  return chunks.map((chunk, i) => {
    const context: Context = contexts[i] ?? { kind: "none", text: "" };
    const texts = Object.entries(step.fields({ title, chunk, context }));
    const fields = Object.fromEntries(texts.map(([name, text]) => [name, analyzeField(text, { language })]));
    return { chunk, context, fields, vectors: [] };
  });
}

/** "recall@20" → 20. */
export function depthOf(name: string): number {
  return Number(name.split("@")[1]);
}

interface Index {
  readonly store: Store;
  readonly chunks: ReadonlyMap<string, Chunk>;
  readonly languages: readonly string[];
  /** Hits that are judged. */
  readonly depth: number;
}

async function ask(
  { store, chunks, languages, depth }: Index,
  question: Question,
  step: LexicalStep,
  metrics: readonly string[],
): Promise<QuestionRow> {
  const begun = performance.now();
  const { terms } = analyzeQuery(question.text, { languages });
  const known = await store.documentFrequencies(terms.map(({ term }) => term));
  const byTerm = new Map(terms.map(({ term }, i) => [term, known.frequencies[i] ?? 0]));
  const weight = step.document ? documentWeight(terms, known.chunks, (term) => byTerm.get(term) ?? 0) : 0;
  const bm25 = { ...step.bm25, documentWeight: weight };
  const hits = terms.length === 0 ? [] : await store.searchText({ terms, limit: depth, bm25 });
  const ms = performance.now() - begun;
  const found = hits.flatMap(({ chunkId, score }): Retrieved[] => {
    const chunk = chunks.get(chunkId);
    return chunk === undefined ? [] : [{ ...chunk, score }];
  });
  const judged = judge(found, question.gold);
  const values = metrics.map((name) => [name, metric(name).of(judged)] as const);
  const { id, text, tags } = question;
  const scored = values.filter((entry): entry is [string, number] => entry[1] !== undefined);
  return { id, text, tags, ms, values: Object.fromEntries(scored), places: judged.places, hits: [] };
}
