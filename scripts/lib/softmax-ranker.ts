/** Candidates of one question: their features, and which of them are right. */
export interface Example {
  readonly rows: readonly (readonly number[])[];
  readonly right: readonly boolean[];
}

const STEPS = 200;
const RATE = 0.1;

/**
 * Weights that make the right candidates likely under a softmax of the weighted sums, by gradient descent (Adam). Groups
 * count the same, whatever their size; questions with nothing to choose from are passed over.
 */
export function train(
  groups: readonly (readonly Example[])[],
  features: number,
  ridge: number,
): readonly number[] {
  const useful = groups
    .map((examples) => examples.filter(({ right }) => right.includes(true) && right.includes(false)))
    .filter((examples) => examples.length > 0);
  const weights = new Array<number>(features).fill(0);
  const [mean, square] = [weights.map(() => 0), weights.map(() => 0)];
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight) => ridge * weight);
    for (const examples of useful)
      for (const example of examples)
        addGradient(gradient, example, weights, 1 / (examples.length * useful.length));
    for (let j = 0; j < features; j++) {
      const slope = gradient[j] ?? 0;
      mean[j] = 0.9 * (mean[j] ?? 0) + 0.1 * slope;
      square[j] = 0.99 * (square[j] ?? 0) + 0.01 * slope * slope;
      const [first, second] = [(mean[j] ?? 0) / (1 - 0.9 ** step), (square[j] ?? 0) / (1 - 0.99 ** step)];
      weights[j] = (weights[j] ?? 0) - (RATE * first) / (Math.sqrt(second) + 1e-9);
    }
  }
  return weights;
}

/** Cross-entropy between the softmax and an even share for each right candidate. */
function addGradient(
  gradient: number[],
  { rows, right }: Example,
  weights: readonly number[],
  share: number,
): void {
  const sums = rows.map((row) => row.reduce((sum, value, j) => sum + value * (weights[j] ?? 0), 0));
  const most = Math.max(...sums);
  const odds = sums.map((sum) => Math.exp(sum - most));
  const total = odds.reduce((sum, value) => sum + value, 0);
  const wanted = 1 / right.filter(Boolean).length;
  rows.forEach((row, i) => {
    const error = share * ((odds[i] ?? 0) / total - (right[i] ? wanted : 0));
    if (error === 0) return;
    for (let j = 0; j < row.length; j++) gradient[j] = (gradient[j] ?? 0) + error * (row[j] ?? 0);
  });
}
