import { describe, expect, it } from "vitest";
import { openFake } from "../fake-konteks.fixture.ts";
import { sweepMarkdown } from "../report/sweep-markdown.ts";
import type { EvaluationSet } from "../types.ts";
import { sweepGroups } from "./settings.ts";
import { runSweep } from "./sweep.ts";

describe("the settings of a sweep", () => {
  const grid = { chunk: [{ size: 100 }, { size: 200 }], mode: ["text", "hybrid"] as const, candidates: [50] };

  it("are all combinations, put together by the index they share", () => {
    const groups = sweepGroups(grid, { index: { context: "none" }, search: { rrfK: 30 } });
    expect(groups.map(({ settings }) => settings.map(({ name }) => name))).toEqual([
      ["chunks of 100 tokens, mode text", "chunks of 100 tokens, mode hybrid"],
      ["chunks of 200 tokens, mode text", "chunks of 200 tokens, mode hybrid"],
    ]);
    expect(groups[1]?.settings[0]).toMatchObject({
      index: { context: "none", chunk: { size: 200 } },
      search: { mode: "text", candidates: 50, rrfK: 30 },
    });
  });

  it("refuse a list without values", () => {
    expect(() => sweepGroups({ rrfK: [] })).toThrow(/no value for rrfK/);
  });
});

/** Sixty documents; half the questions need the title, which only the structural context shows. */
const names = Array.from({ length: 60 }, (_, index) => `thing${index}`);
const set: EvaluationSet = {
  name: "things",
  documents: names.map((name, index) => ({
    id: name,
    title: name,
    text:
      index % 2 === 0
        ? `${name} costs money. ${"filler ".repeat(30)}`
        : `It costs money. ${"filler ".repeat(30)}`,
  })),
  questions: names.map((name) => ({
    id: name,
    text: `what ${name} costs`,
    gold: [{ documentId: name, start: 0, end: 15, grade: 1 }],
    tags: [],
    unanswerable: false,
    answers: [],
  })),
};

describe("a sweep", () => {
  it("makes each index once, finds the setting that is better, and confirms it on the other half", async () => {
    let opened = 0;
    const open: typeof openFake = (options) => {
      opened++;
      return openFake(options);
    };
    const grid = { context: ["none", "structural"] as const, mode: ["text", "hybrid"] as const };
    const base = { index: { chunk: { unit: "characters" as const, size: 60, overlap: 0 } } };
    const sweep = await runSweep({ open, set, grid, base, decisive: "mrr@10", depth: 10 });
    expect(opened).toBe(2);
    expect(sweep.settings).toHaveLength(4);
    // The fake searches "text" and "hybrid" alike, so the simpler of the two is taken.
    expect(sweep.taken?.name).toBe("context structural, mode text");
    expect(sweep.taken?.chosenBy["mrr@10"]).toMatchObject({ mean: 1, n: 30 });
    expect(sweep.taken?.confirmedBy["mrr@10"]).toMatchObject({ mean: 1, n: 30 });
    expect(sweep.confirmed?.mean).toBe(0);
    // Every gold passage is the first hit, so one hit is enough.
    expect(sweep.depth?.k).toBe(1);
    expect(sweep.depth?.curve.map(({ recall }) => recall)).toEqual(Array(10).fill(1));
    const text = sweepMarkdown(sweep);
    expect(text).toMatch(/\| context structural, mode text ← taken +\| 100\.0 ± 0\.0 \| 100\.0 ± 0\.0/);
    expect(text).toContain("**Read 1 hit**");
    expect(sweep.depth?.curve[9]?.tokens).toBeGreaterThan(sweep.depth?.curve[0]?.tokens ?? 0);
  });
});
