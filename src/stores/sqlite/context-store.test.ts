import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openSqliteContextStore, openSqliteStore } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-contexts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const context = {
  documentId: "docs/ä.md",
  chunkHash: "c1",
  recipe: "model:1",
  text: "Situates the chunk. 字 \0 \ud800",
  model: "anthropic:some",
  documentHash: "h1",
  createdAt: "2026-01-02T03:04:05.000Z",
};
const key = { documentId: "docs/ä.md", chunkHash: "c1", recipe: "model:1" };

test("contexts are kept by document, chunk and recipe, over reopening", () => {
  const path = join(folder, "a", "contexts.sqlite");
  const store = openSqliteContextStore({ path });
  expect(store.path).toBe(path);
  expect(store.get(key)).toBeUndefined();
  store.put({ ...context, text: "first" });
  store.put(context);
  store.put({ ...context, recipe: "model:2", text: "other recipe" });
  store.put({ ...context, documentId: "other" });
  store.close();
  store.close();
  const again = openSqliteContextStore({ path });
  expect(again.get(key)).toEqual(context);
  expect(again.get({ ...key, recipe: "model:2" })?.text).toBe("other recipe");
  expect(again.count()).toEqual({ contexts: 3, vectors: 0 });
  expect(again.deleteDocument("docs/ä.md")).toBe(2);
  expect(again.deleteDocument("docs/ä.md")).toBe(0);
  expect(again.get(key)).toBeUndefined();
  expect(again.count().contexts).toBe(1);
  again.close();
  expect(() => again.get(key)).toThrow(expect.objectContaining({ code: "closed" }));
});

test("vectors come back exactly, by model and text", () => {
  const path = join(folder, "vectors.sqlite");
  const store = openSqliteContextStore({ path });
  // A view into a larger buffer, as SDKs hand out.
  const vector = new Float32Array([9, 0.1, -2.5e-20, 3, 9]).subarray(1, 4);
  store.putVectors([
    { key: { model: "m", textHash: "t1" }, vector },
    { key: { model: "m", textHash: "t2" }, vector: Float32Array.of(1) },
  ]);
  store.putVectors([]);
  const reader = openSqliteContextStore({ path, readOnly: true });
  expect(reader.getVector({ model: "m", textHash: "t1" })).toEqual(Float32Array.from(vector));
  expect(reader.getVector({ model: "other", textHash: "t1" })).toBeUndefined();
  expect(reader.count()).toEqual({ contexts: 0, vectors: 2 });
  expect(() => reader.put(context)).toThrow(expect.objectContaining({ code: "read-only" }));
  reader.close();
  store.close();
});

test("within a limit the oldest vectors of that model go, and no other's", () => {
  const store = openSqliteContextStore({ path: join(folder, "limit.sqlite") });
  const put = (model: string, text: number, limit?: number) =>
    store.putVectors([{ key: { model, textHash: `t${text}` }, vector: new Float32Array(4) }], { limit });
  put("paid", 0);
  for (let text = 0; text < 5; text++) put("local", text, 48);
  // Made anew, it counts as new.
  put("local", 2, 48);
  put("local", 5, 48);
  const held = [0, 1, 2, 3, 4, 5].filter((text) => store.getVector({ model: "local", textHash: `t${text}` }));
  expect(held).toEqual([2, 4, 5]);
  expect(store.getVector({ model: "paid", textHash: "t0" })).toBeDefined();
  store.close();
});

test("every put reaches the disk: full synchronous, write-ahead log", () => {
  const path = join(folder, "full.sqlite");
  const store = openSqliteContextStore({ path });
  store.put(context);
  const other = openSqliteContextStore({ path });
  expect(other.get(key)).toEqual(context);
  other.close();
  store.close();
});

test("a context is found by its document's text under another id, and only by that", () => {
  const store = openSqliteContextStore({ path: join(folder, "find.sqlite") });
  store.putAll([context, { ...context, chunkHash: "c2", policy: "grouped" }]);
  store.putAll([]);
  const { chunkHash, recipe } = key;
  expect(store.find({ chunkHash, recipe, documentHash: "h1" })).toEqual(context);
  expect(store.find({ chunkHash: "c2", recipe, documentHash: "h1" })?.policy).toBe("grouped");
  expect(store.find({ chunkHash, recipe, documentHash: "h2" })).toBeUndefined();
  expect(store.find({ chunkHash, recipe: "model:2", documentHash: "h1" })).toBeUndefined();
  store.close();
});

test("a context that outlived an edit is found by the text that uses it now", () => {
  const store = openSqliteContextStore({ path: join(folder, "moved.sqlite") });
  const { documentId, chunkHash, recipe } = key;
  store.put(context);
  expect(store.find({ chunkHash, recipe, documentHash: "h2" })).toBeUndefined();
  store.use({ documentId, documentHash: "h2", recipe, chunkHashes: [chunkHash] });
  expect(store.find({ chunkHash, recipe, documentHash: "h2" })).toEqual(context);
  expect(store.find({ chunkHash, recipe: "model:2", documentHash: "h2" })).toBeUndefined();
  expect(store.find({ chunkHash: "c2", recipe, documentHash: "h2" })).toBeUndefined();
  store.close();
});

test("stale contexts are those in use that were made from an older state", () => {
  const store = openSqliteContextStore({ path: join(folder, "stale.sqlite") });
  const { documentId, recipe } = key;
  store.putAll([context, { ...context, chunkHash: "c2" }, { ...context, chunkHash: "gone" }]);
  expect(store.stale()).toEqual([]);
  store.use({ documentId, documentHash: "h2", recipe, chunkHashes: ["c1", "c2", "c3"] });
  store.put({ ...context, chunkHash: "c3", documentHash: "h2" });
  expect(store.stale()).toEqual([{ documentId, contexts: 2 }]);
  store.put({ ...context, documentHash: "h2" });
  expect(store.stale()).toEqual([{ documentId, contexts: 1 }]);
  store.deleteDocument(documentId);
  expect(store.stale()).toEqual([]);
  store.close();
});

test("contexts are listed by document, and counted by recipe", () => {
  const store = openSqliteContextStore({ path: join(folder, "list.sqlite") });
  store.putAll([
    { ...context, documentId: "b" },
    { ...context, documentId: "a" },
    { ...context, documentId: "a", recipe: "model:2", model: "other" },
  ]);
  expect([...store.contexts()].map(({ documentId, recipe }) => [documentId, recipe])).toEqual([
    ["a", "model:1"],
    ["a", "model:2"],
    ["b", "model:1"],
  ]);
  expect([...store.contexts("model:2")]).toEqual([
    { ...context, documentId: "a", recipe: "model:2", model: "other" },
  ]);
  expect(store.recipes()).toEqual([
    { recipe: "model:1", model: "anthropic:some", contexts: 2 },
    { recipe: "model:2", model: "other", contexts: 1 },
  ]);
  store.close();
});

test("batches are there until they are deleted, over reopening", () => {
  const path = join(folder, "batches.sqlite");
  const store = openSqliteContextStore({ path });
  const item = {
    id: "b-0",
    documentId: "a",
    documentHash: "h",
    chunkHashes: ["c"],
    policy: "single" as const,
  };
  const batch = { id: "b", modelId: "m", recipe: "r", createdAt: "2026-01-01T00:00:00.000Z", items: [item] };
  store.putBatch(batch);
  expect(store.batches()).toEqual([batch]);
  store.putBatch({ ...batch, reference: "{}" });
  store.close();
  const again = openSqliteContextStore({ path });
  expect(again.batches()).toEqual([{ ...batch, reference: "{}" }]);
  again.deleteBatch("b");
  expect(again.batches()).toEqual([]);
  again.close();
});

test("a file of the first form opens with all it holds", async () => {
  const { DatabaseSync } = await import("node:sqlite");
  const path = join(folder, "first.sqlite");
  openSqliteContextStore({ path }).close();
  const file = new DatabaseSync(path);
  file.exec(
    "DROP TABLE uses; DROP TABLE batches; DROP TABLE model_usage; DROP INDEX contexts_by_text; ALTER TABLE contexts DROP COLUMN policy",
  );
  file
    .prepare("INSERT INTO contexts VALUES (?, ?, ?, ?, ?, ?, ?)")
    .run("a", "c", "r", Buffer.from("x"), "m", "h", "t");
  file.close();
  const reader = openSqliteContextStore({ path, readOnly: true });
  expect(reader.count().contexts).toBe(1);
  expect(reader.stale()).toEqual([]);
  expect(reader.usageOf("m")).toBeUndefined();
  reader.close();
  const store = openSqliteContextStore({ path });
  expect(store.get({ documentId: "a", chunkHash: "c", recipe: "r" })?.text).toBe("x");
  expect(store.batches()).toEqual([]);
  store.close();
});

test("an index is no context file, nor the other way round", async () => {
  const contexts = join(folder, "contexts.sqlite");
  openSqliteContextStore({ path: contexts }).close();
  await expect(openSqliteStore({ path: contexts })).rejects.toMatchObject({ code: "not-an-index" });
});

test("a missing file is not made to be read: nothing is in it, and nothing can be kept", () => {
  const path = join(folder, "absent.sqlite");
  const store = openSqliteContextStore({ path, readOnly: true });
  expect(store.get(key)).toBeUndefined();
  expect(store.count()).toEqual({ contexts: 0, vectors: 0 });
  expect([...store.contexts()]).toEqual([]);
  expect(() => store.put(context)).toThrow(expect.objectContaining({ code: "read-only" }));
  store.close();
  expect(existsSync(path)).toBe(false);
});

const usage = {
  calls: 2,
  expectedInput: 1_000,
  input: 1_300,
  singles: 2,
  singleOutput: 140,
  grouped: 0,
  groupedOutput: 0,
  expectedMs: 2_900,
  ms: 3_000,
  batchRead: 0,
  batchWritten: 0,
};

test("what a model used is summed over reopening; old calls weigh less when there are many", () => {
  const path = join(folder, "usage.sqlite");
  const store = openSqliteContextStore({ path });
  expect(store.usageOf("m")).toBeUndefined();
  store.addUsage("m", usage);
  store.addUsage("m", { ...usage, grouped: 3, groupedOutput: 300 });
  store.close();
  const again = openSqliteContextStore({ path });
  expect(again.usageOf("m")).toMatchObject({ calls: 4, input: 2_600, singles: 4, grouped: 3 });
  expect(again.usageOf("other")).toBeUndefined();
  again.addUsage("m", { ...usage, calls: 10_000 });
  again.addUsage("m", usage);
  expect(again.usageOf("m")?.calls).toBe((4 + 10_000) / 2 + 2);
  again.close();
});
