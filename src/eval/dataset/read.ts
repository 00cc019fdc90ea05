import { stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { DocumentInput } from "../../spec/index.ts";
import { KonteksError } from "../../spec/index.ts";
import type { LeftOut } from "../left-out.ts";
import type { DraftQuestion, EvaluationSet, QuestionFile } from "../types.ts";
import { readQuestionCsv } from "./csv.ts";
import { type FolderOptions, readQuestionFolder } from "./folder.ts";
import { readQuestionLines } from "./jsonl.ts";
import { locateGold } from "./locate.ts";

/** Reads a question set of any format: `.jsonl` of ours, `.csv`/`.tsv`, or a folder with its corpus (ours or BEIR's). */
export async function readQuestions(path: string, options: FolderOptions = {}): Promise<QuestionFile> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw noSuchSet(path);
  if (found.isDirectory()) return readQuestionFolder(path, options);
  const questions = await readFileByEnding(path);
  return { name: basename(path, extname(path)), questions };
}

function readFileByEnding(path: string): Promise<readonly DraftQuestion[]> {
  const ending = extname(path).toLowerCase();
  if (ending === ".csv" || ending === ".tsv") return readQuestionCsv(path);
  if (ending === ".jsonl" || ending === ".ndjson") return readQuestionLines(path);
  throw new KonteksError(
    "unsupported-format",
    `${path} is no question set: "${ending}" is not read. Give a .jsonl or .csv file, or a folder with corpus.jsonl, queries.jsonl and qrels.`,
    { facts: { path } },
  );
}

/** Reads a folder that carries its own corpus, with all gold as spans. */
export async function readEvaluationSet(folder: string, options: FolderOptions = {}): Promise<EvaluationSet> {
  const { name, questions, documents = [] } = await readQuestions(folder, options);
  return withCorpus({ name, questions }, documents);
}

/** Puts questions and the documents they are asked of together; gold must stand in the documents, and not in `leftOut`. */
export function withCorpus(
  file: QuestionFile,
  documents: readonly DocumentInput[],
  leftOut: readonly LeftOut[] = [],
): EvaluationSet {
  const questions = locateGold(file.questions, documents, leftOut);
  return { name: file.name, questions, documents, ...(leftOut.length > 0 && { leftOut }) };
}

function noSuchSet(path: string): KonteksError {
  return new KonteksError(
    "not-found",
    `There are no questions at ${path}. Write them as a CSV (question, quote, document), add one with \`konteks eval add "<question>" --gold "<file>#<words that answer>"\`, let a model write some with \`konteks eval generate\`, or give another path with --questions.`,
    {
      facts: { path },
    },
  );
}
