import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openKonteks } from "../open.ts";
import { type Hit, type Konteks, KonteksError, type SearchOptions } from "../spec/index.ts";
import { createHandler, type HandlerOptions } from "./index.ts";

let folder: string;
let konteks: Konteks;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "konteks-handler-"));
  konteks = await openKonteks({ path: folder });
  await konteks.ingest([
    { id: "lease.md", text: "# Lease\n\nThe notice period is ninety days.", metadata: { year: 2021 } },
    { id: "tea.md", text: "# Tea house\n\nThe notice at the door says: closed.", metadata: { year: 2024 } },
  ]);
});
afterAll(async () => {
  await konteks.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: HandlerOptions;
}

async function send(path: string, { body, method, headers = {}, options }: Sent = {}) {
  const response = await createHandler(
    konteks,
    options,
  )(
    new Request(`http://localhost${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === "" ? {} : JSON.parse(text) };
}

const found = async (body: object, options?: HandlerOptions): Promise<string[]> =>
  (await send("/search", { body, ...(options && { options }) })).json.hits.map((hit: Hit) => hit.documentId);

describe("searches", () => {
  test("answer as the library does, with the filter as text or as an object", async () => {
    const body = { query: "notice", where: "year >= 2024", explain: true };
    const { status, json, headers } = await send("/search", { body });
    const filter = { field: "year", op: "gte", value: 2024 } as const;
    const own = await konteks.search("notice", { filter, explain: true });
    expect(status).toBe(200);
    expect(json.hits).toEqual(JSON.parse(JSON.stringify(own.hits)));
    expect(headers.get("cache-control")).toBe("no-store");
    expect(await found({ query: "notice", where: filter })).toEqual(["tea.md"]);
    expect(await found({ query: "zzyzx", phrasings: ["ninety days"], k: 1 })).toEqual(["lease.md"]);
  });

  test("take every setting of the library but models and signals", async () => {
    const all: Required<Omit<SearchOptions, "filter" | "signal" | "vector">> = {
      k: 2,
      mode: "hybrid",
      candidates: 50,
      weights: { text: 1, vector: 0.5, neighbours: 0.1 },
      rrfK: 30,
      fusion: "rrf",
      bm25: { k1: 1, documentWeight: 0.5, fields: { title: { weight: 2, b: 0.5 } } },
      phrasings: ["period"],
      mustMatch: "phrases",
      withinDocuments: 2,
      withinSections: 4,
      rerank: { depth: 10, preset: "20-5", timeoutMs: 5_000 },
      min: { bm25: 0, cosine: -1, rerank: -100 },
      perDocument: 2,
      fold: 0.9,
      mmr: 0.8,
      expand: { neighbours: 1, section: true, document: false, tokens: 100 },
      explain: true,
      timeoutMs: 20_000,
    };
    const { status, json } = await send("/search", { body: { query: "notice", ...all } });
    expect(status).toBe(200);
    const stages = json.trace.map(({ stage }: { stage: string }) => stage);
    expect(stages).toEqual(expect.arrayContaining(["within", "fuse", "rerank", "diversify", "expand"]));
    const vector = Array.from({ length: 768 }, () => 0.1);
    expect((await send("/search", { body: { query: "x", vector } })).status).toBe(200);
  });

  test("go over the server's own settings; its filter stays", async () => {
    const filter = { field: "year", op: "lt", value: 2024 } as const;
    const search = { filter, k: 1, rerank: { model: "built-in", depth: 7 } } as const;
    expect(await found({ query: "notice", where: "year > 2000", k: 5 }, { search })).toEqual(["lease.md"]);
    expect(await found({ query: "notice", where: "year >= 2024" }, { search })).toEqual([]);
    const depth = async (rerank: unknown) => {
      const { json } = await send("/search", { body: { query: "notice", rerank }, options: { search } });
      const stage = json.trace.find((one: { stage: string }) => one.stage === "rerank");
      return stage?.facts.depth;
    };
    expect(await depth(true)).toBe(1);
    expect(await depth(false)).toBeUndefined();
  });
});

describe("what cannot be answered", () => {
  test.each([
    [{ query: "x", where: "year >= " }, 400, /filter cannot be read at the end/],
    [{ query: "x", kk: 1 }, 400, /no setting "kk"\. Did you mean "k"/],
    [{ query: "x", min: { bm24: 1 } }, 400, /no setting "min.bm24"/],
    [{ query: 7 }, 400, /"query" does not fit: expected string/],
    [{}, 400, /"query" does not fit/],
    [[], 400, /The request does not fit/],
    [{ query: "x", k: 500 }, 400, /Raise candidates/],
    [{ query: "x", rerank: "cohere:rerank-v3.5" }, 400, /"rerank" does not fit: expected true/],
    [{ query: "x", model: "openai:gpt-5" }, 400, /no setting "model"/],
    ["{no json", 400, /not JSON/],
    [`{"query":"x","where":${'{"not":'.repeat(20_000)}{}${"}".repeat(20_000)}}`, 400, /nested too deeply/],
    [{ query: "x", where: "(".repeat(9_000) }, 400, /nested too deeply|cannot be read/],
    [{ query: "x".repeat(10_001) }, 400, /"query" does not fit/],
    [{ query: "x".repeat(2 ** 20) }, 413, /larger than 1048576 bytes/],
  ])("%.60j: %i", async (body, status, message) => {
    const answer = await send("/search", { body });
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({
      error: expect.objectContaining({ message: expect.stringMatching(message) }),
    });
  });

  test("the place of a wrong filter is a fact as well", async () => {
    const { json } = await send("/search", { body: { query: "x", where: "year ! 3" } });
    expect(json.error).toMatchObject({ code: "wrong-option", facts: { at: 5 } });
  });

  test("an unknown path, a wrong method, a wrong type", async () => {
    expect(await send("/nothing")).toMatchObject({ status: 404, json: { error: { code: "not-found" } } });
    const wrong = await send("/search");
    expect(wrong).toMatchObject({ status: 405, json: { error: { code: "wrong-method" } } });
    expect(wrong.headers.get("allow")).toBe("POST");
    const form = await send("/search", {
      body: '{"query":"x"}',
      headers: { "content-type": "text/plain" },
    });
    expect(form).toMatchObject({ status: 415, json: { error: { code: "wrong-type" } } });
  });

  test("a body without a length is read no further than it may be long", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(1_000));
      },
    });
    const request = new Request("http://localhost/search", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: endless,
      duplex: "half",
    } as RequestInit);
    const response = await createHandler(konteks, { maxBodyBytes: 10_000 })(request);
    expect(response.status).toBe(413);
    expect(pulled).toBeLessThan(20);
  });

  test("what is wrong on this side is told to its owner, not to the asker", async () => {
    const told: unknown[] = [];
    const failing: Konteks = { ...konteks, search: () => Promise.reject(new Error("/secret/path")) };
    const handler = createHandler(failing, { onError: (error) => told.push(error) });
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", headers, body: '{"query":"x"}' };
    const response = await handler(new Request("http://localhost/search", request));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
    expect(told).toEqual([expect.objectContaining({ message: "/secret/path" })]);
  });
});

test("what goes wrong after the first words of a stream is its last event", async () => {
  const told: unknown[] = [];
  const failing: Konteks = {
    ...konteks,
    ask: async (_question, options) => {
      options?.onEvent?.({ type: "text", text: "It is\n\ndata: " });
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw new KonteksError("model-failed", "No more.");
    },
  };
  const handler = createHandler(failing, { onError: (error) => told.push(error) });
  const headers = { "content-type": "application/json", accept: "text/event-stream" };
  const request = { method: "POST", headers, body: '{"question":"x"}' };
  const response = await handler(new Request("http://localhost/ask", request));
  expect([response.status, await response.text()]).toEqual([
    200,
    'event: text\ndata: {"text":"It is\\n\\ndata: "}\n\n' +
      'event: error\ndata: {"error":{"code":"model-failed","message":"No more."}}\n\n',
  ]);
  expect(told).toHaveLength(1);
});

test("words are sent when they come, and a reader that goes away stops the work", async () => {
  const stopped = Promise.withResolvers<void>();
  const slow: Konteks = {
    ...konteks,
    ask: (_question, options) => {
      options?.onEvent?.({ type: "text", text: "First" });
      return new Promise((_resolve, reject) => {
        options?.signal?.addEventListener("abort", () => {
          stopped.resolve();
          reject(new KonteksError("aborted", "Stopped."));
        });
      });
    },
  };
  const told: unknown[] = [];
  const headers = { "content-type": "application/json", accept: "text/event-stream" };
  const request = { method: "POST", headers, body: '{"question":"x"}' };
  const handler = createHandler(slow, { onError: (error) => told.push(error) });
  const response = await handler(new Request("http://localhost/ask", request));
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(
    'event: text\ndata: {"text":"First"}\n\n',
  );
  await reader?.cancel();
  await stopped.promise;
  expect(told).toEqual([]);
});

describe("who may ask", () => {
  test("a token, compared whole", async () => {
    const options = { token: "abc" };
    const status = async (authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization };
      return (await send("/documents", { options, headers })).status;
    };
    expect(await status()).toBe(401);
    for (const wrong of ["Bearer ab", "Bearer abcd", "Basic abc", "abc", "Bearer "])
      expect(await status(wrong)).toBe(401);
    expect(await status("Bearer abc")).toBe(200);
    expect((await send("/health", { options })).status).toBe(200);
    expect((await send("/nothing", { options })).status).toBe(401);
  });

  test("names of the server", async () => {
    const options = { hosts: ["localhost", "[::1]"] };
    const status = async (host: string) => (await send("/health", { options, headers: { host } })).status;
    for (const host of ["localhost", "LOCALHOST:4280", "[::1]:80"]) expect(await status(host)).toBe(200);
    for (const host of ["evil.example", "localhost.evil.example", "evil.example:4280", "", "a b"])
      expect(await status(host)).toBe(403);
  });

  test("pages of other origins, only those that are allowed", async () => {
    const origin = "https://a.example";
    const ask = (options: HandlerOptions, method = "GET") =>
      send("/documents", { options, method, headers: { origin, host: "localhost:1" } });
    expect((await ask({})).status).toBe(403);
    expect((await ask({}, "OPTIONS")).status).toBe(403);
    const options = { allowOrigins: [origin], token: "abc" };
    const preflight = await ask(options, "OPTIONS");
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe(origin);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization");
    const refused = await ask(options);
    expect(refused.status).toBe(401);
    expect(refused.headers.get("access-control-allow-origin")).toBe(origin);
    expect((await ask({ allowOrigins: ["*"] })).status).toBe(200);
    const own = { origin: "http://localhost:1", host: "localhost:1" };
    expect((await send("/documents", { headers: own })).status).toBe(200);
    const nowhere = { origin: "null", host: "localhost:1" };
    expect((await send("/documents", { headers: nowhere })).status).toBe(403);
  });
});

test("documents, status and health; below a path as well", async () => {
  expect((await send("/documents")).json.documents.map(({ id }: { id: string }) => id)).toEqual([
    "lease.md",
    "tea.md",
  ]);
  expect((await send("/status")).json.counts.documents).toBe(2);
  const options = { basePath: "/api/konteks" };
  expect((await send("/api/konteks/health", { options })).json).toEqual({ status: "ok" });
  expect((await send("/health", { options })).status).toBe(404);
  const head = await createHandler(konteks)(new Request("http://localhost/health", { method: "HEAD" }));
  expect(head.status).toBe(200);
});

test("health is not claimed of an index that cannot be read", async () => {
  const other = await openKonteks({ path: join(folder, "other") });
  await other.close();
  const response = await createHandler(other)(new Request("http://localhost/health"));
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { code: "closed" } });
});
