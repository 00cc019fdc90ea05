import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type SimulatedProvider, startSimulatedProvider } from "../testing/index.ts";
import { main } from "./main.ts";

const KEY = "sk-not-to-be-seen";
const CONTEXT = ["--context-model", "anthropic:claude-haiku-4-5"];

let cwd: string;
let provider: SimulatedProvider;
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), "konteks-models-"));
  provider = await startSimulatedProvider({ apiKeys: { anthropic: KEY, openai: KEY } });
  mkdirSync(join(cwd, "docs"));
  writeFileSync(join(cwd, "docs", "lease.md"), "# Lease\n\nThe notice period is ninety days.\n");
});
afterEach(async () => {
  await provider.close();
  rmSync(cwd, { recursive: true, force: true });
});

/** Runs a command with the simulated provider's address and, unless told otherwise, its keys in the environment. */
async function konteks(argv: readonly string[], keys = { ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: KEY }) {
  let [out, err] = ["", ""];
  const { anthropic = "", openai = "" } = provider.baseUrls;
  const code = await main({
    argv,
    cwd,
    env: { ANTHROPIC_BASE_URL: anthropic, OPENAI_BASE_URL: openai, ...keys },
    signal: new AbortController().signal,
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  });
  expect(out + err).not.toContain(KEY);
  return { code, out, err };
}

it("writes contexts and vectors with models once, and keeps no key", async () => {
  const flags = [...CONTEXT, "--embedding-model", "openai:text-embedding-3-small"];
  const first = await konteks(["ingest", "docs", ...flags]);
  expect(first.out).toMatch(/Contexts: 1 call, .*\nEmbeddings: 1 call, /);
  expect(first.code).toBe(0);
  const calls = provider.ledger.length;
  const again = await konteks(["ingest", "docs", "--rebuild", ...flags]);
  expect(again.err).toContain("contexts.sqlite: 1 context and 1 vector that were paid for.");
  expect(provider.ledger).toHaveLength(calls);
  const status = await konteks(["status"]);
  expect(status.out).toMatch(/contexts +1 by a model, 0 structural/);
  expect(status.out).toMatch(/embedding +openai:text-embedding-3-small +saved with the index/);
  for (const name of ["index.sqlite", "contexts.sqlite"]) {
    expect(readFileSync(join(cwd, ".konteks", name), "latin1")).not.toContain(KEY);
  }
});

it("names the chunk whose context could not be written, ends with 1, and mends it the next time", async () => {
  provider.failNext({ status: 400, message: "no" });
  const { code, out } = await konteks(["ingest", "docs", ...CONTEXT]);
  expect(out).toMatch(/In the index, but incomplete \(1\):\n {2}lease\.md#0: /);
  expect(code).toBe(1);
  expect((await konteks(["ingest", "docs"])).code).toBe(0);
  expect((await konteks(["status"])).out).toMatch(/contexts +1 by a model/);
});

it("shows a context as what it is, and searches an index of models without their key", async () => {
  provider.script("The lease of the workshop in Bremen.");
  await konteks(["ingest", "docs", ...CONTEXT]);
  const { out, code } = await konteks(["search", "bremen"], { ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "" });
  expect(out).toContain("The notice period is ninety days.");
  expect(out).toContain("context (llm, not source): The lease of the workshop in Bremen.");
  expect(code).toBe(0);
});

it("has answers written by the model that is named, and says so", async () => {
  await konteks(["ingest", "docs"]);
  const { out, code } = await konteks([
    "ask",
    "How long is the notice?",
    "--model",
    "anthropic:claude-haiku-4-5",
  ]);
  expect(out).toContain("anthropic:claude-haiku-4-5");
  expect(out).not.toContain("no model was asked");
  expect(provider.ledger.at(-1)).toMatchObject({ model: "claude-haiku-4-5", status: 200 });
  expect(code).toBe(0);
});

it("tells a key that is refused, without the key", async () => {
  await konteks(["ingest", "docs"]);
  const wrong = { ANTHROPIC_API_KEY: "sk-wrong-one", OPENAI_API_KEY: "" };
  const { code, err } = await konteks(["ask", "notice?", "--model", "anthropic:claude-haiku-4-5"], wrong);
  expect(err).toMatch(/^konteks: [^\n]*\n$/);
  expect(err).not.toContain("sk-wrong-one");
  expect(code).toBe(1);
});
