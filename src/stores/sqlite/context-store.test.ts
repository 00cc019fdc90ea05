import { mkdtempSync, rmSync } from "node:fs";
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

test("every put reaches the disk: full synchronous, write-ahead log", () => {
  const path = join(folder, "full.sqlite");
  const store = openSqliteContextStore({ path });
  store.put(context);
  const other = openSqliteContextStore({ path });
  expect(other.get(key)).toEqual(context);
  other.close();
  store.close();
});

test("an index is no context file, nor the other way round; a missing file is not made to be read", async () => {
  const contexts = join(folder, "contexts.sqlite");
  openSqliteContextStore({ path: contexts }).close();
  await expect(openSqliteStore({ path: contexts })).rejects.toMatchObject({ code: "not-an-index" });
  const absent = () => openSqliteContextStore({ path: join(folder, "absent.sqlite"), readOnly: true });
  expect(absent).toThrow(expect.objectContaining({ code: "not-found" }));
});
