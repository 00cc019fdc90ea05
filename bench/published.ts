/**
 * Mean share of a question's gold chunks among the first k on `codebases`, in per cent, as published with contextual
 * retrieval (voyage-2 embeddings, Cohere's reranker).
 */
export const publishedLadder = [
  { name: "embeddings (voyage-2)", step: "basic", at: { 5: 80.92, 10: 87.15, 20: 90.06 } },
  { name: "contextual embeddings", step: "LLM context", at: { 5: 86.37, 10: 92.81, 20: 93.78 } },
  { name: "+ contextual BM25", step: "hybrid", at: { 5: 86.43, 10: 93.21, 20: 94.99 } },
  { name: "+ rerank (Cohere)", step: "rerank", at: { 5: 91.24, 10: 94.79, 20: 96.3 } },
] as const;
