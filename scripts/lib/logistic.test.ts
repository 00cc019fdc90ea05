import fc from "fast-check";
import { expect, test } from "vitest";
import { fitLogistic, type LabelledCase, sigmoid } from "./logistic.ts";

const row = (label: boolean, ...features: number[]): LabelledCase => ({ features, label, weight: 1 });

/** The slope of the loss with a ridge, at a model: 0 where it is least. */
function slopes(
  cases: readonly LabelledCase[],
  ridge: number,
  intercept: number,
  coefficients: readonly number[],
) {
  const total = cases.reduce((sum, { weight }) => sum + weight, 0);
  return coefficients.map((coefficient, i) => {
    const pull = cases.map(({ features, label, weight }) => {
      const sum = coefficients.reduce((all, one, j) => all + one * (features[j] ?? 0), intercept);
      return (weight / total) * (Number(label) - sigmoid(sum)) * (features[i] ?? 0);
    });
    return pull.reduce((sum, one) => sum + one, 0) - ridge * coefficient;
  });
}

const cases = fc.array(
  fc.record({
    features: fc.tuple(...Array.from({ length: 3 }, () => fc.double({ min: -1, max: 1, noNaN: true }))),
    label: fc.boolean(),
    weight: fc.integer({ min: 1, max: 4 }),
  }),
  { minLength: 8, maxLength: 40 },
);

test("the loss is least where it ends, for any cases with both labels", () => {
  fc.assert(
    fc.property(cases, (given) => {
      fc.pre(given.some(({ label }) => label) && given.some(({ label }) => !label));
      const { intercept, coefficients } = fitLogistic(given, { ridge: 0.05 });
      for (const slope of slopes(given, 0.05, intercept, coefficients)) expect(slope).toBeCloseTo(0, 5);
    }),
  );
});

test("a feature of the wrong sign is left out", () => {
  const given = [row(true, 1, 0.9), row(true, 0.8, 1), row(false, 0, 0.1), row(false, 0.2, 0)];
  const { coefficients } = fitLogistic(given, { ridge: 0.01, signs: [1, -1] });
  expect(coefficients[0]).toBeGreaterThan(0);
  expect(coefficients[1]).toBe(0);
});

test("what weighs more counts more", () => {
  const given = [row(true, 1), { ...row(false, 1), weight: 3 }, row(false, 0), row(true, 0)];
  const { intercept, coefficients } = fitLogistic(given, { ridge: 1e-6 });
  expect(sigmoid(intercept + (coefficients[0] ?? 0))).toBeCloseTo(0.25, 2);
});
