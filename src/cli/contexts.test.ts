import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type SimulatedProvider, startSimulatedProvider } from "../testing/provider/index.ts";
import { main } from "./main.ts";

let provider: SimulatedProvider;
let cwd: string;
beforeEach(async () => {
  provider = await startSimulatedProvider();
  cwd = mkdtempSync(join(tmpdir(), "konteks-cli-contexts-"));
  mkdirSync(join(cwd, "docs"));
  const body = Array.from(
    { length: 12 },
    (_, i) => `Part ${"abcdefghijkl"[i]} tells of harbours and ships. ${"Many went there. ".repeat(20)}`,
  );
  writeFileSync(join(cwd, "docs", "sea.md"), `# The sea\n\n${body.join("\n\n")}`);
});
afterEach(async () => {
  await provider.close();
  rmSync(cwd, { recursive: true, force: true });
});

const model = [
  "--context-model",
  "anthropic:claude-haiku-4-5",
  "--chunk-size",
  "120",
  "--chunk-overlap",
  "0",
];

async function cli(argv: readonly string[], typed?: string, key: string | undefined = "test") {
  let [out, err] = ["", ""];
  const input = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  if (typed !== undefined) input.end(`${typed}\n`);
  const code = await main({
    argv,
    cwd,
    input,
    env: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: provider.url("anthropic"), NO_COLOR: "1" },
    signal: new AbortController().signal,
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text), isTTY: typed !== undefined },
  });
  return { code, out, err };
}

test("estimate prices every way, says where the text would go, sends nothing and makes no index", async () => {
  const { code, out } = await cli(["estimate", "docs", ...model, "--explain"]);
  expect(code).toBe(0);
  expect(out).toMatch(
    /\d+ contexts by anthropic:claude-haiku-4-5: about \$0\.\d+, \d+ calls?; the text of 1 document goes to 127\.0\.0\.1:\d+/,
  );
  for (const mode of ["single", "grouped", "single, batch", "grouped, batch"])
    expect(out).toMatch(new RegExp(`^  ${mode} .*\\$`, "m"));
  expect(out).toMatch(/sea\.md: grouped \(shorter than the 4,096 tokens/);
  expect(provider.ledger).toHaveLength(0);
  const status = await cli(["status"]);
  expect(status.out).toContain("no index yet");
});

test("estimate needs no key, since nothing is sent; an ingest says that it does before any document is read", async () => {
  const { code, out } = await cli(["estimate", "docs", ...model], undefined, "");
  expect(code).toBe(0);
  expect(out).toMatch(/about \$0\.\d+/);
  const ingest = await cli(["ingest", "docs", ...model], undefined, "");
  expect(ingest.code).toBe(1);
  expect(ingest.err).toContain("needs an API key");
  for (const command of [
    ["ingest", "docs"],
    ["watch", "docs"],
    ["ask", "docs", "what?"],
  ])
    expect((await cli([...command, "--embedding-model", "openai:x"], undefined, "")).code).toBe(1);
  // An empty index would be taken for the one that is meant.
  for (const folder of [".", "docs"]) expect(existsSync(join(cwd, folder, ".konteks"))).toBe(false);
  expect(provider.ledger).toHaveLength(0);
});

test("a model without a price gives tokens only and says so", async () => {
  const { out } = await cli(["estimate", "docs", "--context-model", "anthropic:claude-unknown-9"]);
  expect(out).toContain("no price is known for it");
  expect(out).toContain("none known; tokens only");
});

test("an ingest says the price first and what it came to after", async () => {
  const { code, err } = await cli(["ingest", "docs", ...model]);
  expect(code).toBe(0);
  expect(err).toMatch(/contexts by anthropic:claude-haiku-4-5: about \$0\.\d+/);
  expect(err).toMatch(/Contexts cost \$0\.\d+, estimated \$0\.\d+\./);
});

test("on a terminal it asks, and a no pays for nothing; --yes does not ask", async () => {
  const no = await cli(["ingest", "docs", ...model], "n");
  expect(no.code).not.toBe(0);
  expect(no.err).toContain("stopped before anything was paid for");
  expect(provider.ledger).toHaveLength(0);
  expect((await cli(["ingest", "docs", ...model, "--yes"], "n")).code).toBe(0);
  expect(provider.ledger.length).toBeGreaterThan(0);
});

test("a highest cost of nothing makes no call; repair finishes the work, and says when nothing is missing", async () => {
  const limited = await cli(["ingest", "docs", ...model, "--max-cost", "0"]);
  expect(limited.code).toBe(1);
  expect(limited.out).toContain("In the index, but incomplete");
  expect(provider.ledger).toHaveLength(0);
  expect((await cli(["status"])).out).toMatch(/incomplete +\d+ chunks; konteks repair/);
  expect((await cli(["repair"], "n")).code).toBe(1);
  expect(provider.ledger).toHaveLength(0);
  const repaired = await cli(["repair"]);
  expect(repaired.code).toBe(0);
  expect(repaired.err).toMatch(/12 contexts by anthropic:claude-haiku-4-5: about \$0\.\d+/);
  expect(repaired.err).toMatch(/Contexts cost \$0\.\d+, estimated \$0\.\d+/);
  expect(provider.ledger.length).toBeGreaterThan(0);
  expect((await cli(["repair"])).out).toContain("Nothing is missing.");
});

test("a deleted document's contexts go with it, unless they are to be kept", async () => {
  await cli(["ingest", "docs", ...model, "--quiet"]);
  const calls = provider.ledger.length;
  await cli(["delete", "sea.md", "--keep-contexts"]);
  await cli(["ingest", "docs", "--quiet"]);
  expect(provider.ledger).toHaveLength(calls);
  await cli(["delete", "sea.md"]);
  expect((await cli(["status"])).out).toMatch(/paid work kept +0 contexts/);
});

test("stale contexts are shown and renewed", async () => {
  await cli(["ingest", "docs", ...model]);
  const file = join(cwd, "docs", "sea.md");
  writeFileSync(file, readFileSync(file, "utf8").replace("# The sea", "# The ocean"));
  await cli(["ingest", "docs"]);
  expect((await cli(["status"])).out).toMatch(
    /stale +\d+ contexts from an older state; konteks repair --stale/,
  );
  const renewed = await cli(["repair", "--stale"]);
  expect(renewed.code).toBe(0);
  expect(renewed.err).toMatch(/11 contexts by anthropic:claude-haiku-4-5: about \$0\.\d+/);
  expect((await cli(["status"])).out).not.toMatch(/older state/);
});

test("contexts move by export and import, also into an index that may make no call", async () => {
  await cli(["ingest", "docs", ...model]);
  const calls = provider.ledger.length;
  expect((await cli(["contexts", "export", "paid.jsonl"])).code).toBe(0);
  const lines = readFileSync(join(cwd, "paid.jsonl"), "utf8").trim().split("\n");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    documentId: "sea.md",
    model: "anthropic:claude-haiku-4-5",
  });
  await cli(["ingest", "docs", ...model, "--index", "other", "--max-cost", "0"]);
  const imported = await cli(["contexts", "import", "paid.jsonl", "--index", "other"]);
  expect(imported).toMatchObject({
    code: 0,
    out: expect.stringContaining(`Imported ${lines.length} contexts`),
  });
  expect((await cli(["status", "--index", "other", "--json"])).out).toContain(`"llm": ${lines.length}`);
  expect(provider.ledger).toHaveLength(calls);
});

test("lines that are no contexts are named; contexts without a chunk make it fail", async () => {
  await cli(["ingest", "docs", ...model]);
  writeFileSync(join(cwd, "bad.jsonl"), '{"chunk_id": "sea.md#0", "context": "x"}\n{"a": 1}\n');
  const bad = await cli(["contexts", "import", "bad.jsonl"]);
  expect(bad.code).not.toBe(0);
  expect(bad.err).toMatch(/bad\.jsonl, line 2 is no context/);
  writeFileSync(join(cwd, "gone.jsonl"), '{"chunk_id": "gone.md_chunk_0", "context": "x"}\n');
  const gone = await cli(["contexts", "import", "gone.jsonl"]);
  expect(gone.code).toBe(1);
  expect(gone.out).toContain("gone.md_chunk_0");
});

test("a batch, a plan and a prompt can be asked for on the command line", async () => {
  writeFileSync(join(cwd, "prompt.txt"), "<paper>{{document}}</paper>\n\nPlace <chunk>{{chunk}}</chunk>.");
  const flags = ["--batch", "--plan", "single", "--context-prompt", join(cwd, "prompt.txt")];
  const { code } = await cli(["ingest", "docs", ...model, ...flags]);
  expect(provider.ledger.some(({ batch }) => batch !== undefined)).toBe(true);
  expect(JSON.stringify(provider.ledger.at(-1)?.body)).toContain("<paper>");
  expect(code).toBe(0);
  const wrong = await cli(["ingest", "docs", ...model, "--max-cost", "much"]);
  expect(wrong.code).toBe(2);
});
