import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { embedderFromModel } from "../models/embedder.ts";
import { resolveEmbedder } from "../models/resolve.ts";
import type { Embedder, VectorKey } from "../spec/index.ts";
import { KonteksError } from "../spec/index.ts";
import { type SimulatedProvider, startSimulatedProvider } from "../testing/provider/index.ts";
import { countTokens } from "../text/count-tokens.ts";
import { type EmbedResult, embedTexts } from "./embed.ts";
import { windowSpans, windowsOf } from "./embed-windows.ts";

/** Remembers vectors as the context store does, and what was put in which order. */
function memoryStore() {
  const vectors = new Map<string, Float32Array>();
  const puts: number[] = [];
  const nameOf = ({ model, textHash }: VectorKey) => `${model}/${textHash}`;
  return {
    vectors,
    puts,
    getVector: (key: VectorKey) => vectors.get(nameOf(key)),
    putVectors(entries: readonly { key: VectorKey; vector: Float32Array }[]) {
      puts.push(entries.length);
      for (const { key, vector } of entries) vectors.set(nameOf(key), vector);
    },
  };
}

/** An embedder whose vector holds the text's length and first character; `refuse` texts fail their batch. */
function ownEmbedder(options: Partial<Embedder> & { readonly refuse?: (text: string) => boolean } = {}) {
  const calls: (readonly string[])[] = [];
  const { refuse, ...rest } = options;
  const embedder: Embedder = {
    id: "own",
    kind: "hosted",
    async embedDocuments(texts) {
      calls.push(texts);
      if (texts.some((text) => refuse?.(text))) throw new Error("a text was refused");
      return texts.map((text) => Float32Array.of(text.length, text.charCodeAt(0)));
    },
    embedQuery: async () => Float32Array.of(1, 0),
    ...rest,
  };
  return { embedder, calls };
}

const lengthsOf = (results: readonly EmbedResult[]) =>
  results.map((result) => ("error" in result ? result.error : result.vectors.map((vector) => vector[0])));

describe("embedTexts", () => {
  test("gives a result a text, in order, whatever the batches", async () => {
    const { embedder, calls } = ownEmbedder({ maxBatch: 3 });
    const texts = Array.from({ length: 10 }, (_, index) => "x".repeat(index + 1));
    expect(lengthsOf(await embedTexts(texts, { embedder }))).toEqual(texts.map(({ length }) => [length]));
    expect(calls.map(({ length }) => length)).toEqual([3, 3, 3, 1]);
  });

  test("a blank text and a refused one fail alone, by name", async () => {
    const { embedder } = ownEmbedder({ refuse: (text) => text === "bad" });
    const results = await embedTexts(["a", " \n", "bad", "bb", "ccc", "dddd"], { embedder });
    expect(lengthsOf(results)).toEqual([
      [1],
      "Text 2 of 6 is blank: there is nothing to embed.",
      "a text was refused",
      [2],
      [3],
      [4],
    ]);
  });

  test("n texts give n results, for any texts, batch size and refusals", () => {
    const text = fc.constantFrom("", " ", "a", "bb", "bad", "ccc", "bad too", "dddd");
    return fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 20 }),
        fc.integer({ min: 1, max: 7 }),
        async (texts, maxBatch) => {
          const { embedder, calls } = ownEmbedder({ maxBatch, refuse: (one) => one.startsWith("bad") });
          const results = await embedTexts(texts, { embedder, contextStore: memoryStore() });
          expect(results.map((result) => "error" in result)).toEqual(
            texts.map((one) => one.trim() === "" || one.startsWith("bad")),
          );
          expect(Math.max(0, ...calls.map(({ length }) => length))).toBeLessThanOrEqual(maxBatch);
        },
      ),
    );
  });

  test("an equal text is embedded once: in a call, over calls, and while another call is at it", async () => {
    const { embedder, calls } = ownEmbedder({ maxBatch: 2 });
    const contextStore = memoryStore();
    const embed = (texts: readonly string[]) => embedTexts(texts, { embedder, contextStore });
    const [first, second] = await Promise.all([embed(["a", "bb", "a"]), embed(["bb", "ccc"])]);
    expect(lengthsOf(first)).toEqual([[1], [2], [1]]);
    expect(lengthsOf(second)).toEqual([[2], [3]]);
    expect(lengthsOf(await embed(["ccc", "a"]))).toEqual([[3], [1]]);
    expect(calls.flat().sort()).toEqual(["a", "bb", "ccc"]);
  });

  test("who waits for a call that is stopped makes the vectors itself", async () => {
    const controller = new AbortController();
    let stuck = true;
    const embedder: Embedder = {
      ...ownEmbedder().embedder,
      embedDocuments: (texts, { signal } = {}) => {
        if (!stuck) return Promise.resolve(texts.map(() => Float32Array.of(7)));
        stuck = false;
        return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      },
    };
    const first = embedTexts(["a"], { embedder, signal: controller.signal });
    const second = embedTexts(["a"], { embedder });
    setImmediate(() => controller.abort());
    await expect(first).rejects.toMatchObject({ code: "aborted" });
    expect(lengthsOf(await second)).toEqual([[7]]);
  });

  test("a batch is in the store before the next one starts, and stays when a later one fails", async () => {
    const contextStore = memoryStore();
    const { embedder } = ownEmbedder({ maxBatch: 1, refuse: (text) => text === "bad" });
    await embedTexts(["a", "bad", "bb"], { embedder, contextStore, concurrency: 1 });
    expect(contextStore.puts).toEqual([1, 1]);
    expect(contextStore.vectors.size).toBe(2);
  });

  test("vectors that cost nothing are not kept, unless asked for", async () => {
    for (const [kind, cached, kept] of [
      ["lexical", undefined, 0],
      ["local", undefined, 1],
      ["hosted", false, 0],
      ["lexical", true, 1],
    ] as const) {
      const contextStore = memoryStore();
      await embedTexts(["a"], { embedder: ownEmbedder({ kind, cached }).embedder, contextStore });
      expect(contextStore.vectors.size).toBe(kept);
    }
  });

  test("a store that cannot write is not taken for a bad text, and nothing more is paid for", async () => {
    const { embedder, calls } = ownEmbedder({ maxBatch: 1 });
    const full = new KonteksError("no-space", "The disk is full.");
    const contextStore = {
      ...memoryStore(),
      putVectors() {
        throw full;
      },
    };
    await expect(embedTexts(["a", "bb", "ccc"], { embedder, contextStore, concurrency: 1 })).rejects.toBe(
      full,
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(calls).toHaveLength(1);
  });

  test.each([
    ["too few vectors", () => [], "own gave 0 vectors for 1 texts"],
    [
      "numbers that are none",
      () => [Float32Array.of(Number.NaN, 1)],
      "own gave a vector with something that is not a number",
    ],
    [
      "a vector of another length",
      () => [Float32Array.of(1, 2, 3)],
      "own gave a vector of 3 numbers instead of 2",
    ],
  ])("%s are an error that names the model", async (_, vectors, message) => {
    const { embedder } = ownEmbedder({ dimensions: 2, embedDocuments: async () => vectors() });
    const contextStore = memoryStore();
    const [result] = await embedTexts(["a"], { embedder, contextStore });
    expect(result).toMatchObject({ error: expect.stringContaining(message) });
    expect(contextStore.vectors.size).toBe(0);
  });

  test("a long text has a vector for each window", async () => {
    const { embedder, calls } = ownEmbedder({ maxTokens: 50 });
    const [long, short] = await embedTexts(
      [Array.from({ length: 100 }, (_, index) => `word${index}`).join(" "), "short"],
      { embedder },
    );
    expect(calls.flat().every((text) => countTokens(text) <= 50)).toBe(true);
    expect(long && "vectors" in long && long.vectors.length).toBe(calls.flat().length - 1);
    expect(short && "vectors" in short && short.vectors.length).toBe(1);
  });
});

describe("through the SDK", () => {
  let provider: SimulatedProvider;
  beforeEach(async () => {
    provider = await startSimulatedProvider();
  });
  afterEach(() => provider.close());
  const openai = () =>
    resolveEmbedder("openai:text-embedding-3-small", {
      apiKeys: { openai: "test" },
      baseUrls: provider.baseUrls,
      env: {},
    });

  test("batches, usage and what a provider refuses", async () => {
    const embedder = { ...(await openai()), maxTokens: undefined };
    const texts = Array.from({ length: 100 }, (_, index) => `text number ${index}`);
    texts[7] = "word ".repeat(9_000);
    let tokens = 0;
    const results = await embedTexts(texts, {
      embedder,
      onUsage: (usage) => {
        tokens += usage.inputTokens;
      },
    });
    expect(results).toHaveLength(100);
    expect(results.flatMap((result, index) => ("error" in result ? [index] : []))).toEqual([7]);
    expect(results[7]).toMatchObject({ error: expect.stringContaining("maximum context length") });
    expect(tokens).toBe(provider.ledger.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0));
    expect(provider.ledger.length).toBeLessThan(18);
  });

  test("no batch is larger than a request may be", async () => {
    const texts = Array.from({ length: 96 }, (_, index) => `${index} ${"词".repeat(2_000)}`);
    const results = await embedTexts(texts, { embedder: await openai() });
    expect(results.every((result) => "vectors" in result)).toBe(true);
    expect(provider.ledger.every(({ status }) => status === 200)).toBe(true);
  });

  test("a wrong key fails every text with one call; a missing one stops", async () => {
    const strict = await startSimulatedProvider({ apiKeys: { openai: "right" } });
    const embedder = await resolveEmbedder("openai:text-embedding-3-small", {
      apiKeys: { openai: "wrong" },
      baseUrls: strict.baseUrls,
    });
    const results = await embedTexts(["a", "b", "c"], { embedder });
    expect(results).toHaveLength(3);
    for (const result of results)
      expect(result).toMatchObject({ error: expect.stringContaining("status 401") });
    expect(strict.ledger).toHaveLength(1);
    await strict.close();
    const noKey = new KonteksError("no-key", "no key");
    const without: Embedder = {
      ...embedder,
      embedDocuments: async () => {
        throw noKey;
      },
    };
    await expect(embedTexts(["a"], { embedder: without })).rejects.toBe(noKey);
  });

  test("an abort ends it promptly", async () => {
    provider.failNext({ hang: true });
    const started = Date.now();
    await expect(
      embedTexts(["a"], { embedder: await openai(), signal: AbortSignal.timeout(50) }),
    ).rejects.toMatchObject({ code: "aborted" });
    expect(Date.now() - started).toBeLessThan(2_000);
  });
});

describe("windowsOf", () => {
  test("cuts at white space and repeats the end of the last window", () => {
    const words = Array.from({ length: 400 }, (_, index) => `word${index}`);
    const windows = windowsOf(words.join(" "), 100);
    expect(windows.length).toBeGreaterThan(3);
    for (const [index, window] of windows.entries()) {
      for (const word of window.trim().split(" ")) expect(words).toContain(word);
      const previous = windows[index - 1]?.trim().split(" ");
      const first = window.trim().split(" ")[0];
      if (previous) expect(previous.slice(previous.length / 2)).toContain(first);
    }
  });

  test("holds every character, within the limit, for any text", () => {
    const text = fc.array(fc.constantFrom("word ", "x", "东京", "😀", "\n", "1234", "é", "    "), {
      maxLength: 120,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 40 }), (parts, maxTokens) => {
        const whole = parts.join("");
        let covered = 0;
        for (const { start, end } of windowSpans(whole, maxTokens)) {
          const window = whole.slice(start, end);
          expect(countTokens(window)).toBeLessThanOrEqual(maxTokens);
          expect(window).toBe(window.toWellFormed());
          expect(whole.slice(covered, Math.max(covered, start)).trim()).toBe("");
          covered = Math.max(covered, end);
        }
        expect(whole.slice(covered).trim()).toBe("");
      }),
    );
  });

  test("a single word without any white space ends too", () => {
    const windows = windowsOf("x".repeat(5_000), 30);
    expect(windows.join("").length).toBeGreaterThanOrEqual(5_000);
  });
});

test("a model that the SDK does not know by name is embedded as it is", () => {
  const model = { specificationVersion: "v4", provider: "own", modelId: "m", doEmbed: async () => ({}) };
  expect(embedderFromModel(model)).toMatchObject({ id: "own:m", maxBatch: 96 });
});
