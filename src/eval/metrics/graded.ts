/** Verdicts of a grading model on one answer, one for each run. */
export type Verdicts = readonly boolean[];

/** Model-graded correctness = runs that call the answer correct / runs. Not scored without runs. */
export function gradedCorrectness(verdicts: Verdicts): number | undefined {
  return verdicts.length === 0 ? undefined : verdicts.filter(Boolean).length / verdicts.length;
}

/**
 * Agreement of the grader with itself = pairs of runs with the same verdict / pairs of runs. 1 when every run says the
 * same; a half is what coin tosses give. Not scored with fewer than two runs.
 * Source: the observed agreement P_i of Fleiss, "Measuring nominal scale agreement among many raters" (1971).
 */
export function gradedAgreement(verdicts: Verdicts): number | undefined {
  if (verdicts.length < 2) return undefined;
  const correct = verdicts.filter(Boolean).length;
  return (pairs(correct) + pairs(verdicts.length - correct)) / pairs(verdicts.length);
}

function pairs(count: number): number {
  return (count * (count - 1)) / 2;
}
