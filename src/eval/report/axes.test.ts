import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { millisecondsAcross, percentAcross, percentUp, roomy } from "./axes.ts";

describe("axes", () => {
  it("hold every value, span ten points at least, and stay within per cent", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1 }), (values) => {
        const [low, high] = roomy(values);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(100);
        expect(high - low).toBeGreaterThanOrEqual(10);
        expect(Math.min(...values)).toBeGreaterThanOrEqual(low);
        expect(Math.max(...values)).toBeLessThanOrEqual(high);
        for (const { ticks } of [percentUp("x", values), percentAcross("x", values, 230)]) {
          expect(ticks.length).toBeGreaterThanOrEqual(2);
          expect(ticks.every((tick) => Number.isInteger(tick) && tick >= low && tick <= high)).toBe(true);
        }
      }),
    );
  });

  it("are whole where all values are equal", () => {
    expect(roomy([100, 100])).toEqual([90, 100]);
    expect(roomy([0])).toEqual([0, 10]);
    expect(percentUp("recall", [100]).ticks).toEqual([90, 92, 94, 96, 98, 100]);
    expect(millisecondsAcross("ms", [3, 3]).ticks).toEqual([2]);
  });
});
