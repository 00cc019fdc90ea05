import fc from "fast-check";
import { expect, test } from "vitest";
import type { FusedChunk } from "./candidate.ts";
import { fuse } from "./fuse.ts";
import { EXPECTED, expectVectors } from "./without-vector.ts";

const chunkId = (n: number) => `d#${n}`;
const list = (name: string, scores: readonly number[], from = 0) => ({
  name,
  items: scores.map((score, i) => ({ chunkId: chunkId(from + i), score })).sort((a, b) => b.score - a.score),
});
const orderOf = (fused: readonly FusedChunk[]) => fused.map((chunk) => chunk.chunkId);

test("a chunk without a vector stands in the vector list as it stands in the text list", () => {
  const weights = { text: 1, vector: 0.5 };
  const text = list("text", [10, 8, 6, 4]);
  const vector = { ...list("vector", [0.3, 0.5], 1), weight: weights.vector };
  const gains = (method: "scores" | "rrf") => {
    const fused = fuse([text, vector], { method });
    const found = expectVectors(fused, new Set([chunkId(3), chunkId(0)]), weights);
    for (const { scores } of found.filter(({ parts }) => EXPECTED in parts))
      expect(scores).not.toHaveProperty("vector");
    return [0, 3].map((n) => found.find((chunk) => chunk.chunkId === chunkId(n))?.parts[EXPECTED]);
  };
  expect(gains("scores")).toEqual([0.5, 0.5 * 0.4]);
  expect(gains("rrf")).toEqual([0.5 / 61, 0.5 / 64]);
});

test("phrasings have lists of their own, and a list that was not searched adds nothing", () => {
  const weights = { text: 0.5, "text:2": 0.5, vector: 0.5 };
  const lists = [list("text", [10, 5]), list("text:2", [4, 8]), list("vector", [1], 2)];
  const fused = fuse(
    lists.map((one) => ({ ...one, weight: 0.5 })),
    { method: "scores" },
  );
  const found = expectVectors(fused, new Set([chunkId(1)]), weights);
  expect(found.find((chunk) => chunk.chunkId === chunkId(1))?.parts[EXPECTED]).toBe(0.25);
});

const score = fc.integer({ min: 1, max: 1000 }).map((n) => n / 1000);
const inputs = fc.record({
  text: fc.array(score, { minLength: 1, maxLength: 12 }),
  vector: fc.array(score, { maxLength: 12 }),
  waiting: fc.array(fc.integer({ min: 0, max: 11 })),
  method: fc.constantFrom("scores" as const, "rrf" as const),
});

test("scores stay the sum of their parts, those with vectors keep theirs, and those without keep the order of the text", () => {
  fc.assert(
    fc.property(inputs, ({ text, vector, waiting, method }) => {
      const ids = new Set(waiting.map(chunkId));
      const own = list("vector", vector);
      const lists = [
        list("text", text),
        { ...own, items: own.items.filter((item) => !ids.has(item.chunkId)) },
      ];
      const fused = fuse(lists, { method });
      const expected = expectVectors(fused, ids, { text: 1, vector: 1 });
      for (const { chunkId: id, score: sum, parts } of expected) {
        expect(sum).toBeCloseTo(Object.values(parts).reduce((total, part) => total + part, 0));
        if (!ids.has(id)) expect(sum).toBe(fused.find((chunk) => chunk.chunkId === id)?.score);
      }
      const among = (order: readonly string[]) => order.filter((id) => ids.has(id));
      expect(among(orderOf(expected))).toEqual(among(orderOf(fuse([list("text", text)], { method }))));
      expect(expected.map(({ score: sum }) => sum)).toEqual(
        expected.map(({ score: sum }) => sum).toSorted((a, b) => b - a),
      );
    }),
  );
});

test("where no chunk waits the order is as it was", () => {
  const fused = fuse([list("text", [3, 2, 1]), list("vector", [1, 2], 1)], { method: "rrf" });
  expect(expectVectors(fused, new Set(), {})).toBe(fused);
});
