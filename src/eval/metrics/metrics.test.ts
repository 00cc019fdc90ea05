import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Judged, judge } from "../judge.ts";
import { metric, metricNames } from "./metrics.ts";

/** Chunks of 10 characters in one document; a hit is named by its chunk's number. */
function judged(hits: readonly number[], gold: readonly { chunk: number; grade?: number }[]): Judged {
  return judge(
    hits.map((chunk, index) => ({
      documentId: "d",
      start: chunk * 10,
      end: chunk * 10 + 10,
      score: 9 - index,
      tokens: 4,
    })),
    gold.map(({ chunk, grade = 1 }) => ({ documentId: "d", start: chunk * 10, end: chunk * 10 + 10, grade })),
  );
}

/** Five hits; gold chunks 1, 2, 3 with worth 3, 1, 2; found on places 2 and 5, one not. */
const example = judged([7, 1, 8, 9, 3], [{ chunk: 1, grade: 3 }, { chunk: 2 }, { chunk: 3, grade: 2 }]);

/** One hit of 100 tokens over [0, 100) that holds two passages of 10 and 30 characters; a third is elsewhere. */
const wide = judge(
  [
    { documentId: "d", start: 0, end: 100, score: 0.5, tokens: 100 },
    { documentId: "d", start: 200, end: 220, score: 0.4, tokens: 20 },
  ],
  [
    { documentId: "d", start: 10, end: 20, grade: 1 },
    { documentId: "d", start: 40, end: 70, grade: 1 },
    { documentId: "d", start: 214, end: 234, grade: 1 },
  ],
);

describe("metrics against values computed by hand", () => {
  it.each([
    ["recall@1", 0],
    ["recall@2", 1 / 3],
    ["recall@5", 2 / 3],
    ["pass@5", 2 / 3],
    ["hit@1", 0],
    ["hit@2", 1],
    ["failure@5", 1 / 3],
    ["mrr@1", 0],
    ["mrr@10", 1 / 2],
    // (1/2 + 2/5 + 0) / 3
    ["map@10", 0.3],
    ["map@2", 1 / 6],
    ["precision@2", 1 / 2],
    ["precision@5", 2 / 5],
    ["precision@10", 2 / 10],
    // DCG = 3/log2(3) + 2/log2(6); ideal = 3/log2(2) + 2/log2(3) + 1/log2(4)
    ["ndcg@5", (3 / 1.584962500721156 + 2 / 2.584962500721156) / (3 + 2 / 1.584962500721156 + 1 / 2)],
    ["ndcg@2", 3 / 1.584962500721156 / (3 + 2 / 1.584962500721156)],
    ["token-efficiency@1", 0],
    ["token-efficiency@2", 1 / 2],
    ["token-efficiency@5", 2 / 5],
    ["coverage@2", 1 / 3],
    // hits of 4 tokens each: two fit into 8 and into 11, five into 20
    ["recall-tokens@3", 0],
    ["recall-tokens@8", 1 / 3],
    ["recall-tokens@11", 1 / 3],
    ["recall-tokens@20", 2 / 3],
    ["empty", 0],
    ["top-score-wrong", 9],
  ])("%s of graded gold on places 2 and 5", (name, value) => {
    expect(metric(name).of(example)).toBeCloseTo(value, 9);
  });

  it.each([
    ["recall@1", 2 / 3],
    // 6 of the third passage's 20 characters are in the second hit: less than half
    ["recall@2", 2 / 3],
    ["coverage@1", 2 / 3],
    ["coverage@2", (1 + 1 + 0.3) / 3],
    ["token-efficiency@1", 0.4],
    ["token-efficiency@2", (40 + 6) / 120],
    // places 1 and 2: a hit with two passages is worth two hits
    ["ndcg@3", (1 + 1 / 1.584962500721156) / (1 + 1 / 1.584962500721156 + 1 / 2)],
    ["ndcg@1", 1],
    ["map@3", 2 / 3],
    ["top-score-right", 0.5],
  ])("%s of a hit that holds two passages", (name, value) => {
    expect(metric(name).of(wide)).toBeCloseTo(value, 9);
  });
});

describe("what is scored", () => {
  const noGold = judged([1, 2], []);
  const noHits = judged([], [{ chunk: 1 }]);

  it("leaves a question without gold out, never as 0", () => {
    for (const name of metricNames.filter((each) => each.endsWith("@k"))) {
      expect(metric(name.replace("@k", "@5")).of(noGold)).toBeUndefined();
    }
    expect(metric("empty").of(noGold)).toBe(0);
    expect(metric("top-score-unanswerable").of(noGold)).toBe(9);
    expect(metric("top-score-wrong").of(noGold)).toBeUndefined();
  });

  it("scores a question without hits as failed", () => {
    expect(metric("recall@5").of(noHits)).toBe(0);
    expect(metric("failure@5").of(noHits)).toBe(1);
    expect(metric("token-efficiency@5").of(noHits)).toBe(0);
    expect(metric("empty").of(noHits)).toBe(1);
    expect(metric("top-score-wrong").of(noHits)).toBeUndefined();
  });

  it("leaves whole-document gold out of coverage", () => {
    const whole = judge(
      [{ documentId: "d", start: 0, end: 9, score: 1, tokens: 2 }],
      [{ documentId: "d", start: 0, end: 0, grade: 1 }],
    );
    expect(metric("coverage@5").of(whole)).toBeUndefined();
    expect(metric("recall@5").of(whole)).toBe(1);
  });
});

describe("any hits and any gold", () => {
  const span = fc.record({ start: fc.nat(80), size: fc.nat(30), documentId: fc.constantFrom("d", "e") });
  const names = [
    "recall",
    "hit",
    "failure",
    "mrr",
    "ndcg",
    "map",
    "precision",
    "token-efficiency",
    "coverage",
  ];

  it("stay in [0, 1], and recall, hit and coverage only grow with k", () => {
    fc.assert(
      fc.property(
        fc.array(span, { maxLength: 12 }),
        fc.array(span, { minLength: 1, maxLength: 5 }),
        (hits, gold) => {
          const row = judge(
            hits.map((hit) => ({ ...hit, end: hit.start + hit.size, score: 1, tokens: hit.size })),
            gold.map((each, index) => ({ ...each, end: each.start + each.size, grade: index + 1 })),
          );
          for (const name of names) {
            const values = [1, 2, 5, 12].map((k) => metric(`${name}@${k}`).of(row));
            for (const value of values) {
              if (value === undefined) continue;
              expect(value).toBeGreaterThanOrEqual(0);
              expect(value).toBeLessThanOrEqual(1 + 1e-12);
            }
            if (["recall", "hit", "coverage"].includes(name) && values[0] !== undefined) {
              expect(values).toEqual([...(values as number[])].sort((a, b) => a - b));
            }
          }
        },
      ),
    );
  });

  it("refuses names it does not know", () => {
    expect(() => metric("recal@5")).toThrow(/no metric "recal@5".*recall@k/);
    expect(() => metric("recall@0")).toThrow(/no metric/);
  });
});
