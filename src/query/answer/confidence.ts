import { COEFFICIENTS, INTERCEPT } from "./confidence-coefficients.ts";
import type { ConfidenceFeatures } from "./confidence-features.ts";

/** How sure it is, from 0 to 1, that the best of some sentences answers. */
export function confidenceOf(features: ConfidenceFeatures): number {
  const names = Object.keys(COEFFICIENTS) as (keyof ConfidenceFeatures)[];
  const sum = names.reduce((total, name) => total + COEFFICIENTS[name] * features[name], INTERCEPT);
  return 1 / (1 + Math.exp(-sum));
}
