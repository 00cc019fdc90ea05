import fc from "fast-check";
import { expect, test } from "vitest";
import { fuse } from "./fuse.ts";

const list = (name: string, ids: readonly string[], weight?: number) => ({
  name,
  items: ids.map((chunkId, i) => ({ chunkId, score: 100 - i })),
  ...(weight === undefined ? {} : { weight }),
});

test("scores are the sum of weight / (k + rank), rank from 1", () => {
  const [first, second] = fuse([list("text", ["a", "b"]), list("vector", ["b"], 0.5)]);
  expect(first).toMatchObject({ chunkId: "b", ranks: { text: 2, vector: 1 } });
  expect(first?.score).toBeCloseTo(1 / 62 + 0.5 / 61, 12);
  expect(second?.score).toBeCloseTo(1 / 61, 12);
});

test("an id counts once in a list, at its best place, and the places below close up", () => {
  const fused = fuse([list("text", ["a", "a", "b"])]);
  expect(fused.map((f) => [f.chunkId, f.ranks.text])).toEqual([
    ["a", 1],
    ["b", 2],
  ]);
});

test("ties go to the better single rank, then to the smaller id", () => {
  expect(fuse([list("text", ["z"]), list("vector", ["a"])]).map((f) => f.chunkId)).toEqual(["a", "z"]);
});

test("a negative weight and a negative k are refused", () => {
  expect(() => fuse([list("text", ["a"], -1)])).toThrow(/weight of list "text"/);
  expect(() => fuse([list("text", ["a"])], { k: -1 })).toThrow(/0 or more/);
});

const ids = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,2}$/), { maxLength: 20 });

test("weight 0 equals leaving the list out", () => {
  fc.assert(
    fc.property(ids, ids, (a, b) => {
      expect(fuse([list("text", a), list("vector", b, 0)])).toEqual(fuse([list("text", a)]));
    }),
  );
});

test("the order of the lists does not matter", () => {
  fc.assert(
    fc.property(ids, ids, (a, b) => {
      const one = fuse([list("text", a), list("vector", b)]).map((f) => f.chunkId);
      const other = fuse([list("vector", b), list("text", a)]).map((f) => f.chunkId);
      expect(one).toEqual(other);
    }),
  );
});

test("an id that stands in a list twice counts as if its further places were not there", () => {
  const doubled = fc.array(fc.stringMatching(/^[a-d]$/), { maxLength: 20 });
  fc.assert(
    fc.property(doubled, ids, fc.constantFrom("rrf", "scores"), (a, b, method) => {
      const once = [...new Set(a)];
      const scores = new Map(a.toReversed().map((id, i) => [id, i + 1]));
      const listOf = (all: readonly string[]) => ({
        name: "text",
        items: all.map((chunkId) => ({ chunkId, score: scores.get(chunkId) ?? 0 })),
      });
      const other = list("vector", b);
      expect(fuse([listOf(a), other], { method })).toEqual(fuse([listOf(once), other], { method }));
    }),
  );
});

test("nothing is lost and nothing is made up", () => {
  fc.assert(
    fc.property(ids, ids, (a, b) => {
      const fused = fuse([list("text", a), list("vector", b)]).map((f) => f.chunkId);
      expect(new Set(fused)).toEqual(new Set([...a, ...b]));
      expect(fused).toHaveLength(new Set(fused).size);
    }),
  );
});

test("by scores: the sum of weight × score / best score of the list", () => {
  const lists = [
    {
      name: "text",
      items: [
        { chunkId: "a", score: 8 },
        { chunkId: "b", score: 6 },
      ],
    },
    {
      name: "vector",
      items: [
        { chunkId: "b", score: 0.5 },
        { chunkId: "c", score: -0.1 },
      ],
      weight: 0.4,
    },
  ];
  const fused = fuse(lists, { method: "scores" });
  expect(fused.map(({ chunkId }) => chunkId)).toEqual(["b", "a", "c"]);
  expect(fused[0]).toMatchObject({ parts: { text: 0.75, vector: 0.4 }, ranks: { text: 2, vector: 1 } });
  expect(fused.map(({ score }) => score)).toEqual([0.75 + 0.4, 1, 0]);
});

test("the score is the sum of its parts", () => {
  fc.assert(
    fc.property(ids, ids, fc.constantFrom("rrf", "scores"), (a, b, method) => {
      for (const { score, parts } of fuse([list("text", a), list("vector", b, 0.7)], { method })) {
        expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 12);
      }
    }),
  );
});

test("scores are counted from a list's floor", () => {
  const text = [
    { chunkId: "a", score: 4 },
    { chunkId: "b", score: 3 },
  ];
  const vector = [
    { chunkId: "b", score: 0.9 },
    { chunkId: "c", score: 0.85 },
    { chunkId: "a", score: 0.8 },
  ];
  const lists = [
    { name: "text", items: text },
    { name: "vector", items: vector, weight: 0.4, floor: 0.8 },
  ];
  const fused = fuse(lists, { method: "scores" });
  expect(fused.map(({ chunkId }) => chunkId)).toEqual(["b", "a", "c"]);
  for (const [index, score] of [0.75 + 0.4, 1, 0.2].entries())
    expect(fused[index]?.score).toBeCloseTo(score, 12);
});
