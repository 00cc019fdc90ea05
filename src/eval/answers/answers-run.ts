import type { IndexFacts, RunResult } from "../rows.ts";
import type { AnswersResult } from "./run-answers.ts";

/** Answers as a run, whose rows can be kept in a file and compared with those of another: by question, paired. */
export function answersRun({ set, model, rows }: AnswersResult, index: IndexFacts): RunResult {
  return {
    set,
    setting: `answers, ${model ?? "extracts"}`,
    index,
    rows: rows.map(({ id, text, tags, ms, values, places }) => ({
      id,
      text,
      tags,
      ms,
      values,
      places,
      hits: [],
    })),
  };
}
