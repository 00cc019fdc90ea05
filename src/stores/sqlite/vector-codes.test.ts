import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeVectors, packVectors, unpackVectors } from "./vector-codes.ts";

const component = fc.float({ min: -1, max: 1, noNaN: true });
const vector = fc.array(component, { minLength: 64, maxLength: 64 }).map((list) => Float32Array.from(list));

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += (a[i] ?? 0) * (b[i] ?? 0);
    aa += (a[i] ?? 0) ** 2;
    bb += (b[i] ?? 0) ** 2;
  }
  return dot === 0 ? 0 : dot / Math.sqrt(aa * bb);
}

test("codes keep a vector's cosine with itself and with others", () => {
  fc.assert(
    fc.property(vector, vector, (a, b) => {
      const codes = encodeVectors([[a]]);
      expect(codes).toBeDefined();
      const coded = codes?.codes ?? [];
      if (a.some((value) => value !== 0)) expect(cosine(coded, a)).toBeGreaterThan(0.998);
      expect(Math.abs(cosine(coded, b) - cosine(a, b))).toBeLessThan(0.02);
    }),
    { numRuns: 300 },
  );
});

/** Box–Muller with a fixed seed: what embeddings look like. */
function gaussians(count: number, dimensions: number): Float32Array[] {
  let seed = 7;
  const uniform = () => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return (seed + 1) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return Array.from({ length: count }, () => Float32Array.from({ length: dimensions }, normal));
}

test("for embeddings of some hundred dimensions a cosine is off by less than 0.005", () => {
  for (const dimensions of [256, 384, 512, 1536]) {
    const vectors = gaussians(40, dimensions);
    for (const a of vectors) {
      const coded = encodeVectors([[a]])?.codes ?? [];
      expect(cosine(coded, a)).toBeGreaterThan(0.9995);
      for (const b of vectors) expect(Math.abs(cosine(coded, b) - cosine(a, b))).toBeLessThan(0.005);
    }
  }
});

test("packed codes come back", () => {
  const windows = [[], [Float32Array.of(1, -2, 0)], [], [Float32Array.of(0, 0, 0), Float32Array.of(3, 3, 3)]];
  const codes = encodeVectors(windows);
  expect(codes && unpackVectors(packVectors(codes))).toEqual(codes);
  expect([...(codes?.owners ?? [])]).toEqual([1, 3, 3]);
  expect(encodeVectors([[], []])).toBeUndefined();
});
