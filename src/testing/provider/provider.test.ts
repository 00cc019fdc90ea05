import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { embedMany, generateText, streamText } from "ai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type SimulatedProvider, startSimulatedProvider } from "./index.ts";

let provider: SimulatedProvider;
beforeEach(async () => {
  provider = await startSimulatedProvider();
});
afterEach(() => provider.close());

function models() {
  const anthropic = createAnthropic({ apiKey: "test", baseURL: provider.url("anthropic") });
  const openai = createOpenAI({ apiKey: "test", baseURL: provider.url("openai") });
  const compatible = createOpenAICompatible({ name: "local", baseURL: provider.url("openai-compatible") });
  return {
    "anthropic messages": anthropic("claude-haiku-4-5"),
    "openai responses": openai("gpt-4o"),
    "openai chat": openai.chat("gpt-4o"),
    "openai-compatible chat": compatible("qwen3:8b"),
  };
}
const names = Object.keys({
  "anthropic messages": 0,
  "openai responses": 0,
  "openai chat": 0,
  "openai-compatible chat": 0,
}) as (keyof ReturnType<typeof models>)[];

describe.each(names)("%s, through the SDK", (name) => {
  const ask = (prompt: string) => ({ model: models()[name], prompt, maxRetries: 0, maxOutputTokens: 40 });

  test("a reply says that it is simulated, and its usage is the ledger's", async () => {
    const result = await generateText({ ...ask("Say something."), instructions: "Be short." });
    expect(result.text).toBe("[simulated] Say something.");
    expect(result.finishReason).toBe("stop");
    expect(provider.ledger).toHaveLength(1);
    const usage = provider.ledger[0]?.usage;
    expect(usage?.inputTokens).toBeGreaterThan(4);
    expect(result.usage.inputTokens).toBe(usage?.inputTokens);
    expect(result.usage.outputTokens).toBe(usage?.outputTokens);
  });

  test("a stream brings the same text in pieces, and the same usage", async () => {
    provider.script("The first sentence of the reply. And the second one of it, too.");
    const result = streamText({ ...ask("Tell."), onError: () => {} });
    const pieces: string[] = [];
    for await (const piece of result.textStream) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join("")).toBe("The first sentence of the reply. And the second one of it, too.");
    expect((await result.usage).outputTokens).toBe(provider.ledger[0]?.usage?.outputTokens);
    expect(await result.finishReason).toBe("stop");
  });

  test("a reply over the limit is cut off and says so", async () => {
    provider.script("word ".repeat(100));
    const result = await generateText(ask("Tell."));
    expect(result.finishReason).toBe("length");
    expect(result.text.split(" ")).toHaveLength(40);
    expect(result.usage.outputTokens).toBe(40);
  });

  test("a refusal is one", async () => {
    provider.script({ stop: "refusal" });
    expect((await generateText(ask("Tell."))).finishReason).toBe("content-filter");
  });

  test("errors have the provider's shape, headers and words", async () => {
    provider.failNext({ status: 429, headers: { "retry-after": "7" }, message: "Slow down." });
    await expect(generateText(ask("Tell."))).rejects.toMatchObject({
      statusCode: 429,
      message: "Slow down.",
      responseHeaders: { "retry-after": "7" },
      isRetryable: true,
    });
    expect((await generateText(ask("Tell."))).text).toContain("Tell.");
    expect(provider.ledger.map(({ status }) => status)).toEqual([429, 200]);
  });

  test("connections break before, in the middle and never answer", async () => {
    provider.failNext({ cut: true });
    await expect(generateText(ask("Tell."))).rejects.toMatchObject({ isRetryable: true });
    provider.script({ cut: true });
    await expect(generateText(ask("Tell."))).rejects.toThrow();
    provider.failNext({ hang: true });
    await expect(generateText({ ...ask("Tell."), abortSignal: AbortSignal.timeout(100) })).rejects.toThrow(
      /abort|time/i,
    );
  });
});

test("keys, versions and models are checked as the providers do", async () => {
  const strict = await startSimulatedProvider({ apiKeys: { anthropic: "right", openai: "right" } });
  const anthropic = createAnthropic({ apiKey: "wrong", baseURL: strict.url("anthropic") });
  const openai = createOpenAI({ apiKey: "sk-wrong-key-1234", baseURL: strict.url("openai") });
  const right = createOpenAI({ apiKey: "right", baseURL: strict.url("openai") });
  const call = { prompt: "Hi", maxRetries: 0 };
  await expect(generateText({ ...call, model: anthropic("claude-haiku-4-5") })).rejects.toMatchObject({
    statusCode: 401,
    data: { error: { type: "authentication_error" } },
  });
  await expect(generateText({ ...call, model: openai("gpt-4o") })).rejects.toMatchObject({
    statusCode: 401,
    data: { error: { code: "invalid_api_key" } },
  });
  await expect(generateText({ ...call, model: right("gtp-4o") })).rejects.toMatchObject({
    statusCode: 404,
    data: { error: { code: "model_not_found" } },
  });
  await strict.close();
});

test("requests that a provider refuses are refused in its words", async () => {
  const anthropic = createAnthropic({ apiKey: "test", baseURL: provider.url("anthropic") });
  const openai = createOpenAI({ apiKey: "test", baseURL: provider.url("openai") });
  await expect(
    generateText({ model: anthropic("claude-haiku-4-5"), prompt: "", maxRetries: 0 }),
  ).rejects.toMatchObject({ statusCode: 400, message: "messages: text content blocks must be non-empty" });
  const five = await fetch(`${provider.url("anthropic")}/messages`, {
    method: "POST",
    headers: { "x-api-key": "test", "anthropic-version": "2023-06-01" },
    body: JSON.stringify({
      model: "claude-haiku-4-5",
      max_tokens: 10,
      system: Array.from({ length: 5 }, () => ({
        type: "text",
        text: "x",
        cache_control: { type: "ephemeral" },
      })),
      messages: [{ role: "user", content: "Hi" }],
    }),
  });
  expect(five.status).toBe(400);
  expect(await five.json()).toMatchObject({
    type: "error",
    error: { message: "A maximum of 4 blocks with cache_control may be provided. Found 5." },
  });
  await expect(
    generateText({ model: openai("gpt-4o"), prompt: "Hi", maxOutputTokens: 8, maxRetries: 0 }),
  ).rejects.toMatchObject({ statusCode: 400 });
});

describe("embeddings", () => {
  const model = () =>
    createOpenAI({ apiKey: "test", baseURL: provider.url("openai") }).embedding("text-embedding-3-small");
  const dot = (a: readonly number[] = [], b: readonly number[] = []) =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

  test("are unit vectors in which texts that share words are near", async () => {
    const values = ["revenue of the first quarter", "the revenue of a quarter", "cats sleep all day"];
    const { embeddings, usage } = await embedMany({ model: model(), values, maxRetries: 0 });
    expect(embeddings.map((vector) => vector.length)).toEqual([256, 256, 256]);
    for (const vector of embeddings) expect(dot(vector, vector)).toBeCloseTo(1, 10);
    expect(dot(embeddings[0], embeddings[1])).toBeGreaterThan(dot(embeddings[0], embeddings[2]) + 0.3);
    expect(usage.tokens).toBe(provider.ledger[0]?.usage?.inputTokens);
  });

  test("have the length that is asked for, and refuse empty texts and too long ones", async () => {
    const { embeddings } = await embedMany({ model: model(), values: ["a"], dimensions: 64, maxRetries: 0 });
    expect(embeddings[0]).toHaveLength(64);
    await expect(embedMany({ model: model(), values: ["a", ""], maxRetries: 0 })).rejects.toMatchObject({
      statusCode: 400,
    });
    await expect(
      embedMany({ model: model(), values: ["word ".repeat(9_000)], maxRetries: 0 }),
    ).rejects.toThrow(/maximum context length is 8192 tokens/);
  });
});

describe("documents that are to be cited from", () => {
  const document = (enabled: boolean) => ({
    type: "document",
    source: { type: "text", media_type: "text/plain", data: "The sky is blue. Grass is green." },
    ...(enabled && { citations: { enabled: true } }),
  });
  const send = async (documents: readonly object[], more: object = {}) => {
    const response = await fetch(`${provider.url("anthropic")}/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": "test", "anthropic-version": "2023-06-01" },
      body: JSON.stringify({
        model: "claude-haiku-4-5",
        max_tokens: 50,
        messages: [{ role: "user", content: [...documents, { type: "text", text: "Of what colour?" }] }],
        ...more,
      }),
    });
    return { status: response.status, body: JSON.stringify(await response.json()) };
  };

  test("are cited by their places, and words of none of them are not", async () => {
    provider.script({ parts: [{ text: "Green.", cites: ["Grass is green.", "Grass is red."] }] });
    const { body } = await send([document(true)]);
    expect(body).toContain('"document_index":0');
    expect(body).toContain('"start_char_index":17,"end_char_index":32');
    expect(body).not.toContain("red");
  });

  test("are refused beside others, and with a form for the reply", async () => {
    expect(await send([document(true), document(false)])).toMatchObject({ status: 400 });
    const form = { output_config: { format: { type: "json_schema", schema: {} } } };
    expect(await send([document(true)], form)).toMatchObject({ status: 400 });
    expect((await send([document(false)])).status).toBe(200);
  });
});
