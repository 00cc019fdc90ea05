import { describe, expect, it } from "vitest";
import { abstentionRight, abstentionWrong } from "./abstention.ts";
import type { JudgedAnswer } from "./answer.ts";
import { answerMetrics } from "./answer-metrics.ts";
import { citationAccuracy } from "./citation-accuracy.ts";
import { correct } from "./correct.ts";
import { goldInEvidence } from "./gold-in-evidence.ts";
import { gradedAgreement, gradedCorrectness } from "./graded.ts";
import { directionOf } from "./metrics.ts";
import { sentencesCitingGold } from "./sentences-citing-gold.ts";

const question = { gold: [{ documentId: "d", start: 100, end: 200, grade: 1 }], unanswerable: false };
const cited = (start: number, end: number, verified = true) => ({ documentId: "d", start, end, verified });

/** Right, elsewhere, right but not verified, right; sentences citing [0], [1], [2], [1, 3], nothing. */
const answer: JudgedAnswer = {
  question,
  abstained: false,
  citations: [cited(120, 150), cited(300, 350), cited(100, 200, false), cited(90, 180)],
  sentences: [[0], [1], [2], [1, 3], []],
  places: [4],
  verdicts: [],
};

describe("answer metrics", () => {
  it("counts citations that are verified and stand in gold", () => {
    expect(citationAccuracy(answer)).toBe(0.5);
    expect(citationAccuracy({ ...answer, citations: [] })).toBeUndefined();
    expect(citationAccuracy({ ...answer, question: { gold: [], unanswerable: true } })).toBeUndefined();
  });

  it("counts sentences that cite gold, whatever else bears a sentence out", () => {
    expect(sentencesCitingGold(answer)).toBeCloseTo(2 / 5, 12);
    expect(sentencesCitingGold({ ...answer, abstained: true })).toBeUndefined();
    expect(sentencesCitingGold({ ...answer, citations: [cited(300, 350)], sentences: [[0]] })).toBe(0);
    expect(Object.keys(answerMetrics)).not.toContain("supported-sentences");
  });

  it("tells refusing rightly from refusing wrongly", () => {
    const unanswerable = { gold: [], unanswerable: true };
    expect(abstentionRight({ question: unanswerable, abstained: true })).toBe(1);
    expect(abstentionRight({ question: unanswerable, abstained: false })).toBe(0);
    expect(abstentionRight(answer)).toBeUndefined();
    expect(abstentionWrong({ question, abstained: true })).toBe(1);
    expect(abstentionWrong(answer)).toBe(0);
    expect(abstentionWrong({ question: unanswerable, abstained: true })).toBeUndefined();
  });

  it("grades over repeated runs: correctness, and agreement by pairs", () => {
    expect(gradedCorrectness([true, true, false, true])).toBe(0.75);
    // pairs that agree: 3 of "correct", 0 of "wrong", of 6
    expect(gradedAgreement([true, true, false, true])).toBe(0.5);
    expect(gradedAgreement([false, false, false])).toBe(1);
    expect(gradedAgreement([true])).toBeUndefined();
    expect(gradedCorrectness([])).toBeUndefined();
  });
});

describe("correct, in one figure", () => {
  it("is citing gold without a grade, the share of runs with one, and refusing what has no answer", () => {
    expect(correct(answer)).toBe(1);
    expect(correct({ ...answer, citations: [cited(300, 350)] })).toBe(0);
    expect(correct({ ...answer, verdicts: [true, false, true] })).toBeCloseTo(2 / 3, 12);
    expect(correct({ ...answer, abstained: true })).toBe(0);
    const unanswerable = { ...answer, question: { gold: [], unanswerable: true } };
    expect(correct({ ...unanswerable, abstained: true })).toBe(1);
    expect(correct(unanswerable)).toBe(0);
    expect(correct({ ...answer, question: { gold: [], unanswerable: false } })).toBeUndefined();
  });

  it("tells how much of the gold the answer could rest on", () => {
    expect(goldInEvidence({ ...answer, places: [3, null, 1] })).toBeCloseTo(2 / 3, 12);
    expect(goldInEvidence({ ...answer, places: [] })).toBeUndefined();
  });

  it("knows of every metric which way is better", () => {
    expect(directionOf("abstention-wrong")).toBe("lower");
    expect(directionOf("recall@20")).toBe("higher");
    expect(() => directionOf("corect")).toThrow(/no metric/);
  });
});
