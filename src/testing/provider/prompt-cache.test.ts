import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText } from "ai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type SimulatedProvider, startSimulatedProvider } from "./index.ts";
import { tokensOf } from "./tokens.ts";

let provider: SimulatedProvider;
let time = 0;
beforeEach(async () => {
  time = 1_000_000;
  provider = await startSimulatedProvider({ now: () => time });
});
afterEach(() => provider.close());

const longText = "word ".repeat(5_000).trim();

async function ask(document: string, question: string, model = "claude-haiku-4-5") {
  const anthropic = createAnthropic({ apiKey: "test", baseURL: provider.url("anthropic") });
  const result = await generateText({
    model: anthropic(model),
    instructions: [
      {
        role: "system",
        content: document,
        providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
      },
    ],
    prompt: question,
    maxOutputTokens: 100,
    maxRetries: 0,
  });
  const {
    cacheReadTokens: read,
    cacheWriteTokens: write,
    noCacheTokens: rest,
  } = result.usage.inputTokenDetails;
  return { read, write, rest };
}

describe("at breakpoints (Anthropic)", () => {
  test("the first call writes the prefix, the next one with other words behind it reads it", async () => {
    expect(await ask(longText, "one")).toEqual({ read: 0, write: 5_000, rest: 1 });
    expect(await ask(longText, "two three")).toEqual({ read: 5_000, write: 0, rest: 2 });
  });

  test("one sign that differs, another model, or a prefix below the model's minimum reads nothing", async () => {
    await ask(longText, "one");
    expect((await ask(`${longText}.`, "one")).read).toBe(0);
    expect((await ask(longText, "one", "claude-sonnet-4-5")).read).toBe(0);
    const short = "word ".repeat(4_095).trim();
    expect(await ask(short, "one")).toEqual({ read: 0, write: 0, rest: 4_096 });
    expect((await ask(short, "one", "claude-sonnet-4-5")).write).toBe(4_095);
  });

  test("an entry lives five minutes from the start of its last use", async () => {
    await ask(longText, "one");
    time += 4 * 60_000;
    expect((await ask(longText, "two")).read).toBe(5_000);
    time += 4 * 60_000;
    expect((await ask(longText, "three")).read).toBe(5_000);
    time += 5 * 60_000;
    expect((await ask(longText, "four")).read).toBe(0);
  });

  test("a call that starts before the writing response has begun reads nothing and writes again", async () => {
    provider.script({ delayMs: 60 });
    const both = await Promise.all([ask(longText, "one"), ask(longText, "two")]);
    expect(both.map(({ read, write }) => [read, write])).toEqual([
      [0, 5_000],
      [0, 5_000],
    ]);
  });

  test("a search goes back twenty blocks from a breakpoint and no further", async () => {
    const post = async (blocks: number, word = "block") => {
      const system = [
        { type: "text", text: longText, ...(blocks === 0 && mark) },
        ...Array.from({ length: blocks }, (_, index) => ({
          type: "text",
          text: `${word} ${index}`,
          ...(index === blocks - 1 && mark),
        })),
      ];
      const response = await fetch(`${provider.url("anthropic")}/messages`, {
        method: "POST",
        headers: { "x-api-key": "test", "anthropic-version": "2023-06-01" },
        body: JSON.stringify({
          model: "claude-haiku-4-5",
          max_tokens: 9,
          system,
          messages: [{ role: "user", content: "Hi" }],
        }),
      });
      const body = (await response.json()) as { usage: { cache_read_input_tokens: number } };
      return body.usage.cache_read_input_tokens;
    };
    const mark = { cache_control: { type: "ephemeral" } };
    await post(0);
    expect(await post(19)).toBe(5_000);
    expect(await post(20, "other")).toBe(0);
  });
});

test("without being asked (OpenAI): from 1,024 tokens in steps of 128, never all of a shorter prompt", async () => {
  const openai = createOpenAI({ apiKey: "test", baseURL: provider.url("openai") });
  const cached = async (prompt: string) => {
    const result = await generateText({ model: openai("gpt-4o"), prompt, maxRetries: 0 });
    return result.usage.inputTokenDetails.cacheReadTokens;
  };
  const beginning = "word ".repeat(1_200);
  expect(await cached(`${beginning} one`)).toBe(0);
  expect(await cached(`${beginning} two`)).toBe(1_152);
  expect(await cached("word ".repeat(1_000))).toBe(0);
  expect(await cached("word ".repeat(1_000))).toBe(0);
});

test("tokens: six letters, three digits, one other sign", () => {
  expect(tokensOf("word")).toBe(1);
  expect(tokensOf("contextual retrieval")).toBe(4);
  expect(tokensOf("1234 东京。")).toBe(5);
  expect(tokensOf(" \n ")).toBe(0);
});
