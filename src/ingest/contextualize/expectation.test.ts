import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { modelFacts } from "../../llm/model-facts.ts";
import { resolveLanguageModel } from "../../models/resolve.ts";
import type { ContextStore } from "../../spec/index.ts";
import { openSqliteContextStore } from "../../stores/sqlite/index.ts";
import { type SimulatedProvider, startSimulatedProvider } from "../../testing/provider/index.ts";
import { chunkDocument } from "../chunk/chunk.ts";
import { documentFromInput } from "../load/index.ts";
import { costOfTokens } from "./estimate.ts";
import { createObserver, expectationOf } from "./expectation.ts";
import { createLlmContextualizer } from "./llm.ts";
import { leastInBatch } from "./settings.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-expectation-"));
const modelId = "anthropic:claude-haiku-4-5";
let provider: SimulatedProvider;
let store: ContextStore;
beforeEach(() => {
  store = openSqliteContextStore({ path: join(folder, "contexts.sqlite") });
});
afterEach(async () => {
  store.close();
  await provider?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function made(id: string) {
  const parts = Array.from(
    { length: 90 },
    (_, i) => `Part ${i} of ${id}. ${"It tells of harbours. ".repeat(15)}`,
  );
  const document = await documentFromInput({ id, text: `# ${id}\n\n${parts.join("\n\n")}`, language: "en" });
  return { document, chunks: chunkDocument(document, { size: 300, overlap: 0 }) };
}

/** A tokenizer that makes half as many tokens again of everything. */
function* manyTokens(text: string) {
  for (const match of text.matchAll(/\S+\s*/g)) {
    const end = match.index + match[0].length;
    yield { end, tokens: 2 };
  }
}

test.each(["single", "grouped"] as const)(
  "an estimate learns what the model really uses, %s",
  async (plan) => {
    provider = await startSimulatedProvider({ tokenPieces: manyTokens });
    const where = { apiKeys: { anthropic: "test" }, baseUrls: provider.baseUrls };
    const { model } = await resolveLanguageModel(modelId, where);
    const contexts = createLlmContextualizer({ model, modelId, contextStore: store, plan });
    const error = async (id: string) => {
      const input = await made(id);
      const said = costOfTokens(contexts.estimate(input).tokens, contexts.price, false) ?? 0;
      const { report } = await contexts.contextualize(input);
      return Math.abs(said / (report.cost ?? 0) - 1);
    };
    expect(contexts.expected().calls).toBe(0);
    expect(await error("first.md")).toBeGreaterThan(0.1);
    expect(contexts.expected().calls).toBeGreaterThan(0);
    expect(await error("second.md")).toBeLessThan(0.05);
  },
);

test("too few calls, and calls without a count, teach nothing", () => {
  const facts = modelFacts(modelId);
  const observer = createObserver();
  const usage = { calls: 1, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  for (let i = 0; i < 20; i++)
    observer.see({ usage, expectedInput: 500, contexts: 1, grouped: false, ms: 900 });
  const of = (seen: typeof observer.seen) => expectationOf(facts, modelId, { usageOf: () => seen });
  expect(of(observer.seen)).toMatchObject({ tokenFactor: 1, singleOutput: 100, groupedOutput: 112 });
  const few = createObserver();
  few.see({
    usage: { ...usage, inputTokens: 5_000 },
    expectedInput: 500,
    contexts: 1,
    grouped: false,
    ms: 1,
  });
  expect(of(few.seen)).toMatchObject({ tokenFactor: 1, calls: 0 });
});

test.each([
  [1, 3],
  [0.9, 3],
  [0.7, 5],
  [0.6, 9],
  [0.5, Number.POSITIVE_INFINITY],
])("at a hit rate of %d a batch writes its front to the cache from %d calls on", (hitRate, least) => {
  const price = { input: 1, output: 5, cacheWrite: 1.25, cacheWriteLong: 2, cacheRead: 0.1 };
  const cost = (calls: number) => 2 + (calls - 1) * ((1 - hitRate) * 2 + hitRate * 0.1);
  expect(leastInBatch(hitRate, price)).toBe(least);
  if (least === Number.POSITIVE_INFINITY) expect(cost(1_000)).toBeGreaterThanOrEqual(1_000);
  else {
    expect(cost(least)).toBeLessThan(least);
    expect(cost(least - 1)).toBeGreaterThanOrEqual(least - 1);
  }
});

test("what thinks is counted with its thoughts, and newer tokenizers with what their makers say of them", () => {
  const of = (id: string) => expectationOf(modelFacts(id), id, {});
  expect(of("anthropic:claude-haiku-4-5").singleOutput).toBe(100);
  expect(of("anthropic:claude-haiku-5-5")).toMatchObject({ singleOutput: 300, tokenFactor: 1.3 });
  expect(of("openai-compatible:qwen3:8b").singleOutput).toBe(300);
});
