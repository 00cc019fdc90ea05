import { describe, expect, it } from "vitest";
import type { AskOptions, Konteks } from "../../spec/index.ts";
import { openFake } from "../fake-konteks.fixture.ts";
import type { EvaluationSet } from "../types.ts";
import { chooseDepthByAnswers } from "./depth.ts";
import { rerankTradeOff } from "./rerank-depth.ts";
import { runSweep } from "./sweep.ts";

const names = Array.from({ length: 40 }, (_, index) => `thing${index}`);
const set: EvaluationSet = {
  name: "things",
  documents: names.map((name) => ({ id: name, title: name, text: `${name} costs money, and more.` })),
  questions: names.map((name) => ({
    id: name,
    text: `what ${name} costs`,
    gold: [{ documentId: name, start: 0, end: 15, grade: 1 }],
    tags: [],
    unanswerable: false,
    answers: [],
  })),
};

/** Answers rightly from 3 to 10 hits: of fewer it knows too little, and more of them distract it. */
async function distracted(asked: AskOptions[]): Promise<Konteks> {
  const konteks = await openFake();
  await konteks.ingest(set.documents);
  return {
    ...konteks,
    ask: async (question, options = {}) => {
      asked.push(options);
      const { k = 0 } = options;
      const answer = await konteks.ask(question, options);
      return { ...answer, model: "m", citations: k >= 3 && k <= 10 ? answer.citations : [] };
    },
  };
}

describe("how deep to read", () => {
  it("is the fewest hits from which the model answers as well as from any", async () => {
    const asked: AskOptions[] = [];
    const konteks = await distracted(asked);
    const { k, model, depths } = await chooseDepthByAnswers(
      konteks,
      set,
      { mode: "text" },
      { ask: { model: "m" } },
    );
    expect({ k, model }).toEqual({ k: 3, model: "m" });
    expect(depths.map(({ correct }) => correct?.mean)).toEqual([0, 1, 1, 1, 0]);
    expect(asked[0]).toMatchObject({ k: 1, mode: "text", model: "m" });
  });

  it("is chosen by a sweep that has a model, and by tokens without", async () => {
    const open = () => distracted([]);
    const grid = { mode: ["text"] as const };
    const options = { open, set, grid, decisive: "recall@5", bootstrap: { resamples: 200 } };
    const sweep = await runSweep({ ...options, answers: { ask: { model: "m" } } });
    expect(sweep.depth).toMatchObject({ k: 3, answered: { model: "m" } });
    expect(sweep.depth?.curve).toHaveLength(50);
    expect((await runSweep({ ...options, answers: {} })).depth).toMatchObject({ k: 1 });
  });
});

describe("how deep to rerank", () => {
  it("is told with gain, time and cost, for settings that differ in nothing else", async () => {
    const grid = {
      mode: ["text", "hybrid"] as const,
      rerank: [{ depth: 20 }, { depth: 10 }, false],
    };
    const price = () => ({ index: () => 0, thousandQueries: () => 7 });
    const options = { open: openFake, set, decisive: "recall@5", bootstrap: { resamples: 200 } };
    const { settings, taken } = await runSweep({ ...options, grid, price });
    const tradeOff = rerankTradeOff(settings, taken, "recall@5");
    expect(tradeOff.map(({ depth }) => depth)).toEqual([0, 10, 20]);
    expect(tradeOff.map(({ row }) => row.search.mode)).toEqual(["text", "text", "text"]);
    expect(tradeOff.map(({ gain }) => gain?.mean)).toEqual([undefined, 0, 0]);
    expect(tradeOff[1]?.row.cost.thousandQueries).toBe(7);
    const single = await runSweep({ ...options, grid: { rerank: [true] } });
    expect(rerankTradeOff(single.settings, single.taken, "recall@5")).toEqual([]);
  });
});
