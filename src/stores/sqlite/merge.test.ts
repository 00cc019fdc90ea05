import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { buildDocument, put, words } from "../../testing/store/fixtures.ts";
import { oracleText } from "../../testing/store/oracle.ts";
import { openSqliteStore } from "./index.ts";
import { nextMerge } from "./merge.ts";
import { nodeSqlite } from "./node-sqlite.ts";
import type { Segment } from "./segment.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-merge-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function segment(key: number, size: number, live = size): Segment {
  const nothing = { documents: [], starts: new Uint32Array(1), lengths: [], directory: [] };
  return { key, size, live, dead: new Uint8Array(size), ...nothing };
}

test("ten segments of one tier are due, and one that is a third dead by itself", () => {
  const nine = Array.from({ length: 9 }, (_, i) => segment(i, 20 + i));
  expect(nextMerge(nine)).toEqual([]);
  expect(nextMerge([...nine, segment(9, 200)])).toEqual([]);
  expect(nextMerge([...nine, segment(9, 99)])).toHaveLength(10);
  expect(nextMerge([segment(9, 30, 20)])).toEqual([]);
  expect(nextMerge([...nine, segment(9, 30, 19)]).map(({ key }) => key)).toEqual([9]);
});

const draft = (i: number, version: number) => ({
  id: `d${i}`,
  chunks: [
    `all v${version} n${i % 7} own${i}`,
    { text: `all m${i % 11}`, context: `v${version} topic${i % 3}` },
  ],
});

test("many writes leave few segments, no blocks of gone ones, and exact scores", {
  timeout: 30_000,
}, async () => {
  const path = join(folder, "many.sqlite");
  const store = await openSqliteStore({ path });
  const other = await openSqliteStore({ path, readOnly: true });
  for (let i = 0; i < 250; i++) await put(store, draft(i, 1));
  for (let i = 0; i < 250; i += 3) await put(store, draft(i, 2));
  for (let i = 1; i < 250; i += 3) await store.deleteDocument(`d${i}`);
  const documents = Array.from({ length: 250 }, (_, i) => i)
    .filter((i) => i % 3 !== 1)
    .map((i) => buildDocument(draft(i, i % 3 === 0 ? 2 : 1)));
  for (const terms of [words("all"), words("v1 v2 n3"), words("topic1 own6 m4 own7")]) {
    const expected = oracleText(documents, { terms, limit: 400 });
    for (const reader of [store, other]) {
      const found = await reader.searchText({ terms, limit: 400 });
      expect(found.map(({ chunkId }) => chunkId)).toEqual(expected.map(({ chunkId }) => chunkId));
      for (const [i, { score }] of found.entries()) expect(score).toBeCloseTo(expected[i]?.score ?? -1, 9);
    }
  }
  await store.close();
  await other.close();
  const db = new (nodeSqlite().DatabaseSync)(path);
  const segments = db.prepare("SELECT key FROM segments").all() as { key: number }[];
  const owners = db.prepare("SELECT DISTINCT key / 1048576 AS segment FROM blocks").all() as {
    segment: number;
  }[];
  const { freelist_count: free } = db.prepare("PRAGMA freelist_count").get() as { freelist_count: number };
  const { page_count: pages } = db.prepare("PRAGMA page_count").get() as { page_count: number };
  db.close();
  expect(free).toBeLessThanOrEqual(Math.max(64, pages / 50));
  expect(segments.length).toBeLessThan(30);
  expect(owners.map((row) => row.segment).sort()).toEqual(segments.map(({ key }) => key).sort());
});
