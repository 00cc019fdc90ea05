/** One case of a yes-or-no question. */
export interface LabelledCase {
  readonly features: readonly number[];
  readonly label: boolean;
  /** How much it counts. */
  readonly weight: number;
}

export interface LogisticModel {
  readonly intercept: number;
  readonly coefficients: readonly number[];
}

/**
 * Fits a logistic regression by Newton's method, with a ridge that holds the coefficients (not the intercept) near 0 and
 * with the signs that are given: a coefficient of the wrong sign is left out, and the others fitted again.
 */
export function fitLogistic(
  cases: readonly LabelledCase[],
  options: { readonly ridge: number; readonly signs?: readonly (-1 | 0 | 1)[] },
): LogisticModel {
  const width = cases[0]?.features.length ?? 0;
  const used = Array.from({ length: width }, (_, i) => i);
  for (;;) {
    const beta = newton(cases, used, options.ridge);
    const wrong = used.filter((feature, i) => (beta[i + 1] ?? 0) * (options.signs?.[feature] ?? 0) < 0);
    if (wrong.length === 0) {
      const coefficients = Array.from({ length: width }, (_, i) => beta[used.indexOf(i) + 1] ?? 0);
      for (let i = 0; i < width; i++) if (!used.includes(i)) coefficients[i] = 0;
      return { intercept: beta[0] ?? 0, coefficients };
    }
    // The one that is furthest on the wrong side goes first; others may turn without it.
    const worst = wrong.reduce((a, b) =>
      Math.abs(beta[used.indexOf(b) + 1] ?? 0) > Math.abs(beta[used.indexOf(a) + 1] ?? 0) ? b : a,
    );
    used.splice(used.indexOf(worst), 1);
  }
}

function newton(cases: readonly LabelledCase[], used: readonly number[], ridge: number): number[] {
  const total = cases.reduce((sum, { weight }) => sum + weight, 0);
  const rows = cases.map(({ features }) => [1, ...used.map((i) => features[i] ?? 0)]);
  const size = used.length + 1;
  let beta = new Array<number>(size).fill(0);
  for (let round = 0; round < 50; round++) {
    const gradient = new Array<number>(size).fill(0);
    const hessian = Array.from({ length: size }, () => new Array<number>(size).fill(0));
    for (const [i, row] of rows.entries()) {
      const { label = false, weight = 0 } = cases[i] ?? {};
      const p = sigmoid(dot(row, beta));
      const error = (weight / total) * (Number(label) - p);
      const slope = (weight / total) * p * (1 - p);
      for (let a = 0; a < size; a++) {
        const value = row[a] ?? 0;
        if (value === 0) continue;
        gradient[a] = (gradient[a] ?? 0) + error * value;
        const line = hessian[a] ?? [];
        for (let b = 0; b < size; b++) line[b] = (line[b] ?? 0) + slope * value * (row[b] ?? 0);
      }
    }
    for (let a = 0; a < size; a++) {
      const hold = a === 0 ? 1e-9 : ridge;
      gradient[a] = (gradient[a] ?? 0) - hold * (beta[a] ?? 0);
      const line = hessian[a] ?? [];
      line[a] = (line[a] ?? 0) + hold;
    }
    const step = solve(hessian, gradient);
    beta = beta.map((value, i) => value + (step[i] ?? 0));
    if (Math.max(...step.map(Math.abs)) < 1e-7) break;
  }
  return beta;
}

export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

/** Gaussian elimination with the largest pivot. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((line, i) => [...line, right[i] ?? 0]);
  const n = rows.length;
  for (let column = 0; column < n; column++) {
    const size = (row: number) => Math.abs(rows[row]?.[column] ?? 0);
    let pivot = column;
    for (let row = column + 1; row < n; row++) if (size(row) > size(pivot)) pivot = row;
    const [a, b] = [rows[column] ?? [], rows[pivot] ?? []];
    rows[column] = b;
    rows[pivot] = a;
    for (let row = column + 1; row < n; row++) {
      const line = rows[row] ?? [];
      const factor = (line[column] ?? 0) / (b[column] ?? 1);
      for (let k = column; k <= n; k++) line[k] = (line[k] ?? 0) - factor * (b[k] ?? 0);
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let row = n - 1; row >= 0; row--) {
    const line = rows[row] ?? [];
    let rest = line[n] ?? 0;
    for (let k = row + 1; k < n; k++) rest -= (line[k] ?? 0) * (x[k] ?? 0);
    x[row] = rest / (line[row] ?? 1);
  }
  return x;
}
