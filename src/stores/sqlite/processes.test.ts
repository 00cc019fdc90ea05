import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isKonteksError, type Store } from "../../spec/index.ts";
import { put, words } from "../../testing/store/fixtures.ts";
import { openSqliteStore } from "./index.ts";
import { endOtherProcesses, otherProcess } from "./other-process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-processes-"));
afterAll(() => {
  endOtherProcesses();
  rmSync(folder, { recursive: true, force: true });
});

async function found(store: Store, text: string): Promise<string[]> {
  return (await store.searchText({ terms: words(text), limit: 50 })).map(({ chunkId }) => chunkId);
}

test("a commit of another process is seen at once, by writers and read-only readers", async () => {
  const path = join(folder, "seen.sqlite");
  const store = await openSqliteStore({ path });
  const reader = await openSqliteStore({ path, readOnly: true });
  await put(store, { id: "d", chunks: [{ text: "old", vectors: [[1, 0]] }, "old"] });
  await put(store, { id: "gone", chunks: ["old"] });
  expect(await found(reader, "old")).toEqual(["d#0", "d#1", "gone#0"]);
  const filter = { field: "n", op: "eq", value: 1 } as const;
  expect(await reader.searchText({ terms: words("old"), limit: 5, filter })).toEqual([]);

  const other = otherProcess(
    path,
    `await put(store, { id: "d", metadata: { n: 1 }, language: "vi", chunks: [{ text: "new", vectors: [[0, 1]] }] });
     await store.deleteDocument("gone");
     for (let i = 0; i < 12; i++) await put(store, { id: "more" + i, chunks: ["filler"] });`,
  );
  await other.ended;
  expect(other.errors).toEqual([]);
  for (const one of [store, reader]) {
    expect(await found(one, "old")).toEqual([]);
    expect(await found(one, "new")).toEqual(["d#0"]);
    expect(await found(one, "filler")).toHaveLength(12);
    expect(await one.searchText({ terms: words("new"), limit: 5, filter })).toHaveLength(1);
    const near = await one.searchVector({ vector: Float32Array.of(0, 1), limit: 5 });
    expect(near.map(({ chunkId }) => chunkId)).toEqual(["d#0"]);
    expect(await one.languages()).toEqual(["vi"]);
    await one.close();
  }
});

test("two processes that write at the same time lose nothing", async () => {
  const path = join(folder, "both.sqlite");
  const script = (name: string) =>
    `for (let i = 0; i < 40; i++) await put(store, { id: "${name}" + i, chunks: ["word ${name}", "word"] });`;
  const both = [otherProcess(path, script("a")), otherProcess(path, script("b"))];
  await Promise.all(both.map(({ ended }) => ended));
  expect(both.flatMap(({ errors }) => errors)).toEqual([]);
  const store = await openSqliteStore({ path });
  expect(await store.documentFrequencies(["word", "a", "b"])).toEqual({
    chunks: 160,
    frequencies: [160, 40, 40],
  });
  await store.close();
});

test("the lock names its holder, and is free again when the holder is killed", async () => {
  const path = join(folder, "lock.sqlite");
  const holder = otherProcess(
    path,
    `await store.exclusively("ingest of docs", async () => { say("holding"); await new Promise((r) => setTimeout(r, 60000)); });`,
  );
  await holder.said("holding");
  const store = await openSqliteStore({ path });
  const error = await store
    .exclusively("mine", async () => 1, { waitMs: 100 })
    .catch((caught: unknown) => caught);
  expect(isKonteksError(error, "index-locked") && error.message).toMatch(
    new RegExp(`process ${holder.child.pid} on .* \\(ingest of docs, since \\d{4}-`),
  );
  await put(store, { id: "d", chunks: ["reading and single writes go on"] });
  const waiting = store.exclusively("mine", async () => "mine", { waitMs: 10_000 });
  holder.child.kill("SIGKILL");
  expect(await waiting).toBe("mine");
  await store.close();
});
