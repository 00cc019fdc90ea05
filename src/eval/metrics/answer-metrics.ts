import { abstentionRight, abstentionWrong } from "./abstention.ts";
import type { JudgedAnswer } from "./answer.ts";
import { citationAccuracy } from "./citation-accuracy.ts";
import { correct } from "./correct.ts";
import { goldInEvidence } from "./gold-in-evidence.ts";
import { gradedAgreement, gradedCorrectness } from "./graded.ts";
import { sentencesCitingGold } from "./sentences-citing-gold.ts";

export interface AnswerMetric {
  readonly better: "higher" | "lower";
  readonly of: (answer: JudgedAnswer) => number | undefined;
}

/** What answers are measured by. */
export const answerMetrics: Readonly<Record<string, AnswerMetric>> = {
  correct: { better: "higher", of: correct },
  "citation-accuracy": { better: "higher", of: citationAccuracy },
  "sentences-citing-gold": { better: "higher", of: sentencesCitingGold },
  "abstention-right": { better: "higher", of: abstentionRight },
  "abstention-wrong": { better: "lower", of: abstentionWrong },
  "gold-in-evidence": { better: "higher", of: goldInEvidence },
  "graded-correctness": {
    better: "higher",
    of: ({ verdicts }) => gradedCorrectness(verdicts),
  },
  "graded-agreement": { better: "higher", of: ({ verdicts }) => gradedAgreement(verdicts) },
};
