import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBudget } from "../../llm/budget.ts";
import { createRetrier } from "../../llm/retry.ts";
import { resolveLanguageModel } from "../../models/resolve.ts";
import { KonteksError, type LanguageModel } from "../../spec/index.ts";
import { type SimulatedProvider, startSimulatedProvider } from "../../testing/provider/index.ts";
import { documentOf, memoryStore, numbered } from "./llm.fixture.ts";
import { createLlmContextualizer, type LlmContextualizerOptions } from "./llm.ts";

let provider: SimulatedProvider;
beforeEach(async () => {
  provider = await startSimulatedProvider();
});
afterEach(() => provider.close());

const name = "anthropic:claude-haiku-4-5";

async function contextualizer(
  contextStore = memoryStore(),
  model = name,
  options: Partial<LlmContextualizerOptions> = {},
) {
  const where = { apiKeys: { anthropic: "test", openai: "test" }, baseUrls: provider.baseUrls };
  const resolved = await resolveLanguageModel(model, where);
  const { contextualize } = createLlmContextualizer({
    model: resolved.model,
    modelId: resolved.id,
    contextStore,
    plan: "single",
    ...options,
  });
  return contextualize;
}

describe("the model", () => {
  const input = documentOf(["Revenue grew by 3 % over the previous quarter."]);
  const loading = (model?: () => Promise<LanguageModel>) => {
    let loads = 0;
    const load = async () => {
      loads += 1;
      if (model) return model();
      throw new KonteksError("no-key", "There is no key.");
    };
    return { load, loads: () => loads };
  };

  test("is loaded for the first call only: not for an estimate, nor when nothing is missing or may be paid for", async () => {
    const contextStore = memoryStore();
    const { load, loads } = loading();
    const one = createLlmContextualizer({ model: load, modelId: name, contextStore, plan: "single" });
    expect(one.estimate(input).missing).toBe(1);
    const run = { budget: createBudget(0), stopped: undefined };
    const { contexts } = await one.contextualize({ ...input, run });
    expect(contexts).toEqual([{ error: "No call may be made at a highest cost of $0." }]);
    await (await contextualizer(contextStore))(input);
    expect((await one.contextualize(input)).contexts).toMatchObject([{ kind: "llm" }]);
    expect(loads()).toBe(0);
  });

  test("that cannot be loaded stops the run; it is not the failure of a document", async () => {
    const { load } = loading();
    const one = createLlmContextualizer({ model: load, modelId: name, contextStore: memoryStore() });
    await expect(one.contextualize(input)).rejects.toMatchObject({ code: "no-key" });
  });

  test("that spends its reply on thinking gets more room from then on", async () => {
    const limits: unknown[] = [];
    provider.script(({ maxTokens }) => {
      limits.push(maxTokens);
      if ((maxTokens ?? 0) <= 200) return { text: "", stop: "length" };
      return { text: "It stands in the report of ACME on the second quarter of 2023." };
    });
    const many = documentOf(["First paragraph.", "Second paragraph.", "Third paragraph."]);
    const contextualize = await contextualizer(memoryStore(), "openai:gpt-4o", { concurrency: 1 });
    const { contexts, report } = await contextualize(many);
    expect(contexts.every((context) => "text" in context)).toBe(true);
    expect(limits).toEqual([200, 1_700, 1_700, 1_700]);
    expect(report.faults).toEqual({ "cut-off": 1 });
  });

  test("known to think has room for it, but its contexts may be no longer than others", async () => {
    provider.script({ text: `${"It is a long story of the report. ".repeat(60)}` });
    const contextualize = await contextualizer(memoryStore(), "anthropic:claude-haiku-5-5");
    const { contexts } = await contextualize(input);
    expect(contexts).toMatchObject([{ fault: "too-long" }]);
    expect(provider.ledger[0]?.body.max_tokens).toBe(1_700);
  });
});

test("two documents of one text, at the same time, are paid for once", async () => {
  const store = memoryStore();
  const find = ({ chunkHash }: { chunkHash: string }) =>
    [...store.contexts.values()].find((context) => context.chunkHash === chunkHash);
  const contextualize = await contextualizer({ ...store, find } as never);
  const { document, chunks } = documentOf(numbered(4));
  const ids = ["a.md", "b.md", "c.md"];
  const all = await Promise.all(ids.map((id) => contextualize({ document: { ...document, id }, chunks })));
  expect(all.every(({ contexts }) => contexts.every((context) => "text" in context))).toBe(true);
  expect(provider.ledger).toHaveLength(4);
});

describe("failures that documents share", () => {
  test.each([
    { status: 401 },
    { status: 400, message: "Your credit balance is too low to access the Anthropic API." },
  ])("one that meets every document alike ends the run: $status", async (fault) => {
    provider.failNext({ ...fault, times: 100 });
    const contextualize = await contextualizer();
    const run = { budget: createBudget(Number.POSITIVE_INFINITY), stopped: undefined as string | undefined };
    for (const id of ["a.md", "b.md", "c.md"]) {
      const { document, chunks } = documentOf(numbered(4), { id });
      const { contexts } = await contextualize({ document, chunks, run });
      expect(contexts.every((context) => "error" in context)).toBe(true);
    }
    expect(provider.ledger).toHaveLength(1);
    expect(run.stopped).toMatch(/failed \(status 40/);
  });

  test("a provider that is down ends the run after some documents; one that answers again does not", async () => {
    const retrier = createRetrier({ attemptsOnFault: 1 });
    const contextualize = await contextualizer(memoryStore(), name, { retrier });
    const run = { budget: createBudget(Number.POSITIVE_INFINITY), stopped: undefined as string | undefined };
    const one = (id: string) => {
      const { document, chunks } = documentOf([`${id} begins.`, ...numbered(5)], { id });
      return contextualize({ document, chunks, run });
    };
    provider.failNext({ status: 500, times: 6 });
    await one("a.md");
    await one("b.md");
    await one("c.md");
    expect(run.stopped).toBeUndefined();
    provider.failNext({ status: 500, times: 9 });
    for (const id of ["d.md", "e.md", "f.md"]) await one(id);
    expect(run.stopped).toMatch(/status 500/);
    const calls = provider.ledger.length;
    await one("g.md");
    expect(provider.ledger).toHaveLength(calls);
  });
});

describe("a model that writes nothing", () => {
  const blank = { text: "" };
  const runOf = () => ({
    budget: createBudget(Number.POSITIVE_INFINITY),
    stopped: undefined as string | undefined,
  });

  test("is given up for a document after some replies in a row, and for the run after some more", async () => {
    provider.script(blank);
    const contextualize = await contextualizer(memoryStore(), name, { concurrency: 1 });
    const run = runOf();
    const errors: string[] = [];
    for (const id of ["a.md", "b.md", "c.md", "d.md", "e.md"]) {
      const { document, chunks } = documentOf(numbered(40), { id });
      const { contexts } = await contextualize({ document, chunks, run });
      errors.push(...contexts.map((context) => ("error" in context ? context.error : "")));
    }
    // The next call is under way before a reply has been looked at.
    expect(provider.ledger.length).toBeLessThanOrEqual(4 * 13);
    expect(run.stopped).toMatch(/48 replies in a row that hold no context \(The reply was blank\.\)/);
    expect(errors).toHaveLength(200);
    expect(errors.filter((error) => error === "")).toEqual([]);
  });

  test("for the chunks of many small documents ends the run as well", async () => {
    provider.script(blank);
    const contextualize = await contextualizer(memoryStore(), name, { concurrency: 1 });
    const run = runOf();
    for (let i = 0; i < 30; i++) {
      const { document, chunks } = documentOf([`Only paragraph ${i}.`], { id: `${i}.md` });
      await contextualize({ document, chunks, run });
    }
    expect(provider.ledger).toHaveLength(48);
  });

  test("in most replies, but not in twelve in a row, is asked on", async () => {
    let calls = 0;
    const useful = { text: "It stands in the report of ACME on the second quarter of 2023." };
    provider.script(() => (++calls % 11 === 0 ? useful : blank));
    const contextualize = await contextualizer(memoryStore(), name, { concurrency: 1 });
    const run = runOf();
    const { document, chunks } = documentOf(numbered(60));
    const { contexts } = await contextualize({ document, chunks, run });
    expect(run.stopped).toBeUndefined();
    expect(contexts.filter((context) => "error" in context && /in a row/.test(context.error))).toEqual([]);
    expect(provider.ledger.length).toBeGreaterThan(100);
  });
});
