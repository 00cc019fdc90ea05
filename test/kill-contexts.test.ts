import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openKonteks } from "../src/open.ts";
import type { ContextPlan } from "../src/spec/index.ts";
import {
  type LedgerEntry,
  type SimulatedProvider,
  startSimulatedProvider,
} from "../src/testing/provider/index.ts";

/**
 * Invariant I5: whatever moment the process dies at, a context is asked for once, plus the calls that were under way.
 * `npm run test:kill` does it at least fifty times over all ways of asking; here a few.
 */
const rounds = Number(process.env.KONTEKS_KILL_ROUNDS ?? 5);
const concurrency = 3;

let provider: SimulatedProvider;
let folder: string;
beforeEach(async () => {
  provider = await startSimulatedProvider({ latencyMs: 20, batchMs: 250 });
  folder = mkdtempSync(join(tmpdir(), "konteks-kill-"));
});
afterEach(async () => {
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Mode {
  readonly name: string;
  readonly model: string;
  readonly plan: ContextPlan;
  readonly batch?: boolean;
  readonly window?: number;
}

const modes: readonly Mode[] = [
  { name: "single", model: "anthropic:claude-haiku-4-5", plan: "single" },
  { name: "grouped", model: "openai:gpt-4o", plan: "grouped" },
  { name: "windowed", model: "anthropic:claude-haiku-4-5", plan: "single", window: 1_500 },
  { name: "single, batch", model: "anthropic:claude-haiku-4-5", plan: "single", batch: true },
  { name: "grouped, batch", model: "openai:gpt-4o", plan: "grouped", batch: true },
];

const perMode = Math.max(1, Math.ceil(rounds / modes.length));

test.each(modes)(
  "$name: killed again and again, no context is asked for twice but those under way",
  async (mode) => {
    let kills = 0;
    let asked = 0;
    let repeated = 0;
    for (let generation = 0; kills < perMode; generation++) {
      const docs = writeDocuments(generation);
      const from = provider.ledger.length;
      const killed = await killUntilDone(mode, generation, docs, perMode - kills);
      kills += killed.size;
      await expectComplete(mode, generation);
      const counted = countAsks(provider.ledger.slice(from), killed);
      expect(counted.unexplained).toEqual([]);
      asked += counted.asked;
      repeated += counted.repeated;
    }
    expect(repeated).toBeLessThanOrEqual(kills * concurrency * (mode.plan === "grouped" ? 6 : 1));
    if (mode.batch) expect(repeated).toBe(0);
    console.log(
      `${mode.name}: ${kills} kills, ${asked} contexts asked for, ${repeated} of them a second time`,
    );
  },
  600_000,
);

/** Keys (numbers) of the processes that were killed; the last one is left to end. */
async function killUntilDone(mode: Mode, generation: number, docs: string, most: number) {
  const killed = new Set<string>();
  for (;;) {
    const key = String(killed.size + 1);
    const child = start(mode, generation, docs, key);
    const ended = once(child, "exit").then(([code]) => code as number | null);
    const outcome = await Promise.race([ended, ...(killed.size >= most ? [] : [momentToKill(child)])]);
    if (outcome !== "time") {
      expect(outcome).toBe(0);
      return killed;
    }
    child.kill("SIGKILL");
    killed.add(key);
    await ended;
  }
}

/** Mostly some time after the first call, however long the process took to come to it; else while it starts. */
async function momentToKill(child: ChildProcess): Promise<"time"> {
  if (Math.random() < 0.15) return wait(Math.random() * 2_000);
  const before = provider.ledger.length;
  while (provider.ledger.length === before && child.exitCode === null) await wait(5);
  return wait(Math.random() ** 2 * 900);
}

function start(mode: Mode, generation: number, docs: string, key: string): ChildProcess {
  const args = JSON.stringify([openOptions(mode, generation, key), docs, { batch: mode.batch === true }]);
  const script = join(import.meta.dirname, "kill-contexts.fixture.ts");
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, args], {
    stdio: "inherit",
  });
}

/** Each process has a key of its own, by which the provider can tell who called. */
function openOptions({ model, plan, window }: Mode, generation: number, key = "test") {
  return {
    path: join(folder, `index-${generation}`),
    contextModel: model,
    contextPlan: plan,
    contextGroupSize: 6,
    contextConcurrency: concurrency,
    ...(window !== undefined && { contextWindow: window }),
    contextTiming: { pollMs: 40, settleMs: 400, graceMs: 1_000 },
    chunk: { size: 60, overlap: 0 },
    embedding: "none",
    apiKeys: { anthropic: key, openai: key },
    baseUrls: provider.baseUrls,
  };
}

async function expectComplete(mode: Mode, generation: number): Promise<void> {
  const konteks = await openKonteks(openOptions(mode, generation));
  const { counts, contextStore } = await konteks.status();
  await konteks.close();
  expect(counts.failures).toBe(0);
  expect(counts.contexts.llm).toBe(counts.chunks);
  expect(counts.chunks).toBeGreaterThan(100);
  expect(contextStore.batches).toBe(0);
}

const wait = (ms: number) => new Promise<"time">((resolve) => setTimeout(resolve, ms, "time"));

function writeDocuments(generation: number): string {
  const docs = join(folder, `docs-${generation}`);
  mkdirSync(docs, { recursive: true });
  for (const [name, paragraphs] of [
    ["a", 90],
    ["b", 40],
    ["c", 12],
  ] as const) {
    const text = Array.from(
      { length: paragraphs },
      (_, i) => `Paragraph ${name}${generation}x${i}y. ${filler}`,
    );
    writeFileSync(join(docs, `${name}.md`), `# Book ${name}${generation}\n\n${text.join("\n\n")}`);
  }
  return docs;
}

const filler =
  "It tells of the sea, of ships and of the people who sail them home in all weathers, year after year.";

/**
 * Who asked for what: chunks are told by the paragraph that begins them. What a process had asked for and did not keep was
 * under way when it was killed, on the line or on its way to the disk: never more calls than it makes at a time, however
 * slow the machine is. Time tells nothing here: a call can be read from the line after its process is dead.
 */
function countAsks(ledger: readonly LedgerEntry[], killed: ReadonlySet<string>) {
  const asks = new Map<string, LedgerEntry[]>();
  for (const entry of ledger) {
    if (entry.usage === undefined) continue;
    for (const key of chunksOf(entry)) asks.set(key, [...(asks.get(key) ?? []), entry]);
  }
  const byProcess = (a: LedgerEntry, b: LedgerEntry) => Number(a.apiKey ?? 0) - Number(b.apiKey ?? 0);
  const lost = [...asks.values()].flatMap((entries) => entries.toSorted(byProcess).slice(0, -1));
  const byCaller = Map.groupBy(new Set(lost), ({ apiKey = "batch" }) => apiKey);
  const unexplained = [...byCaller].flatMap(([caller, calls]) =>
    killed.has(caller) && calls.length <= concurrency ? [] : [{ caller, calls: calls.length }],
  );
  return { asked: asks.size, repeated: lost.length, unexplained };
}

function chunksOf({ body }: LedgerEntry): readonly string[] {
  const sent = JSON.stringify(body);
  const numbers = /Chunks ([\d, ]+)\./.exec(sent)?.[1];
  if (numbers !== undefined) {
    const book = /Book \w+/.exec(sent)?.[0] ?? "";
    return numbers.split(", ").map((number) => `${book} ${number}`);
  }
  const chunk = /<chunk>\\n(.*?)<\/chunk>/s.exec(sent)?.[1] ?? "";
  return [/Paragraph \w+/.exec(chunk)?.[0] ?? chunk.slice(0, 40)];
}
