import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import {
  experimental_cancelBatch as cancelBatch,
  experimental_getBatchResults as getBatchResults,
  experimental_getBatchStatus as getBatchStatus,
  experimental_listBatches as listBatches,
  experimental_startBatch as startBatch,
} from "ai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type SimulatedProvider, startSimulatedProvider } from "./index.ts";

let provider: SimulatedProvider;
let now = 0;
beforeEach(async () => {
  now = Date.parse("2026-01-01T00:00:00Z");
  provider = await startSimulatedProvider({ batchMs: 1_000, now: () => now });
});
afterEach(() => provider.close());

const apis = {
  anthropic: () => createAnthropic({ apiKey: "x", baseURL: provider.url("anthropic") }),
  openai: () => createOpenAI({ apiKey: "x", baseURL: provider.url("openai") }),
};
const models = { anthropic: "claude-haiku-4-5", openai: "gpt-4o" } as const;

describe.each(["anthropic", "openai"] as const)("batches of %s, through the SDK", (name) => {
  const start = (ids: readonly string[]) =>
    startBatch({
      provider: apis[name](),
      requests: ids.map((id) => ({
        id,
        type: "text" as const,
        model: models[name] as never,
        prompt: `Say ${id}.`,
        maxOutputTokens: 50,
      })),
    });
  const results = async (batch: Awaited<ReturnType<typeof start>>) => {
    const items: { id: string; status: string; text?: string }[] = [];
    for await (const item of getBatchResults({ provider: apis[name](), batch }))
      items.push({ id: item.id, status: item.status, ...("text" in item && { text: item.text }) });
    return items;
  };

  test("are pending until their time has come; results come in another order, at half the price", async () => {
    const batch = await start(["a", "b", "c"]);
    expect(batch.status).toBe("pending");
    expect((await getBatchStatus({ provider: apis[name](), batch })).status).toBe("pending");
    now += 1_500;
    expect((await getBatchStatus({ provider: apis[name](), batch })).status).toBe("completed");
    expect(await results(batch)).toEqual(
      ["c", "b", "a"].map((id) => ({ id, status: "succeeded", text: `[simulated] Say ${id}.` })),
    );
    const items = provider.ledger.filter((entry) => entry.batch !== undefined);
    const rates = { anthropic: [1, 5], openai: [2.5, 10] }[name];
    for (const { usage, cost } of items) {
      const full =
        ((usage?.inputTokens ?? 0) * (rates[0] ?? 0) + (usage?.outputTokens ?? 0) * (rates[1] ?? 0)) / 1e6;
      expect(cost).toBeCloseTo(full / 2, 12);
    }
  });

  test("requests that fail, expire or are cancelled say so one by one", async () => {
    const outcomes = ["failed", "expired", "cancelled", "succeeded"] as const;
    let next = 0;
    provider.scriptBatches(() => outcomes[next++] ?? "succeeded");
    const batch = await start(["a", "b", "c", "d"]);
    now += 1_500;
    const ended = await getBatchStatus({ provider: apis[name](), batch });
    expect(ended.status).not.toBe("pending");
    const byId = Object.fromEntries((await results(batch)).map(({ id, status }) => [id, status]));
    expect(byId).toEqual({ a: "failed", b: "expired", c: "cancelled", d: "succeeded" });
  });

  test("are listed newest first, page by page, and can be cancelled", async () => {
    const first = await start(["a"]);
    const second = await start(["b"]);
    const page = await listBatches({ provider: apis[name](), limit: 1 });
    expect(page.batches.map(({ id }) => id)).toEqual([second.id]);
    const rest = await listBatches({ provider: apis[name](), limit: 1, cursor: page.nextCursor ?? "" });
    expect(rest.batches.map(({ id }) => id)).toEqual([first.id]);
    expect(rest.nextCursor).toBeUndefined();
    await cancelBatch({ provider: apis[name](), batch: first });
    expect((await getBatchStatus({ provider: apis[name](), batch: first })).status).not.toBe("pending");
    expect(await results(first)).toEqual([{ id: "a", status: "cancelled" }]);
  });

  test("a start that the provider refuses leaves no batch", async () => {
    provider.failNext({ status: 500, path: "/batches" });
    await expect(start(["a"])).rejects.toMatchObject({ statusCode: 500 });
    expect((await listBatches({ provider: apis[name]() })).batches).toEqual([]);
  });
});

test("a batch warms no cache: the first of a front writes it, of the rest only a share reads it", async () => {
  const front = "word ".repeat(6_000);
  const batch = await startBatch({
    provider: apis.anthropic(),
    requests: Array.from({ length: 11 }, (_, i) => ({
      id: `r${i}`,
      type: "text" as const,
      model: "claude-haiku-4-5" as never,
      instructions: {
        role: "system" as const,
        content: front,
        providerOptions: { anthropic: { cacheControl: { type: "ephemeral", ttl: "1h" } } },
      },
      prompt: `Say ${i}.`,
      maxOutputTokens: 50,
    })),
  });
  now += 1_500;
  await getBatchStatus({ provider: apis.anthropic(), batch });
  const usages = provider.ledger.flatMap((entry) => (entry.batch ? [entry.usage] : []));
  expect(usages.filter((usage) => (usage?.cacheReadTokens ?? 0) > 0)).toHaveLength(7);
  expect(usages.filter((usage) => (usage?.cacheWriteTokens ?? 0) > 0)).toHaveLength(4);
});
