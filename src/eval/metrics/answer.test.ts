import { describe, expect, it } from "vitest";
import { abstentionRight, abstentionWrong } from "./abstention.ts";
import type { JudgedAnswer } from "./answer.ts";
import { citationAccuracy } from "./citation-accuracy.ts";
import { gradedAgreement, gradedCorrectness } from "./graded.ts";
import { supportedSentences } from "./supported-sentences.ts";

const question = { gold: [{ documentId: "d", start: 100, end: 200, grade: 1 }], unanswerable: false };
const cited = (start: number, end: number, verified = true) => ({ documentId: "d", start, end, verified });

/** Right, elsewhere, right but not verified, right; sentences citing [0], [1], [2], [1, 3], nothing. */
const answer: JudgedAnswer = {
  question,
  abstained: false,
  citations: [cited(120, 150), cited(300, 350), cited(100, 200, false), cited(90, 180)],
  sentences: [[0], [1], [2], [1, 3], []],
};

describe("answer metrics", () => {
  it("counts citations that are verified and stand in gold", () => {
    expect(citationAccuracy(answer)).toBe(0.5);
    expect(citationAccuracy({ ...answer, citations: [] })).toBeUndefined();
    expect(citationAccuracy({ ...answer, question: { gold: [], unanswerable: true } })).toBeUndefined();
  });

  it("counts sentences with a citation that supports", () => {
    expect(supportedSentences(answer)).toBeCloseTo(2 / 5, 12);
    expect(supportedSentences({ ...answer, abstained: true })).toBeUndefined();
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
