import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { ResolvedConfig } from "../../../config/load.ts";
import { documentsOf, workbench } from "../../../eval/build.ts";
import { readQuestions, withCorpus } from "../../../eval/dataset/read.ts";
import type { EvaluationSet, QuestionFile } from "../../../eval/types.ts";
import { type DocumentInput, type IngestOptions, type Konteks, KonteksError } from "../../../spec/index.ts";
import { existingIndex, existingPath } from "../../paths.ts";
import { indexPath, note, type Session, withIndex } from "../../session.ts";
import { textFlag } from "./flags.ts";
import { leftOutOf } from "./left-out.ts";
import { refuseStale } from "./stale.ts";

/** Path of the question file: `--questions`, else questions.jsonl here. */
export function questionsPath(session: Pick<Session, "cwd" | "flags">): string {
  return resolve(session.cwd, textFlag(session, "questions") ?? "questions.jsonl");
}

/**
 * The questions with the documents they are asked of: the set's own corpus; else the folder, read as `konteks ingest`
 * reads it; else what is in the index, which must not be older than its files.
 */
export async function evaluationSet(
  session: Session,
  config: ResolvedConfig,
  folder: string | undefined,
): Promise<EvaluationSet> {
  const file = await readQuestions(questionsPath(session));
  refuseNone(file);
  if (file.documents !== undefined) return withCorpus(file, file.documents);
  if (folder === undefined) return setOfIndex(session, config, file);
  const path = existingPath(folder, session.cwd);
  note(session, session.io.notes.paint.dim(`reading ${folder}`));
  const { documents, leftOut } = await documentsOfFolder(session, config, path);
  refuseAmongDocuments(session, documents);
  return { ...withCorpus(file, documents, leftOut), sources: [path], reading: readingOf(session, config) };
}

/** An index that only holds the texts: quickly made, and gone afterwards. */
async function documentsOfFolder(
  session: Session,
  config: ResolvedConfig,
  path: string,
): Promise<Required<Pick<EvaluationSet, "documents" | "leftOut">>> {
  await using bench = await workbench(session.open);
  const plain = { path: bench.folder, context: "none", embedding: "none" } as const;
  // Awaited here, or the folder would be gone before the work is done.
  return await withIndex(session, plain, async (konteks) => {
    const report = await konteks.ingest(path, readingOf(session, config));
    const documents = await documentsOf(konteks, path);
    return { documents, leftOut: leftOutOf(session, report, documents) };
  });
}

async function setOfIndex(
  session: Session,
  config: ResolvedConfig,
  file: QuestionFile,
): Promise<EvaluationSet> {
  const path = existingIndex(indexPath(config, session.cwd), session.cwd, "eval");
  return withIndex(session, { path, mustExist: true, readOnly: true }, async (konteks) => {
    await refuseStale(konteks, config.ingest);
    const documents = await documentsOf(konteks, path);
    refuseAmongDocuments(session, documents);
    const set = withCorpus(file, documents);
    const sources = await foldersOf(konteks);
    return sources === undefined ? set : { ...set, sources, reading: readingOf(session, config) };
  });
}

function readingOf({ signal }: Session, { ingest }: ResolvedConfig): IngestOptions {
  return { ...ingest, signal };
}

/** The folders an index was made from, when all of its documents came from folders that are still there. */
async function foldersOf(konteks: Konteks): Promise<readonly string[] | undefined> {
  const sources = [...new Set((await konteks.documents()).map(({ source }) => source))];
  return sources.every((source) => existsSync(source)) ? sources : undefined;
}

/** Questions among the documents would be found in place of what answers them. */
export function refuseAmongDocuments(session: Session, documents: readonly DocumentInput[]): void {
  const path = questionsPath(session);
  if (!documents.some(({ uri }) => uri === path)) return;
  throw new KonteksError(
    "wrong-option",
    `The questions in ${path} lie among the documents and would be found in place of what answers them. Move the file out of the folder, or name it in a .konteksignore there and ingest again.`,
    { facts: { path } },
  );
}

export function refuseNone({ name, questions }: QuestionFile): void {
  if (questions.length > 0) return;
  throw new KonteksError(
    "wrong-option",
    `There is no question in "${name}". Add one with \`konteks eval add\`, or let a model write some with \`konteks eval generate\`.`,
    { facts: { name } },
  );
}
