import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openKonteks } from "../open.ts";
import type { Answer, Konteks } from "../spec/index.ts";
import { type SimulatedProvider, startSimulatedProvider } from "../testing/provider/index.ts";
import { type RunningServer, startServer } from "./index.ts";

let folder: string;
let provider: SimulatedProvider;
let konteks: Konteks;
let server: RunningServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "konteks-server-"));
  provider = await startSimulatedProvider();
  const path = join(folder, "index");
  await (await openKonteks({ path })).upsert({ id: "lease.md", text: "The notice period is ninety days." });
  konteks = await openKonteks({
    path,
    readOnly: true,
    model: "anthropic:claude-haiku-4-5",
    apiKeys: { anthropic: "test" },
    baseUrls: provider.baseUrls,
  });
  server = await startServer(konteks, { port: 0, ask: { whole: "never", correct: false } });
});
afterAll(async () => {
  await server.close();
  await konteks.close();
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

const QUESTION = "How long is the notice period?";
const GOOD = "It is ninety days [1].\n<quotes>\n[1] The notice period is ninety days.\n</quotes>";

function post(path: string, body: object, accept = "application/json", signal?: AbortSignal) {
  return fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

interface Event {
  readonly event: string;
  readonly data: unknown;
}

function eventsOf(text: string): Event[] {
  return text
    .trim()
    .split("\n\n")
    .map((block) => {
      const [event = "", data = ""] = block.split("\n");
      return { event: event.replace("event: ", ""), data: JSON.parse(data.replace("data: ", "")) };
    });
}

test("an answer as JSON, with its verdicts", async () => {
  provider.script(() => GOOD);
  const answer = (await (await post("/ask", { question: QUESTION })).json()) as Answer;
  expect(answer).toMatchObject({ kind: "generated", sentences: [{ verdict: "supported" }] });
});

test("an answer as a stream: its text as it is written, then everything", async () => {
  provider.script(() => GOOD);
  const response = await post("/ask", { question: QUESTION }, "text/event-stream");
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events = eventsOf(await response.text());
  const text = events.flatMap(({ event, data }) =>
    event === "text" ? [(data as { text: string }).text] : [],
  );
  const last = events.at(-1);
  expect(last?.event).toBe("answer");
  const answer = last?.data as Answer;
  expect(text.join("").trim()).toBe(answer.text);
  expect(answer.sentences?.[0]?.verdict).toBe("supported");
  expect(answer.citations[0]).toMatchObject({ quote: "The notice period is ninety days.", verified: true });
});

test("a model that fails, and settings that cannot be, have a status of their own", async () => {
  provider.failNext({ status: 400, message: "no" });
  const json = await post("/ask", { question: QUESTION });
  expect(json.status).toBe(502);
  expect(await json.json()).toMatchObject({ error: { code: "model-failed" } });
  const wrong = await post("/ask", { question: QUESTION, k: 999 }, "text/event-stream");
  expect(wrong.status).toBe(400);
  provider.failNext({ status: 400, message: "no" });
  expect((await post("/ask", { question: QUESTION }, "text/event-stream")).status).toBe(502);
});

test.each(["application/json", "text/event-stream"])(
  "%s: a connection that is closed stops the call to the provider",
  async (accept) => {
    const before = provider.ledger.length;
    provider.failNext({ hang: true });
    const leaving = new AbortController();
    const asked = post("/ask", { question: QUESTION }, accept, leaving.signal).then((response) =>
      response.text(),
    );
    asked.catch(() => {});
    await vi.waitFor(() => expect(provider.ledger.length).toBe(before + 1));
    expect(provider.ledger[before]?.endedAt).toBeUndefined();
    leaving.abort();
    await vi.waitFor(() => expect(provider.ledger[before]?.endedAt).toBeDefined());
    expect(provider.ledger[before]?.status).toBe(0);
    // Nothing is asked a second time.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(provider.ledger.length).toBe(before + 1);
  },
);

test("what another process ingests is found by the next search", async () => {
  const search = async () => (await (await post("/search", { query: "elderflower" })).json()) as { hits: [] };
  expect((await search()).hits).toEqual([]);
  writeFileSync(join(folder, "new.md"), "# Garden\n\nThe elderflower is cut in June.\n");
  const main = new URL("../cli/bin.ts", import.meta.url).pathname;
  const index = join(folder, "index");
  const other = spawn(process.execPath, [
    main,
    "ingest",
    join(folder, "new.md"),
    "--index",
    index,
    "--quiet",
  ]);
  const [code] = await once(other, "exit");
  expect(code).toBe(0);
  expect((await search()).hits).toHaveLength(1);
});

test("many at once are all answered", async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => (await post("/search", { query: `notice ${i}` })).status),
  );
  expect(answers.every((status) => status === 200)).toBe(true);
});

test("it goes by this machine's names alone, and needs a token for others", async () => {
  const { port } = server;
  const rebound = await rawGet(port, "evil.example");
  expect(rebound).toMatch(/^HTTP\/1\.1 403/);
  expect(await rawGet(port, "localhost")).toMatch(/^HTTP\/1\.1 200/);
  await expect(startServer(konteks, { host: "0.0.0.0", port: 0 })).rejects.toThrow(/token is needed/);
  await expect(startServer(konteks, { port: 0, token: " " })).rejects.toThrow(/blank/);
  await expect(startServer(konteks, { port })).rejects.toThrow(/it is taken.*--port/);
  const open = await startServer(konteks, { host: "0.0.0.0", port: 0, token: "abc" });
  const headers = { authorization: "Bearer abc" };
  expect((await fetch(`http://127.0.0.1:${open.port}/documents`)).status).toBe(401);
  expect((await fetch(`http://127.0.0.1:${open.port}/documents`, { headers })).status).toBe(200);
  await open.close();
});

test("closing ends what hangs, and the provider's call with it", async () => {
  const closing = await startServer(konteks, { port: 0, ask: { whole: "never", correct: false } });
  const before = provider.ledger.length;
  provider.failNext({ hang: true });
  const asked = fetch(`${closing.url}/ask`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ question: QUESTION }),
  });
  asked.catch(() => {});
  await vi.waitFor(() => expect(provider.ledger.length).toBe(before + 1));
  await closing.close({ graceMs: 50 });
  await expect(asked).rejects.toThrow();
  await vi.waitFor(() => expect(provider.ledger[before]?.endedAt).toBeDefined());
});

/** `fetch` does not let one say another host. */
async function rawGet(port: number, host: string): Promise<string> {
  const { connect } = await import("node:net");
  const socket = connect(port, "127.0.0.1");
  socket.end(`GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  let text = "";
  for await (const part of socket) text += part;
  return text;
}

test("a client that goes away in the middle of its request is no fault of the server", async () => {
  const errors: unknown[] = [];
  const own = await startServer(konteks, { port: 0, onError: (error) => errors.push(error) });
  const socket = connect(own.port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    "POST /search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
  );
  await sleep(100);
  socket.destroy();
  await sleep(100);
  await own.close();
  expect(errors).toEqual([]);
});
