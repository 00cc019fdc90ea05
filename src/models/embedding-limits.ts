/**
 * Longest input by family of models, in tokens, as their pages state it: OpenAI "Vector embeddings" (8,192), Voyage
 * "Text Embeddings" (32,000; voyage-2 4,000), Cohere "Embed" (v3 512, v4 128,000), Mistral "Embeddings" (8,192), Google
 * "Embeddings" (gemini-embedding-001 2,048). Token counts are estimated with another tokenizer, so a tenth is held back.
 */
const limits: readonly (readonly [RegExp, number])[] = [
  [/^text-embedding-(3|ada)/, 8_192],
  [/^voyage-(3|4|code-3|context)/, 32_000],
  [/^voyage/, 4_000],
  [/^embed-v4/, 128_000],
  [/^embed-/, 512],
  [/^(mistral|codestral)-embed/, 8_192],
  [/^gemini-embedding/, 2_048],
];

/** Undefined for a model that is not in the table: then nothing is cut into windows. */
export function embeddingTokenLimit(modelId: string): number | undefined {
  const limit = limits.find(([pattern]) => pattern.test(modelId))?.[1];
  return limit === undefined ? undefined : Math.floor(limit * 0.9);
}
