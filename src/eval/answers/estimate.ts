import { estimateTokens } from "../../llm/estimate-tokens.ts";
import { modelFacts } from "../../llm/model-facts.ts";
import { type AskOptions, NO_USAGE, type Usage } from "../../spec/index.ts";
import type { EvaluationSet, Question } from "../types.ts";
import { isGradable } from "./grade.ts";

export interface AnswersEstimate {
  /** Of the answers at most; `usage` counts every call that correction may make. */
  readonly answers: Usage;
  readonly grades: Usage;
}

/** Rules, question, headings and orientation around the passages. */
const FRAME_TOKENS = 1_500;
/** Of a reply with its quotes. */
const REPLY_TOKENS = 500;
const GRADE_TOKENS = 120;

/** Calls and tokens that answering and grading a set's questions takes at most, for a price before anything is paid. */
export function estimateAnswers(
  { questions, documents }: Pick<EvaluationSet, "questions" | "documents">,
  modelId: string | undefined,
  ask: AskOptions = {},
  gradeRuns = 0,
): AnswersEstimate {
  const tokens = documents.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  const whole = isWhole(tokens, modelId, ask);
  const sources = whole ? tokens : Math.min(tokens, ask.evidenceTokens ?? 16_000);
  const calls = modelId === undefined ? 0 : questions.length * (whole ? 1 : 1 + corrections(ask));
  const graded = modelId === undefined && gradeRuns === 0 ? [] : questions.filter(isGradable);
  const shown = graded.map((question) => referenceTokens(question) + REPLY_TOKENS + 300);
  return {
    answers: usage(calls, calls * (sources + FRAME_TOKENS), calls * REPLY_TOKENS),
    grades: usage(
      gradeRuns * graded.length,
      gradeRuns * shown.reduce((sum, each) => sum + each, 0),
      gradeRuns * graded.length * GRADE_TOKENS,
    ),
  };
}

function usage(calls: number, inputTokens: number, outputTokens: number): Usage {
  return { ...NO_USAGE, calls, inputTokens: Math.ceil(inputTokens), outputTokens };
}

/** As `ask` decides it: everything that fits is sent, unless the search is restricted or tuned. */
function isWhole(tokens: number, modelId: string | undefined, ask: AskOptions): boolean {
  const { whole = "auto", wholeLimit = 200_000, filter, k, vector, mode } = ask;
  const restricted = [filter, k, vector, mode].some((value) => value !== undefined);
  if (modelId === undefined || whole === "never" || (whole === "auto" && restricted)) return false;
  return tokens <= Math.min(wholeLimit, modelFacts(modelId).windowTokens);
}

function corrections({ correct = true }: AskOptions): number {
  if (correct === false) return 0;
  return correct === true ? 3 : (correct.maxCalls ?? 3);
}

function referenceTokens({ gold, answers }: Question): number {
  const characters = gold.reduce((sum, { start, end }) => sum + end - start, 0);
  return characters / 3 + answers.reduce((sum, answer) => sum + estimateTokens(answer), 0);
}
