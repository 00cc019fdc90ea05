import type { IndexFacts, QuestionRow } from "../rows.ts";
import type { Latency, Summary } from "../summary.ts";
import type { SweepSetting } from "./settings.ts";

/** A setting as it did on the half of the questions that chooses, and on the half that confirms. */
export interface SweepRow extends SweepSetting {
  /** Over all questions. */
  readonly summary: Summary;
  readonly chosenBy: Summary;
  readonly confirmedBy: Summary;
  readonly latency: Latency;
  readonly facts: IndexFacts;
  /** US dollars; undefined when prices are not known. */
  readonly cost: { readonly index: number | undefined; readonly thousandQueries: number | undefined };
  readonly rows: readonly QuestionRow[];
}
