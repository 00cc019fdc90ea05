import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idf, normalisedFrequency, saturate } from "./bm25.ts";

describe("idf", () => {
  it("is Lucene's", () => {
    expect(idf(10, 1)).toBeCloseTo(Math.log(1 + 9.5 / 1.5), 12);
  });

  it("is above 0 for every term and falls with frequency", () => {
    const sizes = fc
      .integer({ min: 1, max: 1_000_000 })
      .chain((n) => fc.tuple(fc.constant(n), fc.nat({ max: n })));
    fc.assert(
      fc.property(sizes, ([chunks, frequency]) => {
        expect(idf(chunks, frequency)).toBeGreaterThan(0);
        if (frequency > 0) expect(idf(chunks, frequency)).toBeLessThan(idf(chunks, frequency - 1));
      }),
    );
  });
});

describe("normalisedFrequency", () => {
  it("is the plain frequency in a field of average length", () => {
    expect(normalisedFrequency(3, 100, 100, { b: 0.75 })).toBe(3);
  });

  it("counts less in a longer field, not at all for weight 0 or an unnamed field", () => {
    expect(normalisedFrequency(3, 200, 100, { b: 0.75 })).toBeLessThan(3);
    expect(normalisedFrequency(3, 200, 100, { b: 0 })).toBe(3);
    expect(normalisedFrequency(3, 100, 100, { weight: 0 })).toBe(0);
    expect(normalisedFrequency(3, 100, 100, undefined)).toBe(0);
  });

  it("is finite when every field is empty", () => {
    expect(normalisedFrequency(0, 0, 0, {})).toBe(0);
    expect(Number.isFinite(normalisedFrequency(1, 1, 0, {}))).toBe(true);
  });
});

describe("saturate", () => {
  it("grows from 0 at most to k1 + 1", () => {
    expect(saturate(0, 1.2)).toBe(0);
    expect(saturate(1, 1.2)).toBeCloseTo(1, 12);
    expect(saturate(1e9, 1.2)).toBeCloseTo(2.2, 6);
  });
});
