/** A share in per cent: "93.2" of 0.932. The minus is as wide as a plus, and what rounds to nothing has none. */
export function tenths(share: number): string {
  const text = (100 * share).toFixed(1);
  return text === "-0.0" ? "0.0" : text.replace("-", "−");
}

/** Whether a difference and its interval all round to nothing. */
export function isNothing({ mean, low, high }: { mean: number; low: number; high: number }): boolean {
  return [mean, low, high].every((value) => tenths(value) === "0.0");
}
