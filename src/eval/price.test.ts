import { describe, expect, it } from "vitest";
import { NO_USAGE } from "../spec/index.ts";
import { countTokens } from "../text/count-tokens.ts";
import { tablePrices } from "./price.ts";

const used = { ...NO_USAGE, calls: 1, inputTokens: 1_000_000 };
const facts = { documents: 1, chunks: 400, tokens: 40_000, ms: 1, incomplete: 0, simulated: 0 };
const rows = [{ text: "How high is the penalty?" }];
const tokens = countTokens("How high is the penalty?");

describe("prices of an index", () => {
  it("add contexts and embeddings, and are unknown when one of them is", () => {
    const prices = tablePrices({
      contextModel: "openai:gpt-4o",
      embedding: "openai:text-embedding-3-small",
    });
    expect(prices.index({ ...facts, usage: { contexts: used, embeddings: used } })).toBeCloseTo(2.52, 9);
    expect(prices.index({ ...facts, usage: { contexts: NO_USAGE, embeddings: NO_USAGE } })).toBe(0);
    const unknown = tablePrices({ embedding: "somebody:model" });
    expect(unknown.index({ ...facts, usage: { contexts: NO_USAGE, embeddings: used } })).toBeUndefined();
    const local = tablePrices({ embedding: "local:multilingual-e5-small" });
    expect(local.index({ ...facts, usage: { contexts: NO_USAGE, embeddings: used } })).toBe(0);
  });
});

describe("prices of a thousand queries", () => {
  const hosted = tablePrices({ embedding: "openai:text-embedding-3-large" });
  const embedded = (1000 * tokens * 0.13) / 1e6;

  it("are those of the query's embedding, where vectors are searched", () => {
    expect(hosted.thousandQueries(rows, { mode: "hybrid" }, facts)).toBeCloseTo(embedded, 12);
    expect(hosted.thousandQueries(rows, { mode: "text" }, facts)).toBe(0);
    expect(tablePrices({}).thousandQueries(rows, {}, facts)).toBe(0);
    expect(tablePrices({ embedding: "somebody:model" }).thousandQueries(rows, {}, facts)).toBeUndefined();
    expect(hosted.thousandQueries([], {}, facts)).toBeUndefined();
  });

  it("and of reranking: by the hundred texts, or by tokens of query and chunks", () => {
    const { thousandQueries } = tablePrices({});
    const rerank = (value: NonNullable<Parameters<typeof thousandQueries>[1]["rerank"]>) =>
      thousandQueries(rows, { rerank: value }, facts);
    expect(rerank(true)).toBe(0);
    expect(rerank("local:ms-marco-MiniLM-L-6-v2")).toBe(0);
    // 150 texts are two searches of up to a hundred.
    expect(rerank("cohere:rerank-v3.5")).toBeCloseTo(4, 9);
    expect(rerank({ model: "cohere:rerank-v3.5", depth: 100 })).toBeCloseTo(2, 9);
    expect(rerank({ model: "voyage:rerank-2.5", depth: 20 })).toBeCloseTo(
      (1000 * 20 * (100 + tokens) * 0.05) / 1e6,
      9,
    );
    expect(rerank("somebody:rerank")).toBeUndefined();
    expect(rerank({ id: "own", kind: "hosted", rerank: async () => [] })).toBeUndefined();
  });
});
