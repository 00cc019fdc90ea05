import type { ConfidenceFeatures } from "./confidence-features.ts";

/*
 * Written by scripts/train-confidence.ts; do not edit. Trained on 9 sets (tat-qa, scifact, xquad-th, legalbench-rag-contractnli, idk-mrc-id, react-docs-id, xquad-vi, codebases, xquad-zh),
 * every set counting the same; ridge 0.0005. Figures, scored on sets that the coefficients had not seen, are in
 * docs/decisions/0007-answers-checked-not-trusted.md.
 */
export const INTERCEPT = -3.114;
export const COEFFICIENTS: Readonly<Record<keyof ConfidenceFeatures, number>> = {
  coverage: 1.139,
  window: 0.429,
  absent: -0.885,
  namesAbsent: -1.892,
  bm25: 0.843,
  gap: 0.659,
  rank: 0.814,
  kindAbsent: -0.451,
  notDenied: -1.624,
  heading: -0.176,
  words: 0.504,
};
