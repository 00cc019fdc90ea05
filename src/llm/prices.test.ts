import { describe, expect, test } from "vitest";
import { createBudget } from "./budget.ts";
import { modelFacts } from "./model-facts.ts";
import { PRICES } from "./price-table.ts";
import { costOf, priceOf } from "./prices.ts";

describe("prices", () => {
  test("are found for a model, its snapshots and the names that provider packages give", () => {
    const haiku = PRICES["anthropic:claude-haiku-4-5"];
    for (const name of [
      "anthropic:claude-haiku-4-5",
      "anthropic:claude-haiku-4-5-20251001",
      "anthropic.messages:claude-haiku-4-5",
    ])
      expect(priceOf(name)).toBe(haiku);
    expect(priceOf("openai.responses:gpt-4o-2024-08-06")).toBe(PRICES["openai:gpt-4o"]);
    expect(priceOf("openai:gpt-4o-mini")).toBe(PRICES["openai:gpt-4o-mini"]);
  });

  test("of another model are not taken for it", () => {
    for (const name of [
      "openai:gpt-4o-audio-preview",
      "openai-compatible:gpt-4o",
      "anthropic:claude-opus-4-99",
    ])
      expect(priceOf(name)).toBeUndefined();
  });

  test("of the user go first, also for models that the table lacks", () => {
    const own = { "openai:gpt-4o": { input: 1, output: 2 }, "mistral:small": { input: 3, output: 4 } };
    expect(priceOf("openai:gpt-4o", own)).toEqual({ input: 1, output: 2 });
    expect(priceOf("mistral:small", own)).toEqual({ input: 3, output: 4 });
  });

  test("count each kind of token once, by lifetime and by batch", () => {
    const price = { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 1.25, cacheWriteLong: 2 };
    const usage = {
      calls: 1,
      inputTokens: 1_000_000,
      cacheReadTokens: 500_000,
      cacheWriteTokens: 300_000,
      outputTokens: 100_000,
    };
    expect(costOf(usage, price)).toBeCloseTo(0.2 + 0.05 + 0.375 + 1, 10);
    expect(costOf(usage, price, { lifetime: "1h" })).toBeCloseTo(0.2 + 0.05 + 0.6 + 1, 10);
    expect(costOf(usage, price, { batch: true })).toBeCloseTo((0.2 + 0.05 + 0.375 + 1) / 2, 10);
    expect(costOf(usage, { input: 1, output: 10 })).toBeCloseTo(2, 10);
    expect(costOf(usage, undefined)).toBeUndefined();
  });
});

test("facts of models: what caches, from which length, and what it can be made to do", () => {
  expect(modelFacts("anthropic:claude-haiku-4-5")).toMatchObject({
    caching: "breakpoints",
    minCacheTokens: 4_096,
    windowTokens: 200_000,
    reasons: false,
  });
  expect(modelFacts("anthropic.messages:claude-opus-5-5").forcedTools).toBe(false);
  expect(modelFacts("openai:gpt-4o")).toMatchObject({ caching: "automatic", minCacheTokens: 1_024 });
  expect(modelFacts("openai:gpt-5.6-luna")).toMatchObject({ caching: "breakpoints", reasons: true });
  // Longer prompts cost more for each token.
  expect(modelFacts("openai:gpt-6.2-sol").windowTokens).toBe(272_000);
  expect(modelFacts("anthropic:claude-haiku-5-5")).toMatchObject({ windowTokens: 100_000, tokenFactor: 1.3 });
  for (const id of [
    "openai-compatible:qwen3:8b",
    "openrouter:deepseek/deepseek-r1",
    "groq:openai/gpt-oss-20b",
  ])
    expect(modelFacts(id)).toMatchObject({ reasons: true, effort: false });
  for (const id of ["openai-compatible:qwen3-30b-instruct", "openai-compatible:llama3.2"])
    expect(modelFacts(id).reasons).toBe(false);
  expect(modelFacts("openai-compatible:gpt-4o")).toMatchObject({ caching: "none", batch: undefined });
});

describe("a budget", () => {
  test("lets a call in only when its highest cost fits beside what is spent and under way", async () => {
    const budget = createBudget(1);
    expect(await budget.reserve(0.6)).toBe(true);
    const second = budget.reserve(0.6);
    budget.settle(0.6, 0.3);
    expect(await second).toBe(true);
    budget.settle(0.6, 0.3);
    expect(budget.spent).toBeCloseTo(0.6, 10);
    expect(await budget.reserve(0.5)).toBe(false);
    expect(await budget.reserve(0.4)).toBe(true);
  });

  test("says at once whether there is room now", async () => {
    const budget = createBudget(1);
    expect(budget.reserveNow(0.6)).toBe(true);
    expect(budget.reserveNow(0.6)).toBe(false);
    budget.settle(0.6, 0.3);
    expect(budget.reserveNow(0.6)).toBe(true);
  });

  test("of zero lets nothing in; one that is no number is refused", async () => {
    expect(await createBudget(0).reserve(0.001)).toBe(false);
    expect(() => createBudget(Number.NaN)).toThrow(expect.objectContaining({ code: "wrong-option" }));
  });
});
