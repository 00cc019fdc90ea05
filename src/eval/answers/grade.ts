import { z } from "zod";
import type { Verdicts } from "../metrics/graded.ts";
import type { PaidCalls } from "../paid.ts";
import type { Question } from "../types.ts";
import { gradePrompt, gradeRules, gradeSchema } from "./grade-prompt.ts";
import type { AnswerRecord } from "./record.ts";

const shape = z.object({ correct: z.boolean() });

/**
 * Has a model say whether an answer is correct, held against the gold passages and reference answers, as often as asked:
 * the same words each time, so that what differs is the grader's own doubt. A reply of another form counts as no run.
 * Nothing is asked of a question without either, or of one that was not answered.
 * Source: Zheng et al., "Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena" (2023), on grading by reference.
 */
export async function gradeAnswer(
  question: Question,
  answer: AnswerRecord,
  goldTexts: readonly string[],
  calls: PaidCalls,
  runs: number,
): Promise<Verdicts> {
  if (!isGradable(question) || answer.kind === "none") return [];
  const prompt = gradePrompt(question, answer.text, goldTexts);
  const verdicts: boolean[] = [];
  for (let run = 0; run < runs; run++) {
    const reply = shape.safeParse(await calls.ask(gradeRules, prompt, gradeSchema, run)).data;
    if (reply !== undefined) verdicts.push(reply.correct);
  }
  return verdicts;
}

export function isGradable({ unanswerable, gold, answers }: Question): boolean {
  return !unanswerable && (answers.length > 0 || gold.some(({ start, end }) => end > start));
}
