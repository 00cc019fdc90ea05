import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import type { Store } from "../../spec/index.ts";
import { analyzeBuilt, put, words } from "../../testing/store/fixtures.ts";
import { openSqliteStore, verifySqliteStore } from "./index.ts";
import { nodeSqlite } from "./node-sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-clear-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DOCUMENTS = 80;
const CHUNKS = 50;

async function filled(path: string): Promise<Store> {
  const store = await openSqliteStore({ path });
  for (let i = 0; i < DOCUMENTS; i++) {
    const text = (c: number) =>
      `word d${i} ${Array.from({ length: 30 }, (_, k) => `w${i * c + k}`).join(" ")}`;
    const chunks = Array.from({ length: CHUNKS }, (_, c) => ({ text: text(c), vectors: [[i, c, 1]] }));
    await put(store, { id: `d${i}`, chunks });
  }
  return store;
}

/** What another connection finds in the file, each time that it changed, until `work` has ended. */
async function countsDuring(path: string, work: Promise<unknown>) {
  const db = new (nodeSqlite().DatabaseSync)(path, { readOnly: true });
  const query = db.prepare(
    "SELECT (SELECT count(*) FROM documents) AS documents, (SELECT count(*) FROM chunks) AS chunks, (SELECT count(*) FROM blocks) AS blocks",
  );
  let working = true;
  const ended = work.finally(() => {
    working = false;
  });
  const seen: { documents: number; chunks: number; blocks: number }[] = [];
  while (working) {
    seen.push({ ...query.get() } as (typeof seen)[number]);
    await setImmediate();
  }
  await ended;
  db.close();
  return seen;
}

test("an index is emptied at once, its rows leave in steps, and what comes meanwhile stays", async () => {
  const path = join(folder, "index.sqlite");
  const store = await filled(path);
  const before = statSync(path).size;
  const clearing = store.clear();
  const writing = put(store, { id: "new", chunks: [{ text: "word new", vectors: [[1, 2, 3]] }] });
  const seen = await countsDuring(path, Promise.all([clearing, writing]));
  const emptied = seen.filter(({ documents }) => documents < DOCUMENTS);
  expect(emptied.every(({ documents }) => documents <= 1)).toBe(true);
  expect(new Set(emptied.map(({ chunks }) => chunks)).size).toBeGreaterThan(3);
  const found = await store.searchText({ terms: words("word"), limit: 9 });
  expect(found.map(({ chunkId }) => chunkId)).toEqual(["new#0"]);
  expect(statSync(path).size).toBeLessThan(before / 4);
  await store.close();
  const { problems, documents } = await verifySqliteStore({ path, analyze: analyzeBuilt });
  expect({ problems, documents }).toEqual({ problems: [], documents: 1 });
});

test("with the last document all words leave the file", async () => {
  const path = join(folder, "last.sqlite");
  const store = await filled(path);
  const deleting = Array.from({ length: DOCUMENTS }, (_, i) => store.deleteDocument(`d${i}`));
  const seen = await countsDuring(path, Promise.all(deleting));
  expect(seen.at(-1)?.documents).toBe(0);
  expect((await store.counts()).bytes).toBeLessThan(200_000);
  await store.close();
  const db = new (nodeSqlite().DatabaseSync)(path, { readOnly: true });
  const left = db
    .prepare("SELECT (SELECT count(*) FROM blocks) + (SELECT count(*) FROM segments) AS n")
    .get();
  db.close();
  expect(left).toEqual({ n: 0 });
});
