import type { Reranker, RerankRequest, RerankScore } from "../../spec/index.ts";
import { COEFFICIENTS } from "./coefficients.ts";
import { FEATURES, featuresOf } from "./features.ts";

/**
 * A reranker without a model: a weighted sum of what can be read off the lists and the candidates' words, so that every
 * score can be taken apart. `coefficients.ts` says how the weights came about.
 */
export function createBuiltInReranker(coefficients: readonly number[] = COEFFICIENTS): Reranker {
  return {
    id: "built-in",
    kind: "built-in",
    rerank: async (request) => scoresOf(request, coefficients),
  };
}

function scoresOf(request: RerankRequest, coefficients: readonly number[]): readonly RerankScore[] {
  return featuresOf(request).map((values, index) => {
    const parts: Record<string, number> = {};
    let score = 0;
    FEATURES.forEach((name, i) => {
      const part = (coefficients[i] ?? 0) * (values[i] ?? 0);
      if (part === 0) return;
      parts[name] = part;
      score += part;
    });
    return { index, score, parts };
  });
}
