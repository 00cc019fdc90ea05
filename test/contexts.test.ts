import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openKonteks } from "../src/open.ts";
import type { IngestOptions, Konteks, OpenOptions } from "../src/spec/index.ts";
import { type SimulatedProvider, startSimulatedProvider } from "../src/testing/provider/index.ts";

let provider: SimulatedProvider;
let folder: string;
beforeEach(async () => {
  provider = await startSimulatedProvider();
  folder = mkdtempSync(join(tmpdir(), "konteks-ctx-"));
});
afterEach(async () => {
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

const path = (name: string) => join(folder, name);
const model = "anthropic:claude-haiku-4-5";

async function withIndex<T>(work: (konteks: Konteks) => Promise<T>, options: OpenOptions = {}): Promise<T> {
  const konteks = await openKonteks({
    path: path("index"),
    contextModel: model,
    chunk: { size: 80, overlap: 15 },
    apiKeys: { anthropic: "test", openai: "test" },
    baseUrls: provider.baseUrls,
    contextTiming: { pollMs: 15, settleMs: 30 },
    ...options,
  });
  try {
    return await work(konteks);
  } finally {
    await konteks.close();
  }
}

const docs = () => path("docs");
const ingest = (options: IngestOptions = {}, open: OpenOptions = {}) =>
  withIndex((konteks) => konteks.ingest(docs(), options), open);

function write(name: string, text: string): void {
  mkdirSync(docs(), { recursive: true });
  writeFileSync(join(docs(), name), text);
}

const sounds = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu"];
const word = (n: number) => [...String(n + 1_000)].map((digit) => sounds[Number(digit)]).join("");
const sentence = (n: number) =>
  `The ${word(n)} of ${word(n * 7)} stands beside the ${word(n * 3)} and the ${word(n + 500)}.`;
const paragraph = (n: number) => [0, 1, 2].map((i) => sentence(n * 3 + i)).join(" ");
const text = (from: number, paragraphs: number, headings: boolean) =>
  Array.from(
    { length: paragraphs },
    (_, i) => (headings && i % 20 === 0 ? `## Part ${word(from + i)}\n\n` : "") + paragraph(from + i),
  ).join("\n\n");

/** Chunks asked for so far, over all calls. */
function asked(): number {
  return provider.ledger.reduce((sum, { body, usage }) => {
    if (usage === undefined) return sum;
    const numbers = /Chunks ([\d, ]+)\./.exec(JSON.stringify(body.messages))?.[1];
    return sum + (numbers === undefined ? 1 : numbers.split(", ").length);
  }, 0);
}

test.each([true, false])(
  "editing any one paragraph of a document of 300 chunks makes at most 10 new calls (headings: %s)",
  async (headings) => {
    const small: OpenOptions = { chunk: { size: 50, overlap: 10 }, contextPlan: "grouped" };
    const paragraphs = text(0, 330, headings).split("\n\n");
    write("long.md", paragraphs.join("\n\n"));
    const first = await ingest({}, small);
    expect(first.incomplete).toEqual([]);
    expect(first.chunks).toBeGreaterThanOrEqual(300);
    expect(asked()).toBe(first.chunks);
    for (const at of [0, 150, paragraphs.length - 1]) {
      paragraphs[at] = `${paragraphs[at]} And something else stands there, too, since yesterday.`;
      write("long.md", paragraphs.join("\n\n"));
      const [calls, before] = [provider.ledger.length, asked()];
      const next = await ingest({}, small);
      expect(next.incomplete).toEqual([]);
      expect(provider.ledger.length - calls).toBeLessThanOrEqual(10);
      expect(asked() - before).toBeGreaterThan(0);
      expect(asked() - before).toBeLessThanOrEqual(10);
      const { contextStore } = await withIndex((konteks) => konteks.status(), small);
      expect(contextStore.stale).toBe(next.chunks - (asked() - before));
    }
  },
);

test("renaming and moving make no call; the contexts go with the document", async () => {
  write("a.md", `# Reef\n\n${text(0, 12, false)}`);
  const first = await ingest();
  const calls = provider.ledger.length;
  renameSync(join(docs(), "a.md"), join(docs(), "b.md"));
  const second = await ingest();
  expect(second).toMatchObject({ added: 1, deleted: 1, incomplete: [] });
  expect(provider.ledger).toHaveLength(calls);
  const { contextStore, counts } = await withIndex((konteks) => konteks.status());
  expect(contextStore.contexts).toBe(first.chunks);
  expect(counts.contexts.llm).toBe(first.chunks);
});

test("a file that was edited and is then moved makes no call either, and its older contexts stay known as stale", async () => {
  write("a.md", `# Reef\n\n${text(0, 12, false)}`);
  await ingest();
  write("a.md", `# Reef\n\n${text(0, 12, false)}\n\n${text(40, 2, false)}`);
  const edited = await ingest();
  const { stale } = (await withIndex((konteks) => konteks.status())).contextStore;
  expect(stale).toBeGreaterThan(0);
  const calls = provider.ledger.length;
  renameSync(join(docs(), "a.md"), join(docs(), "b.md"));
  expect(await ingest()).toMatchObject({ added: 1, deleted: 1, chunks: edited.chunks, incomplete: [] });
  expect(provider.ledger).toHaveLength(calls);
  expect((await withIndex((konteks) => konteks.status())).contextStore.stale).toBe(stale);
});

test("two contracts from one template share nothing; a copy of one shares all", async () => {
  const contract = (party: string) =>
    `# Contract with ${party}\n\n${text(0, 10, false)}\n\nSigned by ${party}.`;
  write("one.md", contract("Acme"));
  await ingest();
  const before = asked();
  write("two.md", contract("Borealis"));
  const second = await ingest();
  expect(asked() - before).toBe(second.chunks);
  const chunks = await withIndex((konteks) => konteks.chunks("two.md"));
  for (const { context } of chunks) expect(context.text).toContain("Borealis");
  write("three.md", contract("Borealis"));
  const calls = provider.ledger.length;
  expect((await ingest()).incomplete).toEqual([]);
  expect(provider.ledger).toHaveLength(calls);
});

test("stale contexts are counted and renewed on demand", async () => {
  write("a.md", `# Reef\n\n${text(0, 12, false)}`);
  await ingest();
  write("a.md", `# Lagoon\n\n${text(0, 12, false)}`);
  const report = await ingest();
  const stale = (await withIndex((konteks) => konteks.status())).contextStore.stale;
  expect(stale).toBeGreaterThan(0);
  expect(stale).toBeLessThan(report.chunks);
  const repaired = await withIndex((konteks) => konteks.repair({ stale: true }));
  expect(repaired.contexts?.written).toEqual({ grouped: stale });
  expect((await withIndex((konteks) => konteks.status())).contextStore.stale).toBe(0);
  const chunks = await withIndex((konteks) => konteks.chunks("a.md"));
  for (const { context } of chunks) expect(context.text).toContain("Lagoon");
});

test("what fails is indexed with its structural context, counted, and finished by repair", async () => {
  write("a.md", `# Reef\n\n${text(0, 30, false)}`);
  provider.script("I'm sorry, but I can't help with that.");
  const broken = await ingest();
  expect(broken.incomplete).toHaveLength(broken.chunks);
  expect(broken.contexts?.faults.refusal).toBeGreaterThan(0);
  const { counts } = await withIndex((konteks) => konteks.status());
  expect(counts.contexts).toMatchObject({ llm: 0, structural: broken.chunks });
  expect(counts.failures).toBe(broken.chunks);
  provider.script(undefined);
  rmSync(docs(), { recursive: true });
  const repaired = await withIndex((konteks) => konteks.repair());
  expect(repaired.incomplete).toEqual([]);
  const after = await withIndex((konteks) => konteks.status());
  expect(after.counts.contexts.llm).toBe(broken.chunks);
  expect(after.counts.failures).toBe(0);
});

test("deleting a document deletes its contexts, unless told otherwise", async () => {
  write("a.md", `# Reef\n\n${text(0, 6, false)}`);
  write("b.md", `# Lagoon\n\n${text(50, 6, false)}`);
  const { chunks } = await ingest();
  await withIndex(async (konteks) => {
    await konteks.delete("a.md", { keepContexts: true });
    expect((await konteks.status()).contextStore.contexts).toBe(chunks);
    await konteks.delete("b.md");
    expect((await konteks.status()).contextStore.contexts).toBeLessThan(chunks);
  });
});

test("contexts move between indexes and machines", async () => {
  write("a.md", `# Reef\n\n${text(0, 12, false)}`);
  const { chunks } = await ingest();
  const calls = provider.ledger.length;
  const exported = await withIndex(async (konteks) => JSON.stringify([...konteks.exportContexts()]));
  const report = await withIndex(
    async (konteks) => {
      expect(await konteks.importContexts(JSON.parse(exported))).toEqual({
        imported: chunks,
        known: 0,
        notUsed: 0,
        unmatched: [],
        otherwiseCut: [],
      });
      return konteks.ingest(docs());
    },
    { path: path("other") },
  );
  expect(report.incomplete).toEqual([]);
  expect(provider.ledger).toHaveLength(calls);
});

test("contexts made elsewhere are taken in by the id of their chunk, without a call", async () => {
  write("a.md", `# Reef\n\n${text(0, 12, false)}`);
  const lines = await withIndex(async (konteks) => {
    const { chunks, incomplete } = await konteks.ingest(docs(), { maxCost: 0 });
    expect(incomplete).toHaveLength(chunks);
    const contexts = Array.from({ length: chunks }, (_, i) => ({
      chunkId: `a.md_chunk_${i}`,
      context: `Context ${i}.`,
    }));
    const report = await konteks.importContexts([...contexts, { chunkId: "gone_chunk_0", context: "x" }]);
    expect(report).toMatchObject({
      imported: chunks,
      known: 0,
      unmatched: ["gone_chunk_0"],
      otherwiseCut: [],
    });
    await konteks.repair({ maxCost: 0 });
    return konteks.chunks("a.md");
  });
  expect(lines.map(({ context }) => context.text)).toEqual(lines.map((_, i) => `Context ${i}.`));
  expect(provider.ledger).toHaveLength(0);
});

test("contexts told by the number of their chunk are not taken when the document is cut otherwise", async () => {
  write("a.md", `# Reef\n\n${text(0, 12, false)}`);
  await withIndex(async (konteks) => {
    const { chunks } = await konteks.ingest(docs(), { maxCost: 0 });
    const [first] = await konteks.chunks("a.md");
    const one = { chunkId: "a.md#0", context: "Context 0." };
    expect(await konteks.importContexts([one])).toMatchObject({
      imported: 0,
      otherwiseCut: [{ documentId: "a.md", contexts: 1, chunks }],
    });
    const byText = { documentId: "a.md", chunk: first?.chunk.text ?? "", context: "Context 0." };
    expect(await konteks.importContexts([byText])).toMatchObject({ imported: 1, otherwiseCut: [] });
  });
});

test("an index made anew with another chunker keeps its model, and asks only for chunks that are new", async () => {
  for (const name of ["b", "c", "d", "e"]) write(`${name}.md`, `A note on ${name}.`);
  write("a.md", `# Reef\n\n${text(0, 12, true)}`);
  await ingest();
  const before = asked();
  const rebuilt = await openKonteks({
    path: path("index"),
    rebuild: true,
    chunk: { size: 61, overlap: 0 },
    apiKeys: { anthropic: "test" },
    baseUrls: provider.baseUrls,
  });
  const { chunks, incomplete } = await rebuilt.ingest(docs());
  const { counts } = await rebuilt.status();
  const whole = (await rebuilt.documents()).filter(({ chunks }) => chunks === 1).length;
  await rebuilt.close();
  expect(incomplete).toEqual([]);
  expect(counts.contexts.llm).toBe(chunks);
  expect(whole).toBe(4);
  expect(asked() - before).toBeLessThanOrEqual(chunks - whole);
});

test("another prompt or model makes other contexts, and the estimate says that the old ones are not used", async () => {
  write("a.md", `# Reef\n\n${text(0, 12, false)}`);
  const { chunks } = await ingest();
  const domain = { contextDomain: "Notes on the sea.", rebuild: true };
  const exported = await withIndex(async (konteks) => [...konteks.exportContexts()]);
  await withIndex(
    async (konteks) => {
      const { imported, notUsed } = await konteks.importContexts(exported);
      expect([imported, notUsed]).toEqual([chunks, chunks]);
    },
    { ...domain, path: path("elsewhere") },
  );
  const estimate = await withIndex((konteks) => konteks.estimate(docs()), domain);
  expect(estimate).toMatchObject({ missing: chunks, otherContexts: chunks, model });
  await expect(
    withIndex((konteks) => konteks.status(), { contextDomain: "Other notes." }),
  ).resolves.toBeDefined();
});

test("a batch writes all contexts at half the price, also through the index", async () => {
  write("a.md", `# Reef\n\n${text(0, 12, false)}`);
  write("b.md", `# Lagoon\n\n${text(50, 12, false)}`);
  const report = await ingest({ batch: true });
  expect(report.incomplete).toEqual([]);
  expect(report.contexts?.written).toEqual({ grouped: report.chunks });
  expect(provider.ledger.filter(({ batch, status }) => batch === undefined && status === 200)).toHaveLength(
    1,
  );
  expect(report.contexts?.cost).toBeCloseTo(
    provider.ledger.reduce((sum, { cost = 0 }) => sum + cost, 0),
    8,
  );
});

test("a prompt of functions is saved by its name, and missed only when contexts are to be written", async () => {
  write("a.md", `# Reef\n\n${text(0, 3, false)}`);
  const contextPrompt = {
    id: "mine-1",
    front: ({ text: whole }: { text: string }) => `Whole: ${whole}`,
    chunk: (chunk: string) => `<chunk>${chunk}</chunk> Place it in the <document>.`,
  };
  await ingest({}, { contextPrompt });
  await withIndex(async (konteks) => {
    expect((await konteks.search("reef")).hits.length).toBeGreaterThan(0);
    const report = await konteks.ingest([{ id: "new", text: "Something new." }]);
    expect(JSON.stringify(report)).toContain("mine-1");
  });
});

test("the ledger of a run is in its report: what was used, what it cost, and how much came from the cache", async () => {
  write("long.md", text(0, 200, false));
  const { contexts, usage } = await ingest();
  expect(contexts?.cacheHitRates).toEqual([{ documentId: "long.md", rate: expect.closeTo(0.93, 1) }]);
  expect(usage.contexts.calls).toBe(provider.ledger.length);
  expect(contexts?.cost).toBeCloseTo(
    provider.ledger.reduce((sum, { cost = 0 }) => sum + cost, 0),
    8,
  );
  expect(readFileSync(path("index/contexts.sqlite")).length).toBeGreaterThan(0);
});
