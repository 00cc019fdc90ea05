import type { Place } from "../judge.ts";
import type { Question } from "../types.ts";
import type { Verdicts } from "./graded.ts";

/** An answer as it is judged: its sentences, what each cites, and whether nothing was answered. */
export interface JudgedAnswer {
  readonly question: Pick<Question, "gold" | "unanswerable">;
  readonly abstained: boolean;
  readonly citations: readonly CitedPlace[];
  /** For each sentence of the answer, the indexes into `citations` of what it cites. */
  readonly sentences: readonly (readonly number[])[];
  /** Place of each gold passage in the evidence, from 1; null where it is not in it. */
  readonly places: readonly (number | null)[];
  /** Of a grading model; empty without one. */
  readonly verdicts: Verdicts;
}

export interface CitedPlace extends Place {
  /** Whether the quoted words stand in the source. */
  readonly verified: boolean;
}
