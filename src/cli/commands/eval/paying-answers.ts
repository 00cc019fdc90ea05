import { join, resolve } from "node:path";
import type { ResolvedConfig } from "../../../config/load.ts";
import { estimateAnswers } from "../../../eval/answers/estimate.ts";
import type { AnswersOptions, Grader } from "../../../eval/answers/run-answers.ts";
import type { EvaluationSet } from "../../../eval/types.ts";
import { costOf, priceOf } from "../../../llm/prices.ts";
import { resolveLanguageModel } from "../../../models/resolve.ts";
import type { AskOptions, Usage } from "../../../spec/index.ts";
import { count } from "../../print/layout.ts";
import { indexPath, note, type Session } from "../../session.ts";
import { numberFlag, textFlag, wrongFlag } from "./flags.ts";
import { agree, isAgreed } from "./paying.ts";

/** The model of `--grader`, ready to be called; undefined when none was named. */
export async function graderOf(session: Session, { open }: ResolvedConfig): Promise<Grader | undefined> {
  const typed = textFlag(session, "grader");
  const runs = numberFlag(session, "gradeRuns") ?? 3;
  if (!Number.isInteger(runs) || runs < 1)
    throw wrongFlag("grade-runs", `must be a whole number from 1, not '${runs}'`);
  if (typed === undefined) return undefined;
  const { id, model } = await resolveLanguageModel(typed, open);
  return { model, modelId: id, runs };
}

/** Tells what answers and grades cost at most before any is asked for; goes on only with the user's consent. */
export async function priceAnswers(
  session: Session,
  set: EvaluationSet,
  { open }: ResolvedConfig,
  ask: AskOptions,
  grader: Grader | undefined,
): Promise<void> {
  const sentence = answersPrice(set, open.contextPrices, ask, grader);
  if (sentence !== undefined) await agree(session, sentence);
}

/**
 * How a ladder or a sweep asks, each question so many times: the model where one is set and the price is agreed to, else
 * extracts. What was not agreed to ends nothing: the rest of the measurement needs no model.
 */
export async function answersBeside(
  session: Session,
  config: ResolvedConfig,
  set: EvaluationSet,
  folder: string | undefined,
  times = 1,
): Promise<AnswersOptions> {
  const { model } = config.open;
  const grader = await graderOf(session, config);
  const extracts = { signal: session.signal };
  // Corrective retrieval would hide what the measured search alone is worth.
  const ask = { correct: false, ...(model !== undefined && { model }) } as const;
  const price = answersPrice(set, config.open.contextPrices, { ...ask, whole: "never" }, grader, times);
  if (price === undefined) return extracts;
  if (!(await isAgreed(session, price, "Ask it?"))) {
    note(
      session,
      "Not agreed to: answers are extracts, and nothing is graded. Add --yes to have the model asked.",
    );
    return extracts;
  }
  const index = indexPath(config, resolve(session.cwd, folder ?? "."));
  return {
    ...extracts,
    ask,
    ...(config.open.contextPrices && { prices: config.open.contextPrices }),
    ...(grader && { grader }),
    journal: answersJournal(index),
  };
}

/** File of paid answers and grades, beside the index. */
export function answersJournal(index: string): string {
  return join(index, "eval", "answers.journal.jsonl");
}

/** What asking costs at most, in a sentence; `times`: how often each question is asked. Undefined without a model. */
export function answersPrice(
  set: EvaluationSet,
  prices: ResolvedConfig["open"]["contextPrices"],
  ask: AskOptions,
  grader: Grader | undefined,
  times = 1,
): string | undefined {
  const model = typeof ask.model === "string" ? ask.model : undefined;
  const { answers, grades } = estimateAnswers(set, model, ask, grader === undefined ? 0 : (grader.runs ?? 3));
  const parts = [
    ...(model === undefined ? [] : [partOf(model, "answer", answers, times, prices)]),
    ...(grader === undefined ? [] : [partOf(grader.modelId, "grade", grades, times, prices)]),
  ];
  if (parts.length === 0) return undefined;
  return `${parts.join("; ")}. Questions and passages of your documents are sent. Replies of an earlier run are not paid for again.`;
}

function partOf(
  model: string,
  what: string,
  usage: Usage,
  times: number,
  prices: ResolvedConfig["open"]["contextPrices"],
): string {
  const cost = costOf(usage, priceOf(model, prices));
  const price =
    cost === undefined ? "at an unknown price" : `for at most about $${(times * cost).toFixed(2)}`;
  return `${model} would ${what} (at most ${count(times * usage.calls, "call")}, ${price})`;
}
