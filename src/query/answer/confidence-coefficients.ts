import type { ConfidenceFeatures } from "./confidence-features.ts";

/*
 * Written by scripts/train-confidence.ts; do not edit. Trained on 9 sets (tat-qa, scifact, xquad-th, legalbench-rag-contractnli, idk-mrc-id, react-docs-id, xquad-vi, codebases, xquad-zh),
 * every set counting the same; ridge 0.0005. Figures, scored on sets that the coefficients had not seen, are in
 * docs/decisions/0007-answers-checked-not-trusted.md.
 */
export const INTERCEPT = -3.38;
export const COEFFICIENTS: Readonly<Record<keyof ConfidenceFeatures, number>> = {
  coverage: 0.77,
  window: 1.043,
  absent: -0.633,
  namesAbsent: -1.12,
  bm25: 0.934,
  gap: 0.622,
  rank: 0.8,
  density: 0.116,
  kindAbsent: -0.788,
  notDenied: -1.677,
  heading: -0.374,
  words: 0.446,
};
