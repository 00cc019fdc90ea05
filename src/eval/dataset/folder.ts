import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import type { DocumentInput } from "../../spec/index.ts";
import type { DraftQuestion, GoldPassage, QuestionFile } from "../types.ts";
import { type Line, lineError, readJsonLines, readLines } from "./lines.ts";

const identified = { id: z.coerce.string().optional(), _id: z.coerce.string().optional() };

const documentShape = z.object({
  ...identified,
  title: z.string().default(""),
  text: z.string(),
  meta: z.object({ lang: z.string().optional() }).optional(),
});

const queryShape = z.object({
  ...identified,
  text: z.string().min(1),
  answers: z.array(z.string()).default([]),
  unanswerable: z.boolean().default(false),
  tags: z.array(z.string()).default([]),
});

/** Which of a BEIR folder's judgements are read. Default "test". */
export interface FolderOptions {
  readonly split?: string;
}

/**
 * Reads a folder with `corpus.jsonl`, `queries.jsonl` and judgements: either `qrels.tsv` with columns query-id,
 * doc-id, score, start, end (spans in UTF-16 units; empty: the whole document), or BEIR's `qrels/<split>.tsv`
 * (query-id, corpus-id, score). Judgements of score 0 are left out; so are queries of other splits.
 */
export async function readQuestionFolder(folder: string, options: FolderOptions = {}): Promise<QuestionFile> {
  const documents = await readCorpus(join(folder, "corpus.jsonl"));
  const { path, beir } = judgementFile(folder, options.split ?? "test");
  const gold = await readJudgements(path, new Set(documents.map((document) => document.id)));
  const queries = await readJsonLines(join(folder, "queries.jsonl"), queryShape);
  const questions = queries.map((query): DraftQuestion => {
    const id = idOf(query);
    return { ...pick(query), id, gold: gold.get(id) ?? [] };
  });
  refuseUnknown(gold, questions, path);
  const kept = beir ? questions.filter((question) => question.gold.length > 0) : questions;
  return { name: basename(folder), questions: kept, documents };
}

function judgementFile(folder: string, split: string): { path: string; beir: boolean } {
  const own = join(folder, "qrels.tsv");
  return existsSync(own)
    ? { path: own, beir: false }
    : { path: join(folder, "qrels", `${split}.tsv`), beir: true };
}

async function readCorpus(path: string): Promise<readonly DocumentInput[]> {
  const lines = await readJsonLines(path, documentShape);
  return lines.map((line) => {
    const language = line.meta?.lang;
    return {
      id: idOf(line),
      text: line.text,
      ...(line.title === "" ? {} : { title: line.title }),
      ...(language === "code" ? { format: "code" as const } : {}),
      ...(language === undefined || language === "code" ? {} : { language }),
    };
  });
}

function pick({ text, answers, unanswerable, tags, at }: z.infer<typeof queryShape> & { at: string }) {
  return { text, answers, unanswerable, tags, at };
}

function idOf(line: { id?: string | undefined; _id?: string | undefined; at: string }): string {
  const id = line.id ?? line._id;
  if (id === undefined || id === "") throw lineError(line.at, "neither id nor _id");
  return id;
}

type Judgements = Map<string, (GoldPassage & { at: string })[]>;

async function readJudgements(path: string, documents: ReadonlySet<string>): Promise<Judgements> {
  const judgements: Judgements = new Map();
  const [header, ...rows] = await readLines(path);
  for (const line of header === undefined || isHeader(header) ? rows : [header, ...rows]) {
    const { query, gold } = parseJudgement(line);
    if (!documents.has(gold.documentId)) {
      throw lineError(line.at, `document "${gold.documentId}" is not in corpus.jsonl`);
    }
    if (gold.grade > 0) judgements.set(query, [...(judgements.get(query) ?? []), gold]);
  }
  return judgements;
}

function isHeader(line: Line): boolean {
  return line.text.startsWith("query-id");
}

function parseJudgement(line: Line): { query: string; gold: GoldPassage & { at: string } } {
  const [query, documentId, score, start = "", end = ""] = line.text.split("\t");
  if (!query || !documentId || score === undefined) {
    throw lineError(line.at, "expected the columns query-id, doc-id, score (and start, end), parted by tabs");
  }
  const numbers = [score, start || "0", end || "0"].map(Number);
  const [grade = 0, from = 0, to = 0] = numbers;
  if (numbers.some((number) => !Number.isFinite(number)) || to < from || from < 0) {
    throw lineError(line.at, `score ${score}, start "${start}" and end "${end}" are no judgement`);
  }
  return { query, gold: { documentId, start: from, end: to, grade, at: line.at } };
}

function refuseUnknown(gold: Judgements, questions: readonly DraftQuestion[], path: string): void {
  const known = new Set(questions.map((question) => question.id));
  for (const [query, [first]] of gold) {
    if (!known.has(query)) throw lineError(first?.at ?? path, `query "${query}" is not in queries.jsonl`);
  }
}
