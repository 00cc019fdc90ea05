/*
 * Written by scripts/train-reranker.ts; do not edit. Trained on the first 50 candidates of the default search over
 * 10 sets (codebases in published chunks, tat-qa, scifact, xquad-th, legalbench-rag-contractnli, idk-mrc-id, react-docs-id, xquad-vi, codebases, xquad-zh),
 * at most 450 questions of each, every set counting the same; ridge 0.02. Figures, scored on sets that
 * the coefficients had not seen, are in docs/decisions/0012-built-in-reranker.md.
 */

/** In the order of `FEATURES`. */
export const COEFFICIENTS: readonly number[] = [
  5.82, // fused score
  2.282, // words together
];
