/** In the order of `FEATURES`. */
export const COEFFICIENTS: readonly number[] = [5.888, 1.84, 0.515];
