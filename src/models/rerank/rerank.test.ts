import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { RerankRequest, StoredChunk } from "../../spec/index.ts";
import { createBuiltInReranker } from "./built-in.ts";
import { rerankerFromEndpoint } from "./endpoint.ts";
import { resolveReranker } from "./resolve.ts";
import { type RerankingModel, rerankerFromModel } from "./sdk.ts";

function stored(id: string, text: string): StoredChunk {
  const chunk = {
    id,
    documentId: id,
    ordinal: 0,
    text,
    start: 0,
    end: text.length,
    headings: [],
    lines: [1, 1] as const,
    tokens: 10,
  };
  return { chunk, context: { kind: "none", text: "" }, title: "T", uri: id, language: "en", metadata: {} };
}

function request(query: string, texts: readonly string[]): RerankRequest {
  const candidates = texts.map((text, i) => ({
    stored: stored(`d${i}`, text),
    text,
    scores: { text: 10 - i },
    ranks: { text: i + 1 },
    rank: i + 1,
    score: 1 - i / 100,
  }));
  return { query, candidates, languages: ["en"], idf: () => 1, documentWeight: 0.5 };
}

let server: Server | undefined;
afterEach(() => void server?.close());

type Answer = (
  body: Record<string, unknown>,
  path: string,
  request: IncomingMessage,
) => { status?: number; body: unknown };

async function serve(answer: Answer): Promise<string> {
  server = createServer((incoming, outgoing) => {
    let text = "";
    incoming.on("data", (piece) => {
      text += piece;
    });
    incoming.on("end", () => {
      const { status = 200, body } = answer(JSON.parse(text), incoming.url ?? "", incoming);
      outgoing.writeHead(status, { "content-type": "application/json" });
      outgoing.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("built-in", () => {
  test("prefers the chunk in which the query's words stand together, and its parts add up", async () => {
    const scores = await createBuiltInReranker().rerank(
      request("notice period", [
        "a period of so many months that nobody could have seen it coming without any notice",
        "the notice period is three months",
      ]),
    );
    expect(scores.map(({ index }) => index)).toEqual([0, 1]);
    expect(scores[1]?.score).toBeGreaterThan(scores[0]?.score ?? 0);
    for (const { score, parts = {} } of scores)
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 12);
  });

  test.each([
    [
      "the words in either order",
      "notice period",
      "a notice, and long after all that has been said a period",
      "period of notice",
    ],
    ["a run of a script without spaces", "通知期限", "三个月", "合同的通知期限为三个月"],
    ["context and title", "notice period", "three months", "three months"],
  ])("counts %s", async (_, query, apart, together) => {
    const [first, second] = request(query, [`${apart} ${"x ".repeat(30)}`, together]).candidates;
    if (!first || !second) throw new Error("two candidates");
    const context = { kind: "structural", text: "From: Notice period" } as const;
    const isContext = apart === together;
    const candidates = [first, { ...second, stored: { ...second.stored, ...(isContext && { context }) } }];
    const scores = await createBuiltInReranker().rerank({ ...request(query, []), candidates });
    expect(scores[0]?.parts?.["words together"]).toBeUndefined();
    expect(scores[1]?.parts?.["words together"]).toBeGreaterThan(0);
  });

  test("a question that says its words over and over costs no more than its length", async () => {
    const texts = ["a tulip, a rose. ".repeat(300), "日本の東京".repeat(300)];
    const begun = performance.now();
    for (const query of ["(a tulip) ".repeat(1_000), "日本東京".repeat(2_500)]) {
      const scores = await createBuiltInReranker().rerank(request(query, texts));
      expect(scores.every(({ score }) => Number.isFinite(score))).toBe(true);
    }
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  test("a query of one word leaves the order alone", async () => {
    const scores = await createBuiltInReranker().rerank(request("notice", ["a", "notice notice"]));
    expect(scores[0]?.score).toBeGreaterThan(scores[1]?.score ?? 0);
  });
});

describe("a /rerank endpoint", () => {
  test("vLLM and Jina: documents in, relevance scores out, in any order", async () => {
    const url = await serve(({ documents, model, query }, path, { headers }) => {
      expect([path, model, query, headers.authorization]).toEqual(["/v1/rerank", "bge", "q", "Bearer key"]);
      const results = (documents as string[]).map((text, index) => ({ index, relevance_score: text.length }));
      return { body: { results: results.toReversed() } };
    });
    const reranker = rerankerFromEndpoint({ baseUrl: `${url}/v1/`, model: "bge", apiKey: "key" });
    expect(await reranker.rerank(request("q", ["a", "bbb"]))).toEqual([
      { index: 1, score: 3 },
      { index: 0, score: 1 },
    ]);
  });

  test("Text Embeddings Inference: texts in, a bare list out", async () => {
    const url = await serve(({ texts }) =>
      texts === undefined
        ? { status: 422, body: { error: "missing field `texts`" } }
        : { body: (texts as string[]).map((text, index) => ({ index, score: text.length })) },
    );
    const scores = await rerankerFromEndpoint({ baseUrl: url, model: "x" }).rerank(request("q", ["ab"]));
    expect(scores).toEqual([{ index: 0, score: 2 }]);
  });

  test("a refusal, and an answer that is none, name the server and what it said", async () => {
    const url = await serve(({ model }) =>
      model === "down" ? { status: 503, body: { error: "busy" } } : { body: { hello: 1 } },
    );
    const call = (model: string) => rerankerFromEndpoint({ baseUrl: url, model }).rerank(request("q", ["a"]));
    await expect(call("down")).rejects.toThrow(/rerank answered 503: .*busy/);
    await expect(call("up")).rejects.toThrow(/something else than scores: .*hello/);
  });
});

describe("names", () => {
  test("built-in, a server of one's own, an object", async () => {
    expect(await resolveReranker("built-in")).toMatchObject({ id: "built-in", kind: "built-in" });
    const options = { baseUrls: { "openai-compatible": "http://localhost:8000/v1" } };
    expect(await resolveReranker("openai-compatible:bge", options)).toMatchObject({
      id: "localhost:8000:bge",
    });
    await expect(resolveReranker("openai-compatible:bge")).rejects.toThrow(/needs the base URL/);
    await expect(resolveReranker("anthropic:claude", { apiKeys: { anthropic: "x" } })).rejects.toThrow(
      /is no reranking model/,
    );
  });

  test("an AI SDK model is called once, with the texts as they are", async () => {
    const calls: unknown[] = [];
    const model = {
      specificationVersion: "v4",
      provider: "own.reranking",
      modelId: "m",
      doRerank: async (options: { documents: unknown; query: string }) => {
        calls.push([options.query, options.documents]);
        return {
          ranking: [
            { index: 1, relevanceScore: 0.9 },
            { index: 0, relevanceScore: -2 },
          ],
          warnings: [],
        };
      },
    } as unknown as RerankingModel;
    const scores = await rerankerFromModel(model).rerank(request("q", ["a", "b"]));
    expect(scores).toEqual([
      { index: 1, score: 0.9 },
      { index: 0, score: -2 },
    ]);
    expect(calls).toEqual([["q", { type: "text", values: ["a", "b"] }]]);
  });
});
