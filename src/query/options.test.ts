import { expect, it } from "vitest";
import { resolveSearchOptions } from "./options.ts";

it.each([
  ["lexical", 0, 0.4],
  ["local", 0.3, 0.7],
  ["hosted", 0.5, 0.9],
] as const)(
  "the vector list of a %s embedding counts more the more words BM25 does not know",
  (kind, known, partly) => {
    const { vectorWeight } = resolveSearchOptions({}, { kind });
    expect(vectorWeight(0)).toBe(known);
    expect(vectorWeight(0.4)).toBeCloseTo(partly, 12);
  },
);

it("a weight that was set is kept, whatever the query's words", () => {
  const { vectorWeight } = resolveSearchOptions({ weights: { vector: 0.2 } }, { kind: "local" });
  expect([vectorWeight(0), vectorWeight(1)]).toEqual([0.2, 0.2]);
});
