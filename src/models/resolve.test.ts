import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { generate } from "../llm/ai.ts";
import type { Embedder, EmbeddingModel } from "../spec/index.ts";
import { KonteksError } from "../spec/index.ts";
import { type SimulatedProvider, startSimulatedProvider } from "../testing/provider/index.ts";
import { embedderFromModel } from "./embedder.ts";
import { resolveEmbedder, resolveLanguageModel } from "./resolve.ts";

let provider: SimulatedProvider;
beforeEach(async () => {
  provider = await startSimulatedProvider();
});
afterEach(() => provider.close());

const apiKeys = { anthropic: "test", openai: "test" };
const options = () => ({ apiKeys, baseUrls: provider.baseUrls, env: {} });

async function errorOf(run: Promise<unknown>): Promise<KonteksError> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(KonteksError);
  return error as KonteksError;
}

describe("resolveLanguageModel", () => {
  test.each(["anthropic:claude-haiku-4-5", "openai:gpt-4o", "openai-compatible:qwen3:8b"])(
    "%s is called",
    async (name) => {
      const { id, model } = await resolveLanguageModel(name, options());
      expect(id).toBe(name);
      expect((await generate({ model, modelId: id, prompt: "Hello." })).text).toBe("[simulated] Hello.");
      expect(provider.ledger[0]?.model).toBe(name.slice(name.indexOf(":") + 1));
    },
  );

  test("a model object goes by the name it would have", async () => {
    const model = createAnthropic({ apiKey: "test" })("claude-haiku-4-5");
    expect(await resolveLanguageModel(model)).toEqual({ id: "anthropic:claude-haiku-4-5", model });
  });

  test.each([
    ["claude-haiku-4-5", "anthropic:claude-haiku-4-5"],
    ["gpt-4o", "openai:gpt-4o"],
    ["openai/gpt-4o", "openai:gpt-4o"],
    ["antropic:claude-haiku-4-5", "anthropic:claude-haiku-4-5"],
    ["open-ai:gpt-4o", "openai:gpt-4o"],
    ["Anthropic:claude-haiku-4-5", "anthropic:claude-haiku-4-5"],
    ["openai_compatible:qwen3:8b", "openai-compatible:qwen3:8b"],
    ["qwen3", "openai-compatible:qwen3"],
    ["anthropic:", "anthropic:<model>"],
  ])("%s is answered with %s", async (name, form) => {
    const error = await errorOf(resolveLanguageModel(name, options()));
    expect(error.code).toBe("unknown-model");
    expect(error.message).toContain(`"${name}"`);
    expect(error.message).toContain(`"${form}"`);
  });

  test("a provider like no other gets the list", async () => {
    const error = await errorOf(resolveLanguageModel("frobnicator:x", options()));
    expect(error.code).toBe("unknown-model");
    expect(error.message).toContain("anthropic, openai, openai-compatible");
  });

  test.each([
    ["anthropic:claude-haiku-4-5", "ANTHROPIC_API_KEY"],
    ["openai:gpt-4o", "OPENAI_API_KEY"],
    ["mistral:mistral-small", "MISTRAL_API_KEY"],
  ])("%s without a key names %s before anything is sent", async (name, variable) => {
    for (const env of [{}, { [variable]: " " }]) {
      const error = await errorOf(resolveLanguageModel(name, { ...options(), apiKeys: {}, env }));
      expect(error.code).toBe("no-key");
      expect(error.message).toContain(variable);
    }
    expect(provider.ledger).toHaveLength(0);
  });

  test("a compatible server needs a base URL, and no key", async () => {
    const error = await errorOf(resolveLanguageModel("openai-compatible:qwen3", { env: {} }));
    expect(error.code).toBe("wrong-option");
    expect(error.message).toContain("base URL");
  });

  test("a provider that is not installed says what to install", async () => {
    const error = await errorOf(resolveLanguageModel("groq:llama", { apiKeys: { groq: "x" } }));
    expect(error.code).toBe("unknown-model");
    expect(error.message).toContain("npm install @ai-sdk/groq");
  });
});

describe("resolveEmbedder", () => {
  const length = (vector: Float32Array) => Math.hypot(...vector);

  test.each(["openai:text-embedding-3-small", "openai-compatible:nomic-embed-text"])(
    "%s embeds",
    async (name) => {
      const embedder = await resolveEmbedder(name, options());
      expect(embedder).toMatchObject({ id: name, kind: "hosted", maxBatch: 96 });
      const used: number[] = [];
      const vectors = await embedder.embedDocuments(["a b c", "d"], {
        onUsage: (usage) => used.push(usage.inputTokens),
      });
      expect(vectors.map((vector) => vector.length)).toEqual([256, 256]);
      for (const vector of vectors) expect(length(vector)).toBeCloseTo(1, 5);
      expect(await embedder.embedQuery("d")).toEqual(vectors[1]);
      expect(used).toEqual([4]);
    },
  );

  test("an embedder is handed back, a model object is wrapped", async () => {
    const own = { id: "own", kind: "local" } as Embedder;
    expect(await resolveEmbedder(own)).toBe(own);
    const model = createOpenAI({ apiKey: "test" }).embedding("text-embedding-3-large");
    expect(await resolveEmbedder(model)).toMatchObject({
      id: "openai:text-embedding-3-large",
      maxTokens: 7_372,
    });
  });

  test("a provider without embeddings says so", async () => {
    const error = await errorOf(resolveEmbedder("anthropic:claude-haiku-4-5", options()));
    expect(error.code).toBe("unknown-model");
    expect(error.message).toContain("anthropic has no embedding models");
  });

  test("vectors of another length than 1 are brought to it; zeros and non-numbers are refused", async () => {
    const modelOf = (embedding: number[]): EmbeddingModel & Record<string, unknown> => ({
      specificationVersion: "v4",
      provider: "own",
      modelId: "m",
      maxEmbeddingsPerCall: 8,
      supportsParallelCalls: true,
      doEmbed: async () => ({ embeddings: [embedding], warnings: [] }),
    });
    expect(embedderFromModel(modelOf([3, 4])).maxBatch).toBe(8);
    const [vector] = await embedderFromModel(modelOf([3, 4])).embedDocuments(["a"]);
    expect([...(vector ?? [])].map((value) => Math.round(value * 10))).toEqual([6, 8]);
    for (const wrong of [
      [0, 0],
      [Number.NaN, 1],
    ]) {
      const error = await errorOf(embedderFromModel(modelOf(wrong)).embedDocuments(["a"]));
      expect(error.code).toBe("embedding-failed");
      expect(error.message).toContain("own:m");
    }
  });
});
