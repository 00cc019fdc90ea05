import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finds, judge, merge, overlap, subtract } from "./judge.ts";

const gold = (start: number, end: number, documentId = "d") => ({ documentId, start, end, grade: 1 });
const hit = (start: number, end: number, documentId = "d", tokens = end - start) => ({
  documentId,
  start,
  end,
  score: 1,
  tokens,
});
const span = fc
  .tuple(fc.nat(60), fc.integer({ min: 1, max: 60 }))
  .map(([start, size]) => ({ start, end: start + size }));

describe("finds", () => {
  it.each([
    ["a short passage inside a long chunk", hit(0, 1000), gold(500, 503), true],
    ["the chunk that the passage is", hit(800, 1600), gold(800, 1600), true],
    ["its neighbour", hit(1600, 2400), gold(800, 1600), false],
    ["the larger piece of a cut passage", hit(0, 100), gold(40, 140), true],
    ["the smaller piece of a cut passage", hit(100, 200), gold(40, 140), false],
    ["either half of an even cut", hit(100, 200), gold(50, 150), true],
    ["a chunk inside a long passage", hit(200, 400), gold(0, 4000), true],
    ["a chunk at the edge of a long passage", hit(3950, 4150), gold(0, 4000), false],
    ["another document", hit(0, 100, "e"), gold(0, 100), false],
    ["whole-document gold, anywhere in the document", hit(500, 900), gold(0, 0), true],
    ["whole-document gold, in another document", hit(500, 900, "e"), gold(0, 0), false],
    ["an empty chunk", hit(5, 5), gold(0, 10), false],
  ])("%s", (_, chunk, passage, expected) => {
    expect(finds(chunk, passage)).toBe(expected);
  });

  it("is 'the chunk that the passage is' for chunks without overlap", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 20 }), (sizes) => {
        let at = 0;
        const chunks = sizes.map((size) => {
          at += size;
          return hit(at - size, at);
        });
        for (const passage of chunks) {
          expect(chunks.filter((chunk) => finds(chunk, gold(passage.start, passage.end)))).toEqual([passage]);
        }
      }),
    );
  });
});

describe("judge", () => {
  it("counts a passage once, at its best place, and its text once", () => {
    const judged = judge([hit(200, 300), hit(0, 100), hit(50, 150)], [gold(40, 100), gold(900, 950)]);
    expect(judged.places).toEqual([2, null]);
    expect(judged.hits.map((each) => each.goldTokens)).toEqual([0, 60, 0]);
    expect(judged.hits.map((each) => each.finds)).toEqual([[], [0], [0]]);
    expect(judged.hits.map((each) => each.covers)).toEqual([{}, { 0: 60 }, {}]);
  });

  it("counts text in two passages once as gold tokens", () => {
    const judged = judge([hit(0, 100, "d", 50)], [gold(0, 40), gold(20, 60)]);
    expect(judged.hits[0]?.goldTokens).toBeCloseTo(30, 12);
    expect(judged.hits[0]?.covers).toEqual({ 0: 40, 1: 40 });
  });

  it("takes all of a hit as gold for a whole document, repeated text once", () => {
    const judged = judge([hit(0, 100), hit(50, 150)], [gold(0, 0)]);
    expect(judged.hits.map((each) => each.goldTokens)).toEqual([100, 50]);
    expect(judged.places).toEqual([1]);
  });

  it("never counts more gold than a character-by-character count finds", () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 6 }), fc.array(span, { maxLength: 4 }), (hits, passages) => {
        const judged = judge(
          hits.map((each) => hit(each.start, each.end)),
          passages.map((each) => gold(each.start, each.end)),
        );
        const read = new Set(hits.flatMap(characters));
        const wanted = new Set(passages.flatMap(characters));
        const total = judged.hits.reduce((sum, each) => sum + each.goldTokens, 0);
        expect(total).toBeCloseTo([...read].filter((at) => wanted.has(at)).length, 9);
        passages.forEach((passage, index) => {
          const covered = judged.hits.reduce((sum, each) => sum + (each.covers[index] ?? 0), 0);
          expect(covered).toBe(characters(passage).filter((at) => read.has(at)).length);
        });
      }),
    );
  });
});

describe("spans", () => {
  it("merge and subtract as sets of characters do", () => {
    fc.assert(
      fc.property(span, fc.array(span, { maxLength: 6 }), (one, others) => {
        const gone = new Set(others.flatMap(characters));
        expect(merge(others).flatMap(characters)).toEqual([...gone].sort((a, b) => a - b));
        expect(subtract(one, others).flatMap(characters)).toEqual(
          characters(one).filter((at) => !gone.has(at)),
        );
        expect(others.map((other) => overlap(one, other))).toEqual(
          others.map((other) => characters(other).filter((at) => characters(one).includes(at)).length),
        );
      }),
    );
  });
});

function characters({ start, end }: { start: number; end: number }): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index);
}
