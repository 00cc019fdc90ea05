import { expect, test } from "vitest";
import type { Answer, Konteks } from "../spec/index.ts";
import { calibrate } from "./calibrate.ts";
import type { Question } from "./types.ts";

const question = (id: string, unanswerable: boolean): Question => ({
  id,
  text: id,
  gold: unanswerable ? [] : [{ documentId: "d", start: 0, end: 1, grade: 1 }],
  tags: [],
  unanswerable,
  answers: [],
});

/** An index whose answers fit each question as well as its text says. */
const index = {
  ask: async (text: string) =>
    ({
      kind: "extract",
      hits: [],
      notes: [],
      trace: [{ stage: "extract", ms: 0, facts: { confidence: Number(text) } }],
    }) as unknown as Answer,
} as unknown as Konteks;

const good = ["0.6", "0.7", "0.8", "0.9", "0.95"].map((id) => question(id, false));
const bad = ["0.1", "0.2", "0.3", "0.4", "0.65"].map((id) => question(id, true));

test("the threshold with the best balanced accuracy, and both rates of error", async () => {
  const { kinds, answerable, unanswerable } = await calibrate(index, [...good, ...bad]);
  expect([answerable, unanswerable]).toEqual([5, 5]);
  expect(kinds).toMatchObject([
    { kind: "confidence", threshold: 0.5, wronglyAnswered: 0.2, wronglyAbstained: 0, balancedAccuracy: 0.9 },
  ]);
});

test("a highest share of wrong answers is kept to, at the price of silence", async () => {
  const { kinds } = await calibrate(index, [...good, ...bad], { maxWrong: 0 });
  expect(kinds[0]).toMatchObject({ wronglyAnswered: 0, wronglyAbstained: 0.2 });
  expect(kinds[0]?.threshold).toBeCloseTo(0.675);
});

test("the curve goes from answering everything to answering nothing, and never back", async () => {
  const { kinds } = await calibrate(index, [...good, ...bad]);
  const curve = kinds[0]?.curve ?? [];
  expect(curve[0]).toMatchObject({ wronglyAnswered: 1, wronglyAbstained: 0 });
  expect(curve.at(-1)).toMatchObject({ wronglyAnswered: 0, wronglyAbstained: 1 });
  for (const [i, point] of curve.slice(1).entries()) {
    expect(point.wronglyAnswered).toBeLessThanOrEqual(curve[i]?.wronglyAnswered ?? 0);
    expect(point.wronglyAbstained).toBeGreaterThanOrEqual(curve[i]?.wronglyAbstained ?? 0);
  }
});

test("questions of one sort are refused with what to add", async () => {
  await expect(calibrate(index, good)).rejects.toThrow(/5 and 0\. Add some/);
});
