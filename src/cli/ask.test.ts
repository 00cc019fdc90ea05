import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type SimulatedProvider, startSimulatedProvider } from "../testing/index.ts";
import { main } from "./main.ts";

const MODEL = ["--model", "anthropic:claude-haiku-4-5"];

let cwd: string;
let provider: SimulatedProvider;
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), "konteks-ask-"));
  provider = await startSimulatedProvider();
  mkdirSync(join(cwd, "docs"));
  writeFileSync(
    join(cwd, "docs", "lease.md"),
    "# Lease\n\nThe notice period is ninety days.\n\nThe rent is 900 euros.\n",
  );
  await konteks(["ingest", "docs"]);
});
afterEach(async () => {
  await provider.close();
  rmSync(cwd, { recursive: true, force: true });
});

async function konteks(argv: readonly string[], terminal = false, key = "test") {
  let [out, err] = ["", ""];
  const code = await main({
    argv,
    cwd,
    env: {
      ANTHROPIC_BASE_URL: provider.baseUrls.anthropic,
      ...(key !== "" && { ANTHROPIC_API_KEY: key }),
      XDG_STATE_HOME: join(cwd, "state"),
    },
    signal: new AbortController().signal,
    stdout: { write: (text) => (out += text), isTTY: terminal, columns: 80 },
    stderr: { write: (text) => (err += text) },
  });
  return { code, out, err };
}

const good = "It is 90 days [1].\n<quotes>\n[1] The notice period is ninety days.\n</quotes>";
const mixed =
  "It is 90 days [1]. It was 60 days [1].\n<quotes>\n[1] The notice period is ninety days.\n</quotes>";

it("says which way the answer came about, and what it cost", async () => {
  provider.script(good);
  const { out, code } = await konteks(["ask", "How long is the notice?", ...MODEL, "--cost"]);
  expect(out).toContain("It is 90 days [1].");
  expect(out).toContain("All documents were sent");
  expect(out).toMatch(/answer: \d+ tokens in, \d+ out, \$0\.\d+, [\d.]+ s\ntogether \$0\.\d+/);
  expect(code).toBe(0);
});

it.each([
  ["auto", "whole"],
  ["whole", "whole"],
  ["retrieve", "retrieve"],
  ["text", "retrieve"],
])("--mode %s answers from %s", async (typed, mode) => {
  provider.script(good);
  const { out } = await konteks(["ask", "How long is the notice?", ...MODEL, "--mode", typed, "--json"]);
  expect(JSON.parse(out)).toMatchObject({ mode, abstained: false });
});

it("marks what is not supported, and leaves it out with --strict", async () => {
  provider.script(mixed);
  const { out } = await konteks(["ask", "How long is the notice?", ...MODEL]);
  expect(out).toContain("It was 60 days [1]. (unsupported)");
  expect(out).toMatch(/unsupported: It was 60 days \[1\]\.\n {2}"60" stands/);
  const strict = await konteks(["ask", "How long is the notice?", ...MODEL, "--strict"]);
  expect(strict.out).not.toContain("60 days");
  expect(strict.out).toContain("note: 1 sentence was left out");
});

it("gives verdicts, evidence, calls and steps as JSON", async () => {
  provider.script(mixed);
  const { out } = await konteks([
    "ask",
    "How long is the notice?",
    ...MODEL,
    "--whole",
    "never",
    "--no-correct",
    "--json",
  ]);
  expect(JSON.parse(out)).toMatchObject({
    mode: "retrieve",
    sentences: [{ verdict: "supported" }, { verdict: "unsupported" }],
    evidence: [{ number: 1, documentId: "lease.md" }],
    hits: [{ documentId: "lease.md" }],
    calls: [{ purpose: "answer", usage: { calls: 1 } }],
    cost: expect.any(Number),
    abstained: false,
  });
});

it("shows the text on a terminal while it is written, once", async () => {
  provider.script(good);
  const { out } = await konteks(["ask", "How long is the notice?", ...MODEL], true);
  expect(out.match(/90 days/g)).toHaveLength(1);
  expect(out).toContain("“The notice period is ninety days.”");
  expect(provider.ledger.at(-1)?.body.stream).toBe(true);
});

it("continues a conversation, and shows the question that it made of a follow-up", async () => {
  expect((await konteks(["ask", "--continue", "And the rent?"])).err).toMatch(
    /There is no conversation to continue/,
  );
  provider.script(good);
  await konteks(["ask", "How long is the notice?", ...MODEL]);
  provider.script(({ system }) => (/last turns/.test(system) ? "How high is the rent of the lease?" : good));
  const { out } = await konteks(["ask", "--continue", "And the rent?", ...MODEL]);
  expect(out).toContain("Asked as: How high is the rent of the lease?");
  const folder = join(cwd, "state", "konteks", "conversations");
  const [file = ""] = readdirSync(folder);
  expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
  const kept = JSON.parse(readFileSync(join(folder, file), "utf8"));
  expect(kept.map(({ question }: { question: string }) => question)).toEqual([
    "How long is the notice?",
    "How high is the rent of the lease?",
  ]);
});

it("tells a missing key before a folder is indexed for nothing", async () => {
  mkdirSync(join(cwd, "more"));
  writeFileSync(join(cwd, "more", "a.md"), "# A\n\nText.\n");
  const { code, err } = await konteks(["ask", "more", "What is A?", ...MODEL], false, "");
  expect(code).toBe(1);
  expect(err).toMatch(/ANTHROPIC_API_KEY/);
  expect(existsSync(join(cwd, "more", ".konteks"))).toBe(false);
});

it("ends with 0 when nothing was found, and says so in JSON", async () => {
  const { out, code } = await konteks(["ask", "Who discovered the planet Neptune?", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    kind: "none",
    abstained: true,
    reason: "off-the-point",
    citations: [],
  });
});

it.each([
  [["--whole", "sometimes"], /--whole must be one of auto, always, never/],
  [["--correct-calls", "many"], /--correct-calls must be a number/],
  [["--correct", "--correct-seconds", "-1"], /--correct-seconds must be a number/],
])("refuses %j", async (flags, message) => {
  const { err, code } = await konteks(["ask", "rent?", ...flags]);
  expect(err).toMatch(message);
  expect(code).toBe(2);
});

it("fits a threshold that ask keeps to", async () => {
  const lines = [
    {
      id: "a",
      text: "How long is the notice period?",
      gold: [{ document: "lease.md", quote: "The notice period is ninety days." }],
    },
    {
      id: "b",
      text: "How high is the rent?",
      gold: [{ document: "lease.md", quote: "The rent is 900 euros." }],
    },
    { id: "c", text: "Who discovered the planet Neptune?", unanswerable: true },
    { id: "d", text: "Which river is the longest?", unanswerable: true },
  ];
  writeFileSync(join(cwd, "questions.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
  const { out, code } = await konteks(["eval", "calibrate", "--save"]);
  expect(out).toMatch(/^2 questions with an answer, 2 without\./);
  expect(out).toMatch(/confidence +0\.\d+ +0\.0 % +0\.0 % +100\.0 %/);
  expect(code).toBe(0);
  const path = join(cwd, ".konteks", "thresholds.json");
  expect(existsSync(path)).toBe(true);
  writeFileSync(path, JSON.stringify({ thresholds: { confidence: 0.999 } }));
  const asked = await konteks(["ask", "How long is the rent of the notice?", "--json"]);
  expect(JSON.parse(asked.out)).toMatchObject({ abstained: true });
});

it("says that it waits for a provider that cannot serve, and gives up when the time is over", async () => {
  provider.failNext({ status: 529, times: 1 });
  provider.script(good);
  const { err, out, code } = await konteks(["ask", "How long is the notice?", ...MODEL, "--json"]);
  const wait = JSON.parse(err.split("\n").find((line) => line.startsWith('{"wait"')) ?? "{}").wait;
  expect(wait).toMatchObject({ model: MODEL[1], status: 529, attempt: 2, of: 10 });
  const { trace } = JSON.parse(out) as { trace: { stage: string; facts: object }[] };
  expect(trace.find(({ stage }) => stage === "wait")?.facts).toMatchObject({ status: 529, attempt: 2 });
  expect(code).toBe(0);
  provider.failNext({ status: 529, times: 9 });
  const late = await konteks(["ask", "How long is the notice?", ...MODEL, "--time-limit", "1"]);
  expect(late.code).toBe(1);
  expect(late.err).toMatch(/cannot serve now \(status 529\): try 2 of 10 in 1 s\./);
  expect(late.err).toMatch(
    /no answer within 1 s\. .* could not serve \(status 529\) at (the first try|\d tries)\. Allow/,
  );
});
