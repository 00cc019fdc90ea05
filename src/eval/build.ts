import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  DocumentInput,
  IndexOptions,
  IngestReport,
  Konteks,
  OpenOptions,
  Usage,
} from "../spec/index.ts";
import { KonteksError } from "../spec/index.ts";
import { addUsage } from "../util/usage.ts";
import type { IndexFacts } from "./rows.ts";
import { isSimulated } from "./simulated.ts";
import type { EvaluationSet, Question } from "./types.ts";

/** How an index is opened; `openKonteks`, or the same with keys and base URLs filled in. */
export type Open = (options: OpenOptions) => Promise<Konteks>;

/** A folder in which indexes are made one after the other. Paid contexts and vectors in it serve all of them. */
export interface Workbench extends AsyncDisposable {
  readonly open: Open;
  readonly folder: string;
}

/**
 * Makes a workbench. Given a folder, it is kept, and with it everything that was paid for; without one a temporary
 * folder is used and removed.
 */
export async function workbench(open: Open, folder?: string): Promise<Workbench> {
  if (folder !== undefined) return { open, folder, [Symbol.asyncDispose]: async () => {} };
  const made = await mkdtemp(join(tmpdir(), "konteks-eval-"));
  return { open, folder: made, [Symbol.asyncDispose]: () => rm(made, { recursive: true, force: true }) };
}

/** An index that was made for evaluation; close it before the next one is made on the same workbench. */
export interface BuiltIndex extends AsyncDisposable {
  readonly konteks: Konteks;
  readonly facts: IndexFacts;
}

/**
 * Indexes a set's documents anew under the given options. Refuses what would make the figures false: a document of the
 * set that failed (files of its sources that it has no document of could not be read before), an index without chunks or with much missing in them, a gold passage whose document is not the text that the offsets were made for.
 */
export async function buildIndex(
  bench: Workbench,
  set: EvaluationSet,
  index: IndexOptions,
): Promise<BuiltIndex> {
  const konteks = await bench.open({ ...index, path: bench.folder, rebuild: true });
  try {
    const begun = performance.now();
    const reports = await ingestAll(konteks, set);
    const ms = performance.now() - begun;
    refuseFailures(set, reports);
    await removeOthers(konteks, set);
    await checkTexts(konteks, set);
    const facts = { ...(await count(konteks, reports)), ms };
    refuseIncomplete(facts, reports);
    return {
      konteks,
      facts,
      [Symbol.asyncDispose]: () => konteks.close(),
    };
  } catch (error) {
    await konteks.close();
    throw error;
  }
}

async function ingestAll(konteks: Konteks, set: EvaluationSet): Promise<readonly IngestReport[]> {
  const reports: IngestReport[] = [];
  for (const source of set.sources ?? [set.documents]) {
    reports.push(await konteks.ingest(source, set.reading));
  }
  return reports;
}

/** What else lies in the folders of the sources: an index of one file, or of an earlier state, is of no more than that. */
async function removeOthers(konteks: Konteks, { sources, documents }: EvaluationSet): Promise<void> {
  if (sources === undefined) return;
  const wanted = new Set(documents.map(({ id }) => id));
  for (const { id } of await konteks.documents()) if (!wanted.has(id)) await konteks.delete(id);
}

/** What is in an index; making it took nothing here. */
export async function countIndex(konteks: Konteks): Promise<IndexFacts> {
  const documents = await konteks.documents();
  const incomplete = documents.reduce((sum, { failures, pending }) => sum + failures + pending, 0);
  return { ...(await count(konteks, [])), incomplete, ms: 0 };
}

async function count(konteks: Konteks, reports: readonly IngestReport[]): Promise<Omit<IndexFacts, "ms">> {
  const documents = await konteks.documents();
  const chunks = await Promise.all(documents.map((document) => konteks.chunks(document.id)));
  return {
    documents: documents.length,
    chunks: chunks.flat().length,
    tokens: chunks.flat().reduce((total, { chunk }) => total + chunk.tokens, 0),
    usage: {
      contexts: totalUsage(reports.map((report) => report.usage.contexts)),
      embeddings: totalUsage(reports.map((report) => report.usage.embeddings)),
    },
    simulated: chunks.flat().filter(({ context }) => isSimulated(context.text)).length,
    incomplete: reports.reduce((total, report) => total + report.incomplete.length, 0),
  };
}

function totalUsage(usages: readonly Usage[]): Usage {
  const none = { calls: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return usages.reduce(addUsage, none);
}

function refuseFailures(set: EvaluationSet, reports: readonly IngestReport[]): void {
  const wanted = set.sources && new Set(set.documents.map(({ id }) => id));
  const failures = reports.flatMap((report) => report.failed).filter(({ id }) => wanted?.has(id) ?? true);
  const [failed] = failures;
  if (failed !== undefined) {
    throw new KonteksError(
      "unreadable",
      `${failures.length === 1 ? "A document" : `${failures.length} documents`} could not be indexed, the first is "${failed.id}": ${withoutStop(failed.reason)}. Figures without would be wrong; correct or remove what failed.`,
      { facts: { failed: failures } },
    );
  }
  if (reports.every((report) => report.chunks === 0)) throw emptyIndex(set.name);
}

/** More chunks than this lack what a step is about, and the step is not what was measured. */
const MOST_INCOMPLETE = 0.05;

function refuseIncomplete({ incomplete, chunks }: IndexFacts, reports: readonly IngestReport[]): void {
  if (incomplete <= MOST_INCOMPLETE * chunks) return;
  const [first] = reports.flatMap((report) => report.incomplete);
  throw new KonteksError(
    "model-failed",
    `${incomplete} of ${chunks} chunks lack the context or vector that was asked for, so the figures would be of something else. The first reason: ${withoutStop(first?.reason ?? "unknown")}. Run it again: what was paid for is kept.`,
    { facts: { incomplete, chunks } },
  );
}

/** A reason is a sentence of its own; here it stands within one. */
export function withoutStop(reason: string): string {
  return reason.replace(/\.+$/, "");
}

export function emptyIndex(name: string): KonteksError {
  return new KonteksError(
    "no-text",
    `The index for "${name}" is empty, so there is nothing to evaluate. Ingest documents first.`,
    { facts: { name } },
  );
}

async function checkTexts(konteks: Konteks, set: EvaluationSet): Promise<void> {
  const texts = new Map(set.documents.map((document) => [document.id, document.text]));
  for (const id of new Set(
    set.questions.flatMap((question) => question.gold.map((gold) => gold.documentId)),
  )) {
    const record = await konteks.document(id);
    if (record === undefined || record.document.text !== texts.get(id)) throw changedText(id, set.name);
  }
}

function changedText(id: string, set: string): KonteksError {
  return new KonteksError(
    "wrong-option",
    `The gold passages of "${set}" were made for another text of "${id}" than the one that was indexed. Make them anew, or give the document as it was.`,
    { facts: { id, set } },
  );
}

/** The questions that an index's documents still fit; refuses an empty index. See `locateGold` for what is checked. */
export async function documentsOf(konteks: Konteks, name: string): Promise<readonly DocumentInput[]> {
  const summaries = await konteks.documents();
  if (summaries.length === 0) throw emptyIndex(name);
  const records = await Promise.all(summaries.map(({ id }) => konteks.document(id)));
  return records.flatMap((record) => {
    if (record === undefined) return [];
    const { id, text, title, uri, format, language, metadata } = record.document;
    return [{ id, text, title, uri, format, metadata, ...(language === undefined ? {} : { language }) }];
  });
}

/** Every nth question, so that a quick run sees all parts of the set. */
export function sample(questions: readonly Question[], atMost: number): readonly Question[] {
  const step = Math.max(1, questions.length / atMost);
  return questions.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
