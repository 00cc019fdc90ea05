import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBudget } from "../../llm/budget.ts";
import { loadProvider } from "../../models/load-provider.ts";
import { parseModelName } from "../../models/name.ts";
import { resolveLanguageModel } from "../../models/resolve.ts";
import { type ContextStore, KonteksError } from "../../spec/index.ts";
import { openSqliteContextStore } from "../../stores/sqlite/index.ts";
import { type SimulatedProvider, startSimulatedProvider } from "../../testing/provider/index.ts";
import { chunkDocument } from "../chunk/chunk.ts";
import { documentFromInput } from "../load/index.ts";
import { createLlmContextualizer, type LlmContextualizerOptions } from "./llm.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-batch-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let provider: SimulatedProvider;
let store: ContextStore;
let count = 0;
beforeEach(async () => {
  provider = await startSimulatedProvider();
  count += 1;
  store = openSqliteContextStore({ path: join(folder, `${count}.sqlite`) });
});
afterEach(async () => {
  store.close();
  await provider.close();
});

const quick = { pollMs: 15, settleMs: 30 };

async function contextualizer(model: string, options: Partial<LlmContextualizerOptions> = {}) {
  const where = { apiKeys: { anthropic: "test", openai: "test" }, baseUrls: provider.baseUrls };
  const { id, model: resolved } = await resolveLanguageModel(model, where);
  const batchProvider = async () => loadProvider(parseModelName(model), where);
  return createLlmContextualizer({
    model: resolved,
    modelId: id,
    contextStore: store,
    batchProvider,
    ...quick,
    ...options,
  });
}

async function made(id: string, paragraphs = 12) {
  const body = Array.from(
    { length: paragraphs },
    (_, i) =>
      `Item ${String.fromCharCode(97 + (i % 26)).repeat(9)} of ${id}. ${"It tells of many things. ".repeat(4)}`,
  );
  const document = await documentFromInput({
    id,
    text: `# Paper ${id}\n\n${body.join("\n\n")}`,
    language: "en",
  });
  return { document, chunks: chunkDocument(document, { size: 60, overlap: 0 }) };
}

const starts = () => provider.ledger.filter(({ path, body }) => path.endsWith("/batches") && body).length;
const items = () => provider.ledger.filter(({ batch }) => batch !== undefined);

describe.each([
  ["anthropic:claude-haiku-4-5", "grouped"],
  ["anthropic:claude-haiku-4-5", "single"],
  ["openai:gpt-4o", "grouped"],
  ["openai:gpt-4o", "single"],
] as const)("batches, %s, %s", (model, plan) => {
  test("bring every context, at half the price, and are forgotten when they are done", async () => {
    const documents = [await made("a"), await made("b")];
    const one = await contextualizer(model, { plan });
    const { report } = await one.batches({ documents });
    const chunks = documents.reduce((sum, { chunks }) => sum + chunks.length, 0);
    expect(report.written).toEqual({ [plan]: chunks });
    expect(store.count().contexts).toBe(chunks);
    expect(store.batches()).toEqual([]);
    expect(starts()).toBe(1);
    expect(report.cost).toBeCloseTo(
      items().reduce((sum, { cost = 0 }) => sum + cost, 0),
      8,
    );
    for (const input of documents) {
      const { contexts, usage } = await one.contextualize(input);
      expect(usage.calls).toBe(0);
      expect(
        contexts.every((context) => "text" in context && context.text.includes(`Paper ${input.document.id}`)),
      ).toBe(true);
    }
  });

  test("requests that expire, fail or are cancelled are started again", async () => {
    const outcomes = ["expired", "failed", "cancelled"] as const;
    let ended = 0;
    provider.scriptBatches(() => outcomes[ended++] ?? "succeeded");
    const input = await made("a", 40);
    await (await contextualizer(model, { plan, groupSize: 5 })).batches({ documents: [input] });
    expect(store.count().contexts).toBe(input.chunks.length);
    expect(starts()).toBe(2);
  });

  test("a crash before the answer to the start was on disk starts nothing twice", async () => {
    const input = await made("a");
    const dying: ContextStore = {
      ...store,
      putBatch(batch) {
        if (batch.reference !== undefined) throw new Error("killed");
        store.putBatch(batch);
      },
    };
    const crashed = (await contextualizer(model, { plan, contextStore: dying })).batches({
      documents: [input],
    });
    await expect(crashed).rejects.toThrow("killed");
    expect(store.batches()).toHaveLength(1);
    await (await contextualizer(model, { plan })).batches({ documents: [input] });
    expect(store.count().contexts).toBe(input.chunks.length);
    expect(starts()).toBe(1);
    const asked = items().length;
    expect(asked).toBe(plan === "single" ? input.chunks.length : Math.ceil(input.chunks.length / 12));
  });

  test("a batch that was meant to be started and never was is started, once it is sure", async () => {
    const input = await made("a");
    const item = {
      id: "kx-0",
      documentId: "a",
      documentHash: "h",
      chunkHashes: ["c"],
      policy: "single" as const,
    };
    const one = await contextualizer(model, { plan });
    const createdAt = new Date().toISOString();
    store.putBatch({ id: "kx", modelId: model, recipe: one.recipe, createdAt, items: [item] });
    await one.batches({ documents: [input] });
    expect(store.batches()).toEqual([]);
    expect(store.count().contexts).toBe(input.chunks.length);
    expect(starts()).toBe(1);
  });
});

test("other batches of the account are told apart by the ids of their requests", async () => {
  const one = await contextualizer("anthropic:claude-haiku-4-5", { plan: "single" });
  const [mine, others] = [await made("a", 6), await made("b", 6)];
  const dying: ContextStore = {
    ...store,
    putBatch: (batch) => {
      if (batch.reference !== undefined) throw new Error("killed");
      store.putBatch(batch);
    },
  };
  const crashed = await contextualizer("anthropic:claude-haiku-4-5", { plan: "single", contextStore: dying });
  await expect(crashed.batches({ documents: [mine] })).rejects.toThrow("killed");
  const elsewhere = openSqliteContextStore({ path: join(folder, "elsewhere.sqlite") });
  await (
    await contextualizer("anthropic:claude-haiku-4-5", { plan: "single", contextStore: elsewhere })
  ).batches({
    documents: [others],
  });
  elsewhere.close();
  await one.batches({ documents: [mine] });
  expect(starts()).toBe(2);
  expect([...store.contexts()].map(({ text }) => text).every((text) => text.includes("Paper a"))).toBe(true);
});

test("a context that fails the checks is asked for once more, in the next batch", async () => {
  let asked = 0;
  provider.script(({ messages }) => {
    if (!messages[0]?.text.includes("ccccccccc")) return undefined;
    asked += 1;
    return "I'm sorry, but I can't help with that.";
  });
  const input = await made("a", 6);
  const one = await contextualizer("anthropic:claude-haiku-4-5", { plan: "single" });
  const { report } = await one.batches({ documents: [input] });
  expect(report.faults).toEqual({ refusal: 2 });
  expect(asked).toBe(2);
  const { contexts } = await one.contextualize({
    ...input,
    run: { budget: createBudget(1), storedOnly: "The batch brought no context.", stopped: undefined },
  });
  expect(contexts.filter((context) => "error" in context)).toEqual([
    { error: "The batch brought no context." },
  ]);
});

test("models that refuse a forced tool call are asked one by one", async () => {
  const input = await made("a", 6);
  const one = await contextualizer("anthropic:claude-opus-5-5", { plan: "grouped" });
  const { report } = await one.batches({ documents: [input] });
  expect(report.written).toEqual({ single: input.chunks.length });
});

test("a group whose reply has not one context for each is asked for one by one in the next batch", async () => {
  provider.script((call) => (call.structured ? { text: "I would rather write a letter." } : undefined));
  const input = await made("a", 4);
  const one = await contextualizer("anthropic:claude-haiku-4-5", { plan: "grouped" });
  const { report } = await one.batches({ documents: [input] });
  expect(report.written).toEqual({ single: input.chunks.length });
  expect(report.faults).toEqual({ form: 1 });
  expect(starts()).toBe(2);
});

test("nothing is started, and no provider looked up, when the first request might pass the highest cost", async () => {
  const run = { budget: createBudget(0.000_001), stopped: undefined as string | undefined };
  const one = await contextualizer("anthropic:claude-haiku-4-5", {
    batchProvider: () => Promise.reject("!"),
  });
  await one.batches({ documents: [await made("a")], run });
  expect(run.stopped).toMatch(/leaves no room for another request/);
  expect(provider.ledger).toHaveLength(0);
  expect(store.batches()).toEqual([]);
});

test("a batch that would pass the highest cost is split; what the first ones did not cost pays for more", async () => {
  const documents = await Promise.all([..."abcdefghijklmnop"].map((id) => made(id)));
  const free = await contextualizer("anthropic:claude-haiku-4-5", { plan: "grouped" });
  const whole = (await free.batches({ documents })).report.cost ?? 0;
  const chunks = documents.reduce((sum, { chunks }) => sum + chunks.length, 0);
  for (const { document } of documents) store.deleteDocument(document.id);

  const highest = whole * 1.5;
  const run = { budget: createBudget(highest), stopped: undefined as string | undefined };
  const { report } = await free.batches({ documents, run });
  expect(starts()).toBeGreaterThan(1);
  expect(report.written).toEqual({ grouped: chunks });
  expect(report.cost).toBeLessThanOrEqual(highest);

  for (const { document } of documents) store.deleteDocument(document.id);
  const scant = { budget: createBudget(whole * 0.8), stopped: undefined as string | undefined };
  const partly = await free.batches({ documents, run: scant });
  expect(scant.stopped).toMatch(/leaves no room for another request/);
  expect(partly.report.written.grouped).toBeGreaterThan(0);
  expect(partly.report.written.grouped).toBeLessThan(chunks);
  expect(partly.report.cost).toBeLessThanOrEqual(whole * 0.8);
});

test("a copy of a document is not asked for a second time", async () => {
  const first = await made("a");
  const copy = { document: { ...first.document, id: "copy" }, chunks: first.chunks };
  const one = await contextualizer("anthropic:claude-haiku-4-5");
  const { report } = await one.batches({ documents: [first, copy] });
  expect(report.written).toEqual({ grouped: first.chunks.length });
  const { contexts } = await one.contextualize(copy);
  expect(contexts.every((context) => "text" in context)).toBe(true);
  expect(items()).toHaveLength(1);
});

test("who may pay for nothing needs no key to go on; what was begun is fetched another time", async () => {
  const input = await made("a");
  const crashed = await contextualizer("anthropic:claude-haiku-4-5");
  const stop = new AbortController();
  const running = crashed.batches({
    documents: [input],
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  await expect(running).rejects.toMatchObject({ code: "aborted" });
  expect(store.batches()).toHaveLength(1);
  const noKey = new KonteksError("no-key", "There is no key.");
  const keyless = await contextualizer("anthropic:claude-haiku-4-5", {
    batchProvider: () => Promise.reject(noKey),
  });
  const run = { budget: createBudget(0), stopped: undefined };
  await expect(keyless.batches({ documents: [], run })).resolves.toBeDefined();
  await expect(keyless.batches({ documents: [] })).rejects.toBe(noKey);
  const { report } = await (await contextualizer("anthropic:claude-haiku-4-5")).batches({ documents: [] });
  expect(report.written).toEqual({ grouped: input.chunks.length });
  expect(starts()).toBe(1);
});

test("a model without batches says so", async () => {
  const one = await contextualizer("openai-compatible:qwen3:8b", { batchProvider: async () => undefined });
  await expect(one.batches({ documents: [await made("a")] })).rejects.toMatchObject({ code: "wrong-option" });
});
