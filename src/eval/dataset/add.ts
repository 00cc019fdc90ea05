import { appendFile, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { KonteksError } from "../../spec/index.ts";
import type { DraftQuestion, Question, QuotedGold } from "../types.ts";
import { writing } from "../writing.ts";
import { questionLine, readQuestionLines } from "./jsonl.ts";
import { readText } from "./lines.ts";
import { locateGold, type SourceText } from "./locate.ts";

export interface NewQuestion {
  readonly text: string;
  /** Passages by their words; none: the corpus holds no answer. */
  readonly gold: readonly { readonly documentId: string; readonly quote: string; readonly grade?: number }[];
  readonly tags?: readonly string[];
  readonly answers?: readonly string[];
}

/**
 * Puts a question at the end of a file of JSON lines, which is made when missing. Its passages are looked up first, and
 * their offsets stored beside the words. Refuses a quote that is not found or found twice, and a question that is there.
 */
export async function addQuestion(
  path: string,
  added: NewQuestion,
  documents: readonly SourceText[],
): Promise<Question> {
  const there = (await exists(path)) ? await readQuestionLines(path) : [];
  const twin = there.find((question) => question.text.trim() === added.text.trim());
  if (twin !== undefined) {
    throw new KonteksError(
      "wrong-option",
      `The question stands at ${twin.at} already. Ask something else, or edit that line.`,
      {
        facts: { at: twin.at },
      },
    );
  }
  const [question] = locateGold([draftOf(added, freeId(new Set(there.map(({ id }) => id))))], documents);
  if (question === undefined) throw new TypeError("locateGold lost a question");
  await append(path, there.length > 0, [question]);
  return question;
}

/**
 * Puts the questions of another file (CSV, JSON lines) at the end of a file of JSON lines, their passages looked up and
 * stored with offsets. Those that stand there already are left as they are. All or none: a passage that does not stand
 * where it should is reported by line, and nothing is added.
 */
export async function addQuestions(
  path: string,
  added: readonly DraftQuestion[],
  documents: readonly SourceText[],
): Promise<readonly Question[]> {
  const there = (await exists(path)) ? await readQuestionLines(path) : [];
  const known = new Set(there.map(({ text }) => text.trim()));
  const taken = new Set(there.map(({ id }) => id));
  const questions = locateGold(added, documents)
    .filter(({ text }) => !known.has(text.trim()))
    .map((question) => ({
      ...question,
      id: taken.has(question.id) ? freeId(taken) : claimed(question.id, taken),
    }));
  if (questions.length > 0) {
    await append(path, there.length > 0, questions);
  }
  return questions;
}

function claimed(id: string, taken: Set<string>): string {
  taken.add(id);
  return id;
}

function draftOf({ text, gold, tags = [], answers = [] }: NewQuestion, id: string): DraftQuestion {
  const passages = gold.map((passage): QuotedGold => ({ grade: 1, ...passage }));
  return { id, text, gold: passages, tags, answers, unanswerable: gold.length === 0, at: "the new question" };
}

/** The first of q1, q2, … from the number of questions on that none has; it is taken then. */
function freeId(taken: Set<string>): string {
  let number = taken.size + 1;
  while (taken.has(`q${number}`)) number++;
  return claimed(`q${number}`, taken);
}

async function append(path: string, hasLines: boolean, questions: readonly Question[]): Promise<void> {
  const lines = questions.map(questionLine).join("\n");
  const text = `${await lineBreak(path, hasLines)}${lines}\n`;
  await writing(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    await appendFile(path, text);
  });
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** A file written by hand may not end its last line. */
async function lineBreak(path: string, hasLines: boolean): Promise<string> {
  return hasLines && !(await readText(path)).endsWith("\n") ? "\n" : "";
}
