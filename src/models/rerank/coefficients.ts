/** Placeholder until the first training. */
export const COEFFICIENTS: readonly number[] = [5];
