import fc from "fast-check";
import { expect, test } from "vitest";
import { kthLargest } from "./kth-largest.ts";

test("it is the one that sorting puts there", () => {
  const values = fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true })), {
    minLength: 1,
    maxLength: 200,
  });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 220 }), (list, k) => {
      const sorted = list.toSorted((a, b) => b - a);
      const found = kthLargest(Float64Array.from(list), k);
      expect(found === (sorted[Math.min(k, list.length) - 1] as number)).toBe(true);
    }),
  );
});

test("of nothing it is below everything", () => {
  expect(kthLargest(new Float64Array(0), 1)).toBe(Number.NEGATIVE_INFINITY);
});
