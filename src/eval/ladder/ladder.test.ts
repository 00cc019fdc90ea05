import { describe, expect, it } from "vitest";
import type { SearchMode } from "../../spec/index.ts";
import { openFake } from "../fake-konteks.fixture.ts";
import { ladderMarkdown } from "../report/ladder-markdown.ts";
import type { EvaluationSet } from "../types.ts";
import { advise } from "./advise.ts";
import { chunksOfIndex } from "./given.ts";
import { runLadder } from "./ladder.ts";
import { defaultSteps, type LadderStep, type StepPlan } from "./steps.ts";

/** Forty notes in which only the title tells whose they are; each question names the title's word and a short word. */
const names = Array.from({ length: 40 }, (_, index) => `company${index}`);
const set: EvaluationSet = {
  name: "notes",
  documents: names.map((name) => ({
    id: name,
    title: name,
    text: `${"filler ".repeat(6)}the fee is due in may ${"filler ".repeat(20)}`,
  })),
  questions: names.map((name) => ({
    id: name,
    text: `fee of ${name}`,
    gold: [{ documentId: name, start: 42, end: 63, grade: 1 }],
    tags: [],
    unanswerable: false,
    answers: [],
  })),
};

function searched(mode: SearchMode, before: StepPlan | undefined): StepPlan {
  return { documents: undefined, index: { context: "none" }, ...before, search: { mode } };
}

describe("the ladder", () => {
  it("measures each step against the one before and the first", async () => {
    const { steps, skipped, advice } = await runLadder({
      open: openFake,
      set,
      chunk: { unit: "characters", size: 80, overlap: 20 },
    });
    expect(steps.map(({ name }) => name)).toEqual([
      "basic",
      "overlap",
      "structure",
      "structural context",
      "hybrid",
      "documents first",
      "sections first",
      "document score",
      "rerank",
    ]);
    expect(skipped).toMatchObject([
      { name: "LLM context", skipped: expect.stringMatching(/no model is named/) },
    ]);
    const [basic, overlap, , structural, hybrid, first, , document, rerank] = steps;
    // No chunk holds the company's name, and short words are not seen: nothing is found.
    expect(basic?.summary["recall@20"]?.mean).toBe(0);
    expect(basic?.failureReduction).toBeUndefined();
    expect(overlap?.change["recall@20"]).toMatchObject({ mean: 0, up: 0, down: 0 });
    // The title finds every chunk of the right document, the gold one being the first.
    expect(structural?.summary["recall@20"]?.mean).toBe(1);
    expect(structural?.change["recall@20"]).toMatchObject({ mean: 1, up: 40, down: 0 });
    expect(structural?.failureReduction).toBe(1);
    expect(hybrid?.plan).toMatchObject({
      index: { context: "structural" },
      search: { mode: "hybrid", rerank: false, bm25: { documentWeight: 0 } },
    });
    expect(first?.plan.search).toEqual({ ...hybrid?.plan.search, withinDocuments: 5 });
    expect(document?.plan.search).toEqual({ mode: "hybrid", rerank: false });
    expect(rerank?.plan.search).toEqual({ mode: "hybrid", rerank: true });
    expect(advice.take).toBe("structural context");
    expect(advice.uncertain).toEqual([
      "overlap",
      "structure",
      "hybrid",
      "documents first",
      "sections first",
      "document score",
      "rerank",
    ]);
  });

  it("builds nothing on a step that is tried aside, and compares with the one before it", async () => {
    const steps: LadderStep[] = [
      { name: "first", adds: "", plan: (_, before) => searched("vector", before) },
      { name: "beside", adds: "", aside: true, plan: (_, before) => searched("text", before) },
      { name: "second", adds: "", plan: (_, before) => searched(before?.search.mode ?? "hybrid", before) },
    ];
    const ladder = await runLadder({ open: openFake, set, steps });
    const [first, beside, second] = ladder.steps;
    expect(beside).toMatchObject({ aside: true, plan: { search: { mode: "text" } } });
    expect(second).toMatchObject({ aside: false, plan: { search: { mode: "vector" } } });
    expect(beside?.change["recall@20"]?.mean).toBeGreaterThan(0);
    expect(second?.change["recall@20"]?.mean).toBe(0);
    expect(second?.summary).toEqual(first?.summary);
    expect(ladder.advice.take).toBe("beside");
    expect(ladderMarkdown(ladder)).toContain("| beside (aside)");
  });

  it("makes an index once for steps that only search otherwise", async () => {
    let opened = 0;
    const open: typeof openFake = async (options) => {
      opened++;
      return openFake(options);
    };
    const { steps } = await runLadder({ open, set });
    expect(steps).toHaveLength(9);
    expect(opened).toBe(4);
  });

  it("asks the last index why a passage was not found, of the chunk that holds most of it", async () => {
    const gold = [{ documentId: names[0] ?? "", start: 75, end: 99, grade: 1 }];
    const questions = set.questions.slice(0, 3).map((question) => ({ ...question, text: "zzz", gold }));
    const chunk = { unit: "characters" as const, size: 80, overlap: 0 };
    const { steps } = await runLadder({ open: openFake, set: { ...set, questions }, chunk });
    expect(steps.at(-1)?.missed).toMatchObject({ company1: "company0#1 was not looked at" });
    expect(steps.at(0)?.missed).toBeUndefined();
  });

  it("takes given chunks and contexts as they are, and cuts nothing", async () => {
    const given = new Map(
      names.map((name) => [
        name,
        [
          { start: 0, end: 42, context: "nothing" },
          { start: 42, end: 203, context: `note about ${name}` },
        ],
      ]),
    );
    const documents = set.documents.map(({ title: _, ...document }) => document);
    const ladder = await runLadder({ open: openFake, set: { ...set, documents }, given });
    expect(ladder.steps.map(({ name }) => name)).toEqual([
      "basic",
      "structural context",
      "LLM context",
      "hybrid",
      "documents first",
      "sections first",
      "document score",
      "rerank",
    ]);
    expect(ladder.steps.map(({ summary }) => summary["recall@20"]?.mean)).toEqual([0, 0, 1, 1, 1, 1, 1, 1]);
    expect(ladder.steps.map(({ index }) => index.chunks)).toEqual(Array(8).fill(80));
    expect(ladder.skipped.map(({ name }) => name)).toEqual(["overlap", "structure"]);
  });

  it("says how many contexts are missing instead of running without them", async () => {
    const given = new Map([
      [
        names[0] ?? "",
        [
          { start: 0, end: 42, context: "a" },
          { start: 42, end: 203 },
        ],
      ],
    ]);
    const { skipped } = await runLadder({ open: openFake, set, given });
    expect(skipped).toContainEqual(
      expect.objectContaining({ skipped: "1 of 2 given chunks have no context" }),
    );
  });

  it("asks a model for contexts only when one is named, and hybrid builds on them", () => {
    const llm = defaultSteps.find(({ name }) => name === "LLM context");
    const plan = llm?.plan({ set, contextModel: "anthropic:some" }, undefined);
    expect(plan).toMatchObject({ index: { context: "llm", contextModel: "anthropic:some" } });
  });

  it("runs on the chunks and contexts of an index", async () => {
    const konteks = await openFake();
    const documents = set.documents.map((document) => ({
      ...document,
      chunks: [
        { start: 0, end: 42 },
        { start: 42, end: 203, context: "by a model" },
      ],
    }));
    await konteks.ingest(documents);
    const given = await chunksOfIndex(konteks, "mine");
    expect(given.get("company7")).toEqual([
      { start: 0, end: 42 },
      { start: 42, end: 203, context: "by a model" },
    ]);
    await expect(chunksOfIndex(await openFake(), "mine")).rejects.toThrow(/"mine" is empty/);
  });

  it("refuses contexts of the simulated provider, and marks them where a test lets them through", async () => {
    const given = new Map(
      names.map((name) => [name, [{ start: 0, end: 203, context: "[simulated] About it." }]]),
    );
    await expect(runLadder({ open: openFake, set, given })).rejects.toThrow(
      /40 contexts were written by the simulated/,
    );
    const ladder = await runLadder({ open: openFake, set, given, allowSimulated: true });
    expect(ladderMarkdown(ladder)).toMatch(/\| LLM context \(simulated\) +\|/);
  });

  it("refuses an empty index", async () => {
    const empty = { ...set, documents: [], questions: [] };
    await expect(runLadder({ open: openFake, set: empty })).rejects.toThrow(/is empty/);
  });
});

/** A step with recall 1 on the first `right` of n questions. */
function step(name: string, right: number, n: number) {
  const rows = Array.from({ length: n }, (_, index) => ({
    id: `q${index}`,
    text: "",
    tags: [],
    ms: 1,
    values: { "recall@20": Number(index < right) },
    places: [],
    hits: [],
  }));
  const mean = right / n;
  return { name, rows, summary: { "recall@20": { mean, low: mean, high: mean, error: 0, n } }, change: {} };
}

describe("advice", () => {
  it("takes the earliest step that none beats for certain, and says by how much it may be behind", () => {
    const advice = advise(
      [step("one", 100, 200), step("two", 180, 200), step("three", 182, 200)],
      "recall@20",
    );
    expect(advice.take).toBe("two");
    expect(advice.reasons[0]).toMatch(
      /"two" reaches recall@20 90\.0 %.*"three" has 91\.0 %.*cannot tell from chance/,
    );
    expect(advice.reasons[1]).toMatch(
      /Stopping at "one" would cost 40\.0 points \(\S+ to \S+\) of recall@20/,
    );
  });

  it("takes a later step when its gain is certain", () => {
    expect(advise([step("one", 100, 200), step("two", 180, 200)], "recall@20").take).toBe("two");
  });

  it("takes a later step that finds as much and puts it first", () => {
    const ordered = (name: string, value: number) => {
      const made = step(name, 190, 200);
      const rows = made.rows.map((row) => ({ ...row, values: { ...row.values, "ndcg@10": value } }));
      return {
        ...made,
        rows,
        summary: { ...made.summary, "ndcg@10": { mean: value, low: 0, high: 1, error: 0, n: 200 } },
      };
    };
    const advice = advise([ordered("one", 0.6), ordered("two", 0.9), ordered("three", 0.9)], "recall@20");
    expect(advice.take).toBe("two");
    expect(advice.reasons[1]).toMatch(/Stopping at "one" would cost 30\.0 points .* of ndcg@10/);
  });

  it("warns of few questions and of none", () => {
    expect(advise([step("one", 1, 5)], "recall@20").reasons.at(-1)).toMatch(/5 questions are too few/);
    expect(advise([step("one", 1, 5), step("two", 5, 5)], "recall@20").take).toBeUndefined();
    expect(advise([step("one", 1, 12), step("two", 12, 12)], "recall@20").take).toBe("two");
    expect(advise([], "recall@20")).toMatchObject({ take: undefined });
  });
});
