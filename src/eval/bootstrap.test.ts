import { describe, expect, it } from "vitest";
import { bootstrap, percentile } from "./bootstrap.ts";
import { seededRandom } from "./random.ts";

function column(n: number, seed: number, share: number): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: n }, () => Number(random() < share));
}

describe("bootstrap", () => {
  it("agrees with the normal interval of a mean where n is large", () => {
    const values = column(2000, 7, 0.3);
    const [interval] = bootstrap([values]);
    const mean = values.reduce((total, value) => total + value, 0) / 2000;
    const error = Math.sqrt((mean * (1 - mean)) / 2000);
    expect(interval?.mean).toBeCloseTo(mean, 12);
    expect(Math.abs((interval?.error ?? 0) - error)).toBeLessThan(0.03 * error);
    expect(Math.abs((interval?.low ?? 0) - (mean - 1.96 * error))).toBeLessThan(0.1 * error);
    expect(Math.abs((interval?.high ?? 0) - (mean + 1.96 * error))).toBeLessThan(0.1 * error);
  });

  it("holds the true mean in about 95 of 100 samples", () => {
    let held = 0;
    for (let seed = 0; seed < 300; seed++) {
      const [interval] = bootstrap([column(100, seed, 0.4)], { resamples: 1000, seed });
      if (interval !== undefined && interval.low <= 0.4 && interval.high >= 0.4) held++;
    }
    expect(held / 300).toBeGreaterThan(0.91);
    expect(held / 300).toBeLessThan(0.98);
  });

  it("pairs: a small gain on every question is certain however much questions differ", () => {
    const before = column(100, 3, 0.5);
    const after = before.map((value) => value + 0.01);
    const [difference] = bootstrap([after.map((value, index) => value - (before[index] ?? 0))]);
    expect(difference?.low).toBeCloseTo(0.01, 9);
    expect(difference?.high).toBeCloseTo(0.01, 9);
  });

  it("is repeatable by its seed", () => {
    const values = column(50, 1, 0.5);
    expect(bootstrap([values], { seed: 5 })).toEqual(bootstrap([values], { seed: 5 }));
    expect(bootstrap([values], { seed: 5 })).not.toEqual(bootstrap([values], { seed: 6 }));
  });

  it("has no interval without questions and refuses columns that do not belong together", () => {
    expect(bootstrap([[], []])).toEqual([undefined, undefined]);
    expect(() => bootstrap([[1], [1, 2]])).toThrow(RangeError);
  });

  it("does 5 steps × 1,000 questions × 10,000 resamples in under 5 s", () => {
    const columns = [1, 2, 3, 4, 5].map((seed) => column(1000, seed, 0.8));
    const begun = performance.now();
    bootstrap(columns);
    const seconds = (performance.now() - begun) / 1000;
    console.info(`bootstrap, 5 × 1,000 × 10,000: ${seconds.toFixed(2)} s`);
    expect(seconds).toBeLessThan(5);
  });
});

describe("percentile", () => {
  it("interpolates as R's type 7 does", () => {
    expect(percentile([1, 2, 3, 4], 0.25)).toBeCloseTo(1.75, 12);
    expect(percentile([1, 2, 3, 4], 0.5)).toBeCloseTo(2.5, 12);
    expect(percentile([7], 0.95)).toBe(7);
  });
});
