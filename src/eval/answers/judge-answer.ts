import { judge } from "../judge.ts";
import type { JudgedAnswer } from "../metrics/answer.ts";
import { answerMetrics } from "../metrics/answer-metrics.ts";
import type { Verdicts } from "../metrics/graded.ts";
import type { QuestionRow } from "../rows.ts";
import type { Question } from "../types.ts";
import type { AnswerRecord } from "./record.ts";

/**
 * What became of a question. "right": answered rightly, or rightly not answered. "not answered": it has an answer.
 * "made up": it has none and was answered all the same. "not scored": neither gold nor a grade tells.
 */
export type Outcome = "right" | "wrong" | "not answered" | "made up" | "not scored";

/**
 * Why a question came out wrong. "retrieval": a passage that answers was not in the evidence, so nothing could have been
 * made of it. "answer": all were there, or there is none; what answers (the model, or the choice of extracts) erred.
 */
export type Fault = "retrieval" | "answer";

/** What one question got answered, and what that is worth. Time is until the answer, places are those in the evidence. */
export interface AnswerRow extends Omit<QuestionRow, "hits"> {
  readonly outcome: Outcome;
  /** Of a question that did not come out right; undefined where no gold tells. */
  readonly fault?: Fault;
  /** What the grading model said, one for each run. */
  readonly verdicts: Verdicts;
  readonly answer: AnswerRecord;
}

export function judgeAnswer(question: Question, answer: AnswerRecord, verdicts: Verdicts = []): AnswerRow {
  const { id, text, tags, gold } = question;
  const { places } = judge(
    answer.evidence.map((place) => ({ ...place, score: 0, tokens: 0 })),
    gold,
  );
  const judged: JudgedAnswer = {
    question,
    abstained: answer.kind === "none",
    citations: answer.citations,
    sentences: answer.sentences,
    places,
    verdicts,
  };
  const values = Object.entries(answerMetrics).flatMap(([name, { of }]) => {
    const value = of(judged);
    return value === undefined ? [] : [[name, value] as const];
  });
  const outcome = outcomeOf(judged, Object.fromEntries(values).correct);
  const fault = faultOf(outcome, judged);
  return {
    id,
    text,
    tags,
    ms: answer.ms,
    values: Object.fromEntries(values),
    outcome,
    ...(fault && { fault }),
    places,
    verdicts,
    answer,
  };
}

/** A majority of the grading runs decides. */
function outcomeOf({ question, abstained }: JudgedAnswer, correct: number | undefined): Outcome {
  if (correct === undefined) return "not scored";
  if (correct > 0.5) return "right";
  if (question.unanswerable) return "made up";
  return abstained ? "not answered" : "wrong";
}

function faultOf(outcome: Outcome, { question, places }: JudgedAnswer): Fault | undefined {
  if (outcome === "right" || outcome === "not scored") return undefined;
  if (outcome === "made up") return "answer";
  if (question.gold.length === 0) return undefined;
  return places.includes(null) ? "retrieval" : "answer";
}
