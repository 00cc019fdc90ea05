import { recall } from "./recall.ts";

/**
 * pass@k as published with contextual retrieval: a question's score is the share of its gold chunks among the first k
 * results, and the figure is the mean over questions. That is recall@k with chunks as gold; the name is kept so that
 * figures stand beside published ones. (It is not the pass@k of code generation.)
 * Source: Anthropic cookbook, "Enhancing RAG with contextual retrieval" (2024), `evaluate_retrieval`.
 */
export const pass = recall;
