import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Embedder, type Konteks, KonteksError, type OpenOptions, openKonteks } from "../src/index.ts";
import { verifySqliteStore } from "../src/stores/sqlite/index.ts";
import { vectorOf } from "../src/testing/provider/embeddings.ts";

let folder: string;
let docs: string;
const open: Konteks[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "konteks-late-"));
  docs = join(folder, "docs");
  mkdirSync(docs);
});

afterEach(async () => {
  for (const konteks of open.splice(0)) await konteks.close();
  rmSync(folder, { recursive: true, force: true });
});

async function opened(options: OpenOptions): Promise<Konteks> {
  const konteks = await openKonteks({ path: join(folder, "index"), ...options });
  open.push(konteks);
  return konteks;
}

function write(names: readonly string[], words = "is about"): void {
  for (const name of names) {
    const sections = Array.from(
      { length: 3 },
      (_, i) => `## Part ${i}\n\n${name} ${words} subject${i} of ${name}.`,
    );
    writeFileSync(join(docs, `${name}.md`), `# ${name}\n\n${sections.join("\n\n")}\n`);
  }
}

/** What each call was asked to embed, and what it does before it answers. */
function slowEmbedder(before: (call: number, texts: readonly string[]) => void | Promise<void> = () => {}) {
  const texts: string[] = [];
  let calls = 0;
  const embedder: Embedder = {
    id: "slow",
    kind: "hosted",
    maxBatch: 4,
    async embedDocuments(batch) {
      await before(++calls, batch);
      texts.push(...batch);
      return batch.map((text) => Float32Array.from(vectorOf(text, 32)));
    },
    embedQuery: async (text) => Float32Array.from(vectorOf(text, 32)),
  };
  return { embedder, texts };
}

const chunk = { unit: "sections", size: 1 } as const;
const names = ["ant", "bee", "cat", "dog", "elk", "fox"];

test("text is found before the first vector is made, and vectors follow", async () => {
  write(names);
  const seen: { readonly hits: number; readonly vectors: number; readonly notes: readonly string[] }[] = [];
  const { embedder } = slowEmbedder(async () => {
    const { hits, notes = [] } = await konteks.search("subject1 of fox");
    seen.push({ hits: hits.length, vectors: (await konteks.status()).counts.vectors, notes });
  });
  const konteks = await opened({ embedding: embedder, chunk });
  const events: string[] = [];
  const report = await konteks.ingest(docs, {
    onProgress: (event) => {
      if (event.type === "embed") events.push(`${event.done} of ${event.chunks}`);
      else events.push(event.type);
    },
  });
  const { chunks } = report;
  expect(seen[0]).toMatchObject({ vectors: 0 });
  expect(seen[0]?.hits).toBeGreaterThan(5);
  expect(seen[0]?.notes).toEqual([
    `${chunks} of ${chunks} chunks have no vector yet and are found by text alone. To finish the index, unless an ingest is at it: konteks repair`,
  ]);
  expect(events.slice(0, 8)).toEqual(["start", ...names.map(() => "document"), `0 of ${chunks}`]);
  expect(events.slice(-2)).toEqual([`${chunks} of ${chunks}`, "end"]);
  expect(report).toMatchObject({ added: 6, embedded: chunks, incomplete: [] });
  const { counts } = await konteks.status();
  expect(counts).toMatchObject({ pending: 0, vectors: chunks });
  expect(await konteks.search("subject1 of fox")).not.toHaveProperty("notes");
});

test("an ingest that is stopped among the vectors is gone on with, and embeds nothing twice", async () => {
  write(names);
  const stop = new AbortController();
  const { embedder, texts } = slowEmbedder((call) => {
    if (call === 4) stop.abort();
  });
  const konteks = await opened({ embedding: embedder, chunk });
  const stopped = await konteks.ingest(docs, { signal: stop.signal }).catch((error: unknown) => error);
  expect(stopped).toMatchObject({ code: "aborted" });
  const { counts, unfinished } = await konteks.status();
  expect(counts.documents).toBe(6);
  expect(counts.pending).toBeGreaterThan(0);
  expect(unfinished).toBeUndefined();
  const verified = await verifySqliteStore({ path: join(folder, "index", "index.sqlite") });
  expect(verified.problems).toEqual([]);
  await konteks.close();
  const again = await opened({ embedding: embedder, chunk });
  const report = await again.ingest(docs);
  expect(report).toMatchObject({ unchanged: 6, added: 0, replaced: 0, chunks: 0, embedded: counts.pending });
  expect((await again.status()).counts).toMatchObject({ pending: 0, vectors: counts.chunks });
  expect(texts.toSorted()).toEqual([...new Set(texts)].toSorted());
  expect(texts).toHaveLength(counts.chunks);
});

test("in the end the index answers as if all vectors had been there at once", async () => {
  write(names);
  const { embedder } = slowEmbedder((call) => {
    if (call === 3) throw new KonteksError("model-failed", "overloaded", { facts: { status: 503 } });
  });
  const late = await opened({ embedding: embedder, chunk });
  await late.ingest(docs);
  await late.ingest(docs);
  const whole = await opened({ path: join(folder, "whole"), embedding: slowEmbedder().embedder, chunk });
  await whole.ingest(docs);
  for (const query of ["subject2 of bee", "what is elk about", "cat dog"]) {
    const asked = { k: 20 };
    const of = async (konteks: Konteks) =>
      (await konteks.search(query, asked)).hits.map(({ chunkId, scores }) => ({ chunkId, scores }));
    expect(await of(late)).toEqual(await of(whole));
  }
});

test("a provider that is down loses no document: what has no vectors is counted, named and finished by repair", async () => {
  write(names);
  let down = true;
  const { embedder, texts } = slowEmbedder(() => {
    if (down) throw new KonteksError("model-failed", "The provider is down.", { facts: { status: 503 } });
  });
  const konteks = await opened({ embedding: embedder, chunk });
  const report = await konteks.ingest(docs);
  expect(report).toMatchObject({ added: 6, failed: [] });
  expect(report.incomplete).toHaveLength(report.chunks);
  expect(new Set(report.incomplete.map(({ reason }) => reason))).toEqual(
    new Set(["embedding: The provider is down."]),
  );
  expect((await konteks.search("subject1 of fox")).hits[0]?.documentId).toBe("fox.md");
  const { counts, warnings } = await konteks.status();
  expect(counts.pending).toBe(report.chunks);
  expect(warnings[0]?.warning).toMatch(/chunks have no vector: The provider is down\./);
  down = false;
  expect(await konteks.repair()).toMatchObject({ embedded: report.chunks, incomplete: [], replaced: 0 });
  expect(texts).toHaveLength(report.chunks);
  expect(await konteks.status()).toMatchObject({ counts: { pending: 0 }, warnings: [] });
});

test("a text that is refused again and again does not stand in the way of others", async () => {
  write(["aaa"], "is poison,");
  const { embedder } = slowEmbedder((_, texts) => {
    if (texts.some((text) => text.includes("poison"))) throw new Error("refused");
  });
  const konteks = await opened({ embedding: embedder, chunk });
  await konteks.ingest(docs);
  write(names);
  const report = await konteks.ingest(docs);
  expect(report.incomplete.every(({ chunkId }) => chunkId.startsWith("aaa.md#"))).toBe(true);
  expect(report.embedded).toBeGreaterThan(6 * 3 - 1);
});

test("of a changed document only what is new waits; it is answered from its old or its new text, never from both", async () => {
  write(names);
  const { embedder, texts } = slowEmbedder(async () => {
    if (!changed) return;
    const found = await konteks.search("subject1", { k: 50 });
    seen.push(...found.hits.filter(({ documentId }) => documentId === "cat.md").map(({ text }) => text));
    pending.push((await konteks.status()).counts.pending);
  });
  let changed = false;
  const seen: string[] = [];
  const pending: number[] = [];
  const konteks = await opened({ embedding: embedder, chunk });
  await konteks.ingest(docs);
  const before = texts.length;
  changed = true;
  const text = `# cat\n\n## Part 0\n\ncat is about subject0 of cat.\n\n## Part 1\n\nchanged subject1 here.\n`;
  writeFileSync(join(docs, "cat.md"), text);
  expect(await konteks.ingest(docs)).toMatchObject({ replaced: 1, unchanged: 5, embedded: 1 });
  expect(texts.slice(before)).toEqual([expect.stringContaining("changed subject1 here.")]);
  expect(pending).toEqual([1]);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter((one) => one.includes("subject1"))).toEqual([
    expect.stringContaining("changed subject1"),
  ]);
});

test("the cache of vectors keeps to its limit, and what fell out of it is embedded again", async () => {
  write(names);
  const { embedder, texts } = slowEmbedder();
  const bytes = 32 * 4;
  const konteks = await opened({ embedding: { ...embedder, cacheLimit: 10 * bytes }, chunk });
  const { chunks } = await konteks.ingest(docs);
  expect((await konteks.status()).contextStore.vectors).toBe(10);
  await konteks.close();
  const again = await opened({ embedding: { ...embedder, cacheLimit: 10 * bytes }, chunk, rebuild: true });
  await again.ingest(docs);
  expect(texts).toHaveLength(chunks + chunks - 10);
});

test("an index without a vector yet is searched by text without asking the model, and repair needs its key", async () => {
  write(names);
  const { embedder } = slowEmbedder(() => {
    throw new Error("down");
  });
  const konteks = await opened({ embedding: embedder, chunk });
  await konteks.ingest(docs);
  const noKey = () => Promise.reject(new KonteksError("no-key", "no key"));
  await konteks.close();
  const keyless = await opened({ embedding: { ...embedder, ready: noKey, embedQuery: noKey }, chunk });
  const { hits, trace } = await keyless.search("subject1 of fox");
  expect(hits[0]?.documentId).toBe("fox.md");
  expect(JSON.stringify(trace)).toContain("no chunk has a vector yet");
  await expect(keyless.repair()).rejects.toMatchObject({ code: "no-key" });
});

test("chunks without a vector are searched fairly beside those that have one, and the trace says so", async () => {
  write(names);
  let calls = 0;
  const { embedder } = slowEmbedder(() => {
    if (++calls > 2) throw new Error("down");
  });
  const konteks = await opened({ embedding: embedder, chunk });
  await konteks.ingest(docs);
  const { counts } = await konteks.status();
  expect(counts.pending).toBeGreaterThan(0);
  expect(counts.pending).toBeLessThan(counts.chunks);
  for (const fusion of ["scores", "rrf"] as const) {
    const of = async (k: number) =>
      konteks.search("what is fox about in subject2", { k, fusion, explain: true });
    const { hits, trace } = await of(20);
    // Named last, so among those that wait: many have a vector, none is nearer.
    expect(hits[0]).toMatchObject({ documentId: "fox.md", text: expect.stringContaining("subject2") });
    expect(hits[0]?.scores).not.toHaveProperty("cosine");
    const waiting = hits.filter(({ scores }) => !("cosine" in scores)).length;
    expect(trace.find(({ stage }) => stage === "fuse")?.facts).toMatchObject({
      withoutVector: waiting,
      ofIndex: counts.pending,
    });
    for (const { score, explanation } of hits)
      expect(explanation?.fusion.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(score);
    expect((await of(3)).hits.map(({ chunkId }) => chunkId)).toEqual(
      hits.slice(0, 3).map(({ chunkId }) => chunkId),
    );
  }
  const byVector = await konteks.search("subject2 of fox", { mode: "vector" });
  expect(byVector.notes?.[0]).toMatch(/no vector yet and cannot be found\./);
  expect(await konteks.search("subject2 of fox", { mode: "text" })).not.toHaveProperty("notes");
  const { hits: near } = await konteks.search("subject2 of fox", { min: { cosine: -1 }, k: 20 });
  expect(near.every(({ scores }) => scores.cosine !== undefined)).toBe(true);
  const report = await konteks.why("subject2 of fox", { expect: "fox.md#2" });
  expect(report.leftOut.vector).toBe("the passage has no vector yet (konteks repair makes it)");
});

test("vectors of a long document come in a few parts, and those that are there when it is stopped are kept", async () => {
  const sections = Array.from({ length: 900 }, (_, i) => `## Part ${i}\n\nword${i} of part ${i}.`);
  writeFileSync(join(docs, "long.md"), `# Long\n\n${sections.join("\n\n")}\n`);
  const stop = new AbortController();
  const seen = new Set<number>();
  const { embedder, texts } = slowEmbedder(async (call) => {
    await sleep(5);
    seen.add((await konteks.status()).counts.vectors);
    if (call === 180) stop.abort();
  });
  const konteks = await opened({ embedding: { ...embedder, cached: false }, chunk });
  await konteks.ingest(docs, { signal: stop.signal }).catch(() => {});
  expect(seen.size).toBeGreaterThan(3);
  expect(seen.size).toBeLessThan(8);
  const { counts } = await konteks.status();
  // Calls that were under way may have ended behind the stop.
  expect(texts.length - counts.vectors).toBeLessThanOrEqual(4 * 4);
  await konteks.ingest(docs);
  expect((await konteks.status()).counts).toMatchObject({ pending: 0, vectors: counts.chunks });
});

test("a search whose model is out of reach goes by text, and says so; one that needs the vectors fails", async () => {
  write(names);
  const { embedder } = slowEmbedder();
  const konteks = await opened({ embedding: embedder, chunk });
  await konteks.ingest(docs);
  await konteks.close();
  const down = () =>
    Promise.reject(new KonteksError("model-failed", "The provider is down.", { facts: { status: 503 } }));
  const without = await opened({ embedding: { ...embedder, embedQuery: down }, chunk });
  const { hits, notes } = await without.search("subject1 of fox");
  expect(hits[0]?.documentId).toBe("fox.md");
  expect(notes).toEqual(["vector search: skipped (the query could not be embedded: The provider is down.)"]);
  expect((await without.ask("What is fox about in subject1?")).notes).toEqual(notes);
  await expect(without.search("subject1", { mode: "vector" })).rejects.toMatchObject({
    code: "model-failed",
  });
  await expect(without.search("subject1", { min: { cosine: 0.1 } })).rejects.toMatchObject({
    code: "model-failed",
  });
});
