import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { KonteksError } from "../spec/index.ts";
import { type SimulatedProvider, startSimulatedProvider } from "../testing/provider/index.ts";
import { embedBatch, generate, generateStream } from "./ai.ts";
import { createRetrier } from "./retry.ts";

let provider: SimulatedProvider;
beforeEach(async () => {
  provider = await startSimulatedProvider();
});
afterEach(() => provider.close());

const modelId = "anthropic:claude-haiku-4-5";
const quick = () => createRetrier({ firstWaitMs: 1, attempts: 3 });

function request(prompt = "Hello.") {
  const anthropic = createAnthropic({ apiKey: "test", baseURL: provider.url("anthropic") });
  return { model: anthropic("claude-haiku-4-5"), modelId, prompt, maxOutputTokens: 50, retrier: quick() };
}

async function errorOf(run: Promise<unknown>): Promise<KonteksError> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(KonteksError);
  return error as KonteksError;
}

describe("generate", () => {
  test("gives text, why it ended and what it used", async () => {
    const reply = await generate(request());
    expect(reply).toEqual({
      text: "[simulated] Hello.",
      finishReason: "stop",
      usage: provider.ledger[0]?.usage,
    });
  });

  test("marks the blocks that are to be cached, and only those", async () => {
    const document = "word ".repeat(5_000);
    const call = { ...request(), system: [{ text: "Rules." }, { text: document, cache: true }] };
    await generate(call);
    const second = await generate(call);
    expect(second.usage.cacheReadTokens).toBe(5_002);
    expect(second.usage.inputTokens).toBe(5_004);
    expect(provider.ledger[0]?.body.system).toEqual([
      { type: "text", text: "Rules." },
      { type: "text", text: document, cache_control: { type: "ephemeral" } },
    ]);
  });

  test("tells OpenAI which calls begin alike, and asks for no summary of what a model thinks", async () => {
    const openai = async (id: string, reasoning?: "low") => {
      const modelId = `openai:${id}`;
      const model = createOpenAI({ apiKey: "test", baseURL: provider.url("openai") })(id);
      const ask = (text: string, shared: boolean) =>
        generate({
          model,
          modelId,
          system: [{ text, shared }],
          prompt: "Hi",
          ...(reasoning && { reasoning }),
        });
      for (const text of ["one", "one", "two"]) await ask(text, true);
      await ask("one", false);
      return provider.ledger.slice(-4).map(({ body }) => body);
    };
    const keys = (await openai("gpt-4o")).map((body) => body.prompt_cache_key);
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(keys[3]).toBeUndefined();
    for (const body of await openai("gpt-5-mini", "low")) expect(body.reasoning).toEqual({ effort: "low" });
  });

  test("waits out what passes and counts the call that came through", async () => {
    provider.failNext({ status: 529, times: 2 });
    expect((await generate(request())).usage.calls).toBe(1);
    expect(provider.ledger.map(({ status }) => status)).toEqual([529, 529, 200]);
  });

  test("keeps to retry-after-ms", async () => {
    provider.failNext({ status: 429, headers: { "retry-after-ms": "80" } });
    await generate(request());
    const [first, second] = provider.ledger;
    expect((second?.startedAt ?? 0) - (first?.startedAt ?? 0)).toBeGreaterThanOrEqual(78);
  });

  test("says what the provider said, with the status and the next step, and never a key", async () => {
    provider.failNext({ status: 400, message: "Bad thing: sk-ant-api03-abcdef1234567890." });
    const error = await errorOf(generate(request()));
    expect(error.code).toBe("model-failed");
    expect(error.message).toBe(
      `${modelId} failed (status 400): Bad thing: [key]. The provider refused the request; correct what it names.`,
    );
    expect(error.facts).toMatchObject({ model: modelId, status: 400, type: "invalid_request_error" });
    expect(error.cause).toBeDefined();
  });

  test("tells an unknown model from other failures", async () => {
    const openai = createOpenAI({ apiKey: "test", baseURL: provider.url("openai") });
    const error = await errorOf(
      generate({ ...request(), model: openai("gtp-4o"), modelId: "openai:gtp-4o" }),
    );
    expect(error.code).toBe("unknown-model");
    expect(error.message).toMatch(/^openai:gtp-4o is not known to its provider \(status 404\)/);
  });

  test("names the variable of a key that is missing", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", undefined);
    const anthropic = createAnthropic({ baseURL: provider.url("anthropic") });
    const error = await errorOf(generate({ ...request(), model: anthropic("claude-haiku-4-5") }));
    expect(error.code).toBe("no-key");
    expect(error.message).toContain("ANTHROPIC_API_KEY");
    expect(provider.ledger).toHaveLength(0);
    vi.unstubAllEnvs();
  });

  test("a server that is not there is a failed model after the retries", async () => {
    const anthropic = createAnthropic({ apiKey: "test", baseURL: "http://127.0.0.1:9/v1" });
    const error = await errorOf(generate({ ...request(), model: anthropic("claude-haiku-4-5") }));
    expect(error.code).toBe("model-failed");
    expect(error.message).toContain("Check the network");
  });

  test("a server that never answers is tried again, and then a failed model", async () => {
    provider.failNext({ hang: true });
    expect((await generate({ ...request(), timeoutMs: 100 })).text).toBe("[simulated] Hello.");
    provider.failNext({ hang: true, times: 4 });
    const error = await errorOf(generate({ ...request(), timeoutMs: 50 }));
    expect(error.message).toBe(
      `${modelId} failed at all 4 tries: no answer within 0.05 s. Check the network and the base URL, then run it again.`,
    );
    provider.failNext({ hang: true });
    expect((await generateStream({ ...request(), timeoutMs: 100 }, () => {})).text).toBe(
      "[simulated] Hello.",
    );
  });

  test("an answer in another protocol says to check the base URL", async () => {
    const server = createServer((_, response) => response.end("<html>Welcome!</html>")).listen(
      0,
      "127.0.0.1",
    );
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const anthropic = createAnthropic({ apiKey: "test", baseURL: `http://127.0.0.1:${port}` });
    const error = await errorOf(generate({ ...request(), model: anthropic("claude-haiku-4-5") }));
    expect(error.message).toContain("check the base URL");
    server.closeAllConnections();
    server.close();
  });

  test("an abort ends a call under way at once", async () => {
    provider.script({ delayMs: 5_000 });
    const started = Date.now();
    const error = await errorOf(generate({ ...request(), signal: AbortSignal.timeout(50) }));
    expect(error.code).toBe("aborted");
    expect(Date.now() - started).toBeLessThan(2_000);
  });

  test("reads a reply by its schema, and keeps a paid reply that does not fit it", async () => {
    const schema = {
      type: "object",
      properties: { n: { type: "number" } },
      required: ["n"],
      additionalProperties: false,
    };
    const openai = createOpenAI({ apiKey: "test", baseURL: provider.url("openai") });
    const call = { ...request(), model: openai("gpt-4o"), modelId: "openai:gpt-4o", schema };
    provider.script('{"n": 3}');
    expect((await generate(call)).object).toEqual({ n: 3 });
    provider.script("three");
    const wrong = await generate(call);
    expect(wrong).toMatchObject({ text: "three", usage: { calls: 1 } });
    expect(wrong.object).toBeUndefined();
    provider.script({ text: '{"n": ', stop: "length" });
    expect(await generate(call)).toMatchObject({ finishReason: "length", usage: { calls: 1 } });
  });

  test("prints nothing, whatever the provider warns of", async () => {
    const printed = [vi.spyOn(console, "warn"), vi.spyOn(console, "info"), vi.spyOn(console, "log")];
    const anthropic = createAnthropic({ apiKey: "test", baseURL: provider.url("anthropic") });
    const { maxOutputTokens: _, ...call } = { ...request(), model: anthropic("claude-unheard-of-9") };
    await generate(call);
    await generateStream(call, () => {});
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });
});

describe("generateStream", () => {
  test("hands the text on as it comes and gives it whole", async () => {
    provider.script("One sentence that is long enough. Another sentence.");
    const pieces: string[] = [];
    const reply = await generateStream(request(), (piece) => pieces.push(piece));
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join("")).toBe(reply.text);
    expect(reply).toMatchObject({ finishReason: "stop", usage: provider.ledger[0]?.usage });
  });

  test("starts again before the first piece, never after it", async () => {
    provider.failNext({ status: 503 });
    expect((await generateStream(request(), () => {})).text).toBe("[simulated] Hello.");
    provider.script({ text: "One sentence that is long enough to be cut in the middle of it.", cut: true });
    let text = "";
    const error = await errorOf(
      generateStream(request(), (piece) => {
        text += piece;
      }),
    );
    expect(error.code).toBe("model-failed");
    expect(error.message).toMatch(/broke off in the middle of its answer/);
    expect(text).toMatch(/^One sentence/);
    expect(provider.ledger).toHaveLength(3);
  });

  test("an abort ends it", async () => {
    provider.script({ delayMs: 5_000 });
    const error = await errorOf(generateStream({ ...request(), signal: AbortSignal.timeout(50) }, () => {}));
    expect(error.code).toBe("aborted");
  });
});

test("embedBatch gives a vector a text, and what it used", async () => {
  const openai = createOpenAI({ apiKey: "test", baseURL: provider.url("openai") });
  const model = openai.embedding("text-embedding-3-small");
  const { vectors, usage } = await embedBatch({
    model,
    modelId: "openai:text-embedding-3-small",
    texts: ["a", "b"],
  });
  expect(vectors.map(({ length }) => length)).toEqual([256, 256]);
  expect(usage).toEqual({
    calls: 1,
    inputTokens: 2,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  });
});
