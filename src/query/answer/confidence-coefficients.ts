import type { ConfidenceFeatures } from "./confidence-features.ts";

/*
 * Written by scripts/train-confidence.ts; do not edit. Trained on 9 sets (tat-qa, scifact, xquad-th, legalbench-rag-contractnli, idk-mrc-id, react-docs-id, xquad-vi, codebases, xquad-zh),
 * every set counting the same; ridge 0.0005. Figures, scored on sets that the coefficients had not seen, are in
 * docs/decisions/0007-answers-checked-not-trusted.md.
 */
export const INTERCEPT = -3.7;
export const COEFFICIENTS: Readonly<Record<keyof ConfidenceFeatures, number>> = {
  coverage: 0.899,
  window: 1.149,
  absent: -0.54,
  namesAbsent: -1.089,
  bm25: 0.95,
  gap: 0.623,
  rank: 0.78,
  density: 0.189,
  kindAbsent: -0.883,
  notDenied: -1.709,
  heading: -0.148,
  words: 0.495,
};
