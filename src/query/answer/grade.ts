import { fence } from "../../llm/fence.ts";
import { type Evidence, isKonteksError, KonteksError } from "../../spec/index.ts";
import type { Caller } from "./caller.ts";
import { dataRules, questionPrompt, sourcesPrompt } from "./generate-prompt.ts";
import { numbersIn } from "./lists.ts";

export type Grade = "sufficient" | "partial" | "irrelevant" | "conflicting";

/** What a model says of the passages that were found. */
export interface Graded {
  readonly grade: Grade;
  /** Numbers of the passages that bear on the question. */
  readonly relevant: readonly number[];
  /** Questions to search for next: the question in other words, or its parts. At most three. */
  readonly questions: readonly string[];
}

/** Room for a grade and three questions, and for a model that thinks first. */
export const GRADE_OUTPUT_TOKENS = 1_500;

const rules = [
  "You judge whether numbered sources hold the answer to a question. You do not answer it.",
  ...dataRules,
  "Write these lines and nothing else:",
  "GRADE: sufficient | partial | irrelevant | conflicting",
  "RELEVANT: the numbers of the sources that bear on the question, such as 1, 4; or none",
  "SEARCH: a question to search for what is missing (a line each, at most three; none when the grade is sufficient)",
  "A question of several parts becomes one SEARCH line for each part that is missing. Use words that a document would use: other terms, full names instead of abbreviations. Keep the question's language.",
].join("\n");

/** Asks for a grade. Undefined when the reply holds none: then nothing is known, and nothing is done about it. */
export async function gradeEvidence(
  question: string,
  excerpts: readonly Evidence[],
  caller: Caller,
  signal: AbortSignal | undefined,
): Promise<Graded | undefined> {
  const front = excerpts.length > 0 ? [{ text: sourcesPrompt(excerpts) }] : [];
  const nothing = excerpts.length === 0 ? `${fence("instructions", "The search found no source.")}\n\n` : "";
  const reply = await caller.call({
    purpose: "grade",
    system: rules,
    front,
    prompt: nothing + questionPrompt(question),
    maxOutputTokens: GRADE_OUTPUT_TOKENS,
    signal,
  });
  return readGrade(reply.text, excerpts.length);
}

/** What a grading call sends, for the estimate of its cost. */
export function gradePromptOf(question: string, excerpts: readonly Evidence[]): string {
  return [rules, sourcesPrompt(excerpts), questionPrompt(question)].join("\n");
}

export function readGrade(reply: string, count: number): Graded | undefined {
  const field = (name: string) =>
    [...reply.matchAll(new RegExp(`^[^\\p{L}\\n]*${name}[*_\\s]*[:：][ \\t*_]*(.*)$`, "gimu"))].map(
      (match) => match[1]?.trim() ?? "",
    );
  const grade = /sufficient|partial|irrelevant|conflicting/i
    .exec(field("grade")[0] ?? "")?.[0]
    ?.toLowerCase();
  if (grade === undefined || /insufficient|not sufficient/i.test(field("grade")[0] ?? "")) return undefined;
  const list = field("relevant")[0] ?? "";
  const listed = numbersIn(list).length > 0 ? numbersIn(list) : [...list.matchAll(/\d+/g)].map(Number);
  const questions = field("search").filter((line) => /\p{L}/u.test(line) && !/^\W*none\W*$/i.test(line));
  return {
    grade: grade as Grade,
    relevant: [...new Set(listed)].filter((number) => number >= 1 && number <= count),
    questions: [...new Set(questions.map((line) => line.slice(0, 500)))].slice(0, 3),
  };
}

/** Whether a call ended because its own time was over, not because the user stopped or the provider failed. */
export function isOutOfTime(error: unknown, signal: AbortSignal | undefined): boolean {
  return isKonteksError(error, "aborted") && signal?.aborted !== true && error instanceof KonteksError;
}
