import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resolveLanguageModel } from "../../models/resolve.ts";
import type { Answer } from "../../spec/index.ts";
import { type SimulatedProvider, startSimulatedProvider } from "../../testing/provider/index.ts";
import { openFake } from "../fake-konteks.fixture.ts";
import type { Question } from "../types.ts";
import { estimateAnswers } from "./estimate.ts";
import { runAnswers } from "./run-answers.ts";

/** One chunk a document. */
const documents = [
  { id: "moon.md", text: "The moon goes around the earth in 27.3 days." },
  { id: "sun.md", text: "The sun turns once in 27 days at its equator." },
  { id: "mars.md", text: "Nobody lives there, and dust storms last for weeks." },
];

const gold = (documentId: string) => {
  const text = documents.find(({ id }) => id === documentId)?.text ?? "";
  return [{ documentId, start: 0, end: text.length, grade: 1 }];
};

const question = (id: string, text: string, more: Partial<Question> = {}): Question => ({
  id,
  text,
  gold: [],
  tags: [],
  unanswerable: false,
  answers: [],
  ...more,
});

const questions = [
  question("right", "How long does the moon go around the earth?", { gold: gold("moon.md") }),
  // Its words stand in the passage on the sun, with that on the moon among the hits.
  question("beside", "When does it turn once at its equator: the sun, or the moon?", {
    gold: gold("moon.md"),
  }),
  question("not found", "Which sun turns once in the days of the moon?", { gold: gold("mars.md") }),
  question("refused", "Storms?", { gold: gold("mars.md") }),
  question("no answer", "Zeppelins?", { unanswerable: true }),
  question("made up", "How old is the earth and the moon?", { unanswerable: true }),
  question("without gold", "Where does the moon go?", {}),
];

async function index() {
  const konteks = await openFake();
  await konteks.ingest(documents);
  return konteks;
}

describe("asking every question", () => {
  it("tells what came out, and for what went wrong whether the passage was in the evidence", async () => {
    const { rows, outcomes, faults, summary, model, cost } = await runAnswers(await index(), {
      name: "sky",
      questions,
    });
    expect(rows.map(({ id, outcome, fault }) => [id, outcome, fault])).toEqual([
      ["right", "right", undefined],
      ["beside", "wrong", "answer"],
      ["not found", "wrong", "retrieval"],
      ["refused", "not answered", "answer"],
      ["no answer", "right", undefined],
      ["made up", "made up", "answer"],
      ["without gold", "not scored", undefined],
    ]);
    expect(outcomes).toEqual({ right: 2, wrong: 2, "not answered": 1, "made up": 1, "not scored": 1 });
    expect(faults).toEqual({ retrieval: 1, answer: 3 });
    expect(summary.correct).toMatchObject({ mean: 2 / 6, n: 6 });
    expect(summary["gold-in-evidence"]).toMatchObject({ mean: 3 / 4, n: 4 });
    expect(summary["citation-accuracy"]).toMatchObject({ mean: 1 / 3, n: 3 });
    expect(summary["abstention-right"]).toMatchObject({ mean: 1 / 2, n: 2 });
    expect(summary["graded-correctness"]).toBeUndefined();
    expect(model).toBeUndefined();
    expect(cost).toEqual({ thousandAnswers: 0, paid: 0 });
  });

  it("blames retrieval when one of several passages is missing", async () => {
    const both = question("both", "How long does the moon go around the earth?", {
      gold: [...gold("sun.md"), ...gold("mars.md")],
    });
    const { rows } = await runAnswers(await index(), { name: "sky", questions: [both] });
    expect(rows).toMatchObject([{ outcome: "wrong", fault: "retrieval", places: [2, null] }]);
  });
});

describe("grading and paying", () => {
  let provider: SimulatedProvider;
  let folder = "";
  beforeEach(async () => {
    provider = await startSimulatedProvider();
    folder = await mkdtemp(join(tmpdir(), "konteks-answers-"));
  });
  afterEach(async () => {
    await provider.close();
    await rm(folder, { recursive: true });
  });

  async function graded(verdicts: readonly unknown[], runs = 3) {
    let next = 0;
    provider.script(() => JSON.stringify(verdicts[next++ % verdicts.length]));
    const { model, id } = await resolveLanguageModel("openai:gpt-4o-mini", {
      apiKeys: { openai: "test" },
      baseUrls: provider.baseUrls,
    });
    return runAnswers(
      await index(),
      {
        name: "sky",
        questions: questions.filter(({ id: each }) => ["right", "refused", "no answer"].includes(each)),
      },
      { grader: { model, modelId: id, runs }, journal: join(folder, "answers.jsonl") },
    );
  }
  const yes = { reason: "as the passage", correct: true };
  const no = { reason: "another figure", correct: false };

  it("decides by the majority of the runs, and says how far they agree", async () => {
    const { rows, summary, grader } = await graded([yes, no, no]);
    expect(rows[0]).toMatchObject({ outcome: "wrong", fault: "answer", verdicts: [true, false, false] });
    expect(summary["graded-correctness"]).toMatchObject({ mean: 1 / 3, n: 1 });
    expect(summary["graded-agreement"]).toMatchObject({ mean: 1 / 3, n: 1 });
    expect(grader).toEqual({ model: "openai:gpt-4o-mini", runs: 3 });
    // Refused and unanswerable questions are told without a model.
    expect(provider.ledger).toHaveLength(3);
    const prompt = JSON.stringify(provider.ledger[0]);
    expect(prompt).toContain("27.3 days");
  });

  it("counts a reply of another form as no run, and pays for no grade twice", async () => {
    const first = await graded([yes, { nothing: 1 }, yes]);
    expect(first.rows[0]).toMatchObject({ outcome: "right", verdicts: [true, true] });
    expect(first.cost.paid).toBeGreaterThan(0);
    const paid = provider.ledger.length;
    const again = await graded([no]);
    expect(again.rows[0]?.verdicts).toEqual([true, true]);
    expect(again.cost.paid).toBe(0);
    expect(provider.ledger).toHaveLength(paid);
  });

  it("asks a model once: the answer is taken from the journal while documents and settings are the same", async () => {
    let asked = 0;
    const konteks = await index();
    const paying = {
      ...konteks,
      ask: async (text: string): Promise<Answer> => {
        asked++;
        const usage = { calls: 1, inputTokens: 10, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
        const call = { purpose: "answer", model: "m", usage, ms: 1 } as const;
        return { ...(await konteks.ask(text)), model: "m", calls: [call], usage };
      },
    };
    const run = (k: number) =>
      runAnswers(
        paying,
        { name: "sky", questions },
        {
          ask: { k },
          journal: join(folder, "answers.jsonl"),
          prices: { m: { input: 20_000, output: 50_000 } },
        },
      );
    const first = await run(3);
    expect(first).toMatchObject({
      model: "m",
      cost: { thousandAnswers: 250, paid: 0.25 * questions.length },
    });
    const again = await run(3);
    expect(again.cost).toEqual({ thousandAnswers: 250, paid: 0 });
    expect(again.rows).toEqual(first.rows);
    expect(asked).toBe(questions.length);
    await run(2);
    expect(asked).toBe(2 * questions.length);
    await konteks.ingest([{ id: "new.md", text: "News." }]);
    await run(3);
    expect(asked).toBe(3 * questions.length);
  });
});

describe("estimating answers", () => {
  const set = { questions, documents };
  it("counts calls at most: correction in passages, none when everything is sent", () => {
    const searched = estimateAnswers(set, "openai:gpt-4o-mini", { k: 5 });
    expect(searched.answers.calls).toBe(4 * questions.length);
    const whole = estimateAnswers(set, "openai:gpt-4o-mini", {});
    expect(whole.answers.calls).toBe(questions.length);
    expect(whole.answers.inputTokens).toBeGreaterThan(questions.length * 1_500);
    expect(estimateAnswers(set, "openai:gpt-4o-mini", { k: 5, correct: false }).answers.calls).toBe(
      questions.length,
    );
  });

  it("grades what has an answer to be held against, and nothing costs without a model", () => {
    expect(estimateAnswers(set, undefined, {}, 3)).toMatchObject({
      answers: { calls: 0, inputTokens: 0 },
      grades: { calls: 12 },
    });
    expect(estimateAnswers(set, undefined).grades.calls).toBe(0);
  });
});
