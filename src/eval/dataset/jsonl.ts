import { z } from "zod";
import type { DraftQuestion, GoldPassage, Question, QuotedGold } from "../types.ts";
import { lineError, readJsonLines } from "./lines.ts";

const goldShape = z
  .object({
    document: z.string().min(1),
    start: z.int().nonnegative().optional(),
    end: z.int().nonnegative().optional(),
    quote: z.string().min(1).optional(),
    grade: z.number().positive().default(1),
  })
  .strict();

const questionShape = z
  .object({
    id: z.string().min(1),
    text: z.string().min(1),
    gold: z.array(goldShape).default([]),
    tags: z.array(z.string()).default([]),
    unanswerable: z.boolean().default(false),
    answers: z.array(z.string()).default([]),
  })
  .strict();

/**
 * Reads our own format, one JSON object a line:
 * `{id, text, gold: [{document, start, end} | {document, quote}], tags?, unanswerable?, answers?}`.
 * Gold with neither offsets nor quote means the whole document.
 */
export async function readQuestionLines(path: string): Promise<readonly DraftQuestion[]> {
  const lines = await readJsonLines(path, questionShape);
  return lines.map((line) => {
    if (line.unanswerable && line.gold.length > 0) {
      throw lineError(line.at, `question "${line.id}" is marked unanswerable but has gold passages`);
    }
    return { ...line, gold: line.gold.map((gold) => toGold(gold, line.at)) };
  });
}

function toGold(gold: z.infer<typeof goldShape>, at: string): GoldPassage | QuotedGold {
  const { document: documentId, start, end, quote, grade } = gold;
  if ((start === undefined) !== (end === undefined)) throw lineError(at, "start and end belong together");
  if (start !== undefined && end !== undefined) {
    if (end < start) throw lineError(at, `the passage ends (${end}) before it starts (${start})`);
    return { documentId, start, end, grade, ...(quote === undefined ? {} : { quote }) };
  }
  return quote === undefined ? { documentId, start: 0, end: 0, grade } : { documentId, quote, grade };
}

/** One line of our own format; `readQuestionLines` reads back what this writes. */
export function questionLine(question: Question): string {
  const gold = question.gold.map(({ documentId, start, end, quote, grade }) => ({
    document: documentId,
    start,
    end,
    ...(quote === undefined ? {} : { quote }),
    ...(grade === 1 ? {} : { grade }),
  }));
  return JSON.stringify({
    id: question.id,
    text: question.text,
    gold,
    ...(question.tags.length === 0 ? {} : { tags: question.tags }),
    ...(question.unanswerable ? { unanswerable: true } : {}),
    ...(question.answers.length === 0 ? {} : { answers: question.answers }),
  });
}
