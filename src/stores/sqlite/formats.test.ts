import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { analyzeBuilt, buildDocument, put, words } from "../../testing/store/fixtures.ts";
import { oracleText } from "../../testing/store/oracle.ts";
import { compactSqliteStore, openSqliteStore, verifySqliteStore } from "./index.ts";
import { nodeSqlite } from "./node-sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-formats-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What was written into the kept files. */
const DOCUMENTS = Array.from({ length: 14 }, (_, i) =>
  i === 3
    ? buildDocument({ id: "d3", chunks: ["all again"] })
    : buildDocument({
        id: `d${i}`,
        chunks: [{ text: `all fruit${i % 3} own${i}`, context: `topic${i % 2}` }, `all tree${i % 4}`],
      }),
).filter((_, i) => i !== 5);

test.each([1, 2, 3])("a file of format %d still answers, and can be written to", async (format) => {
  const path = join(folder, `${format}.sqlite`);
  const kept = new URL(`./fixtures/format-${format}.sqlite.gz`, import.meta.url);
  writeFileSync(path, gunzipSync(readFileSync(kept)));
  // The first one was written so.
  const problems = format === 1 ? ['Chunk 0 of "d3" has no vector, and waits for none.'] : [];
  expect((await verifySqliteStore({ path, analyze: analyzeBuilt })).problems).toEqual(problems);
  const store = await openSqliteStore({ path });
  expect(await store.readSetting("made")).toBe(`by format ${format}`);
  for (const terms of [words("all"), words("fruit1 topic0 tree2"), words("own5 own6 again")]) {
    const wanted = oracleText(DOCUMENTS, { terms, limit: 50 });
    const found = await store.searchText({ terms, limit: 50 });
    expect(found.map(({ chunkId }) => chunkId)).toEqual(wanted.map(({ chunkId }) => chunkId));
  }
  const near = await store.searchVector({ vector: Float32Array.of(12, 1, 1), limit: 1 });
  expect(near.map(({ chunkId }) => chunkId)).toEqual(["d12#1"]);
  const pending = (await store.listDocuments()).filter((document) => document.pending > 0);
  expect(pending.map(({ id, pendingReason }) => [id, pendingReason])).toEqual(
    format < 3
      ? []
      : [
          ["d12", "no answer"],
          ["d2", undefined],
        ],
  );
  await put(store, { id: "late", chunks: ["late"], pending: { chunks: [0] } });
  expect((await store.pendingVectors(["late#0", "d2#1"])).ids).toEqual(
    format < 3 ? ["late#0"] : ["late#0", "d2#1"],
  );
  await put(store, { id: "d3", chunks: [{ text: "new", vectors: [[0, 0, 1]] }] });
  expect((await store.documentFrequencies(["again", "new"])).frequencies).toEqual([0, 1]);
  await store.close();
});

test("a file of format 2 that is only read has nothing pending", async () => {
  const path = join(folder, "read-only.sqlite");
  writeFileSync(path, gunzipSync(readFileSync(new URL("./fixtures/format-2.sqlite.gz", import.meta.url))));
  const store = await openSqliteStore({ path, readOnly: true });
  expect(await store.pendingVectors(["d1#0"])).toEqual({ chunks: 0, ids: [] });
  expect((await store.listDocuments()).map(({ pending }) => pending)).toContain(0);
  expect((await store.counts()).pending).toBe(0);
  expect(await store.getDocument("d1")).not.toHaveProperty("pending");
  await store.close();
});

test("compacting gives text and lists of format 1 the present form, and keeps every answer", async () => {
  const path = join(folder, "compacted.sqlite");
  const store = await openSqliteStore({ path });
  const long = Array.from({ length: 200 }, (_, i) => `word${i % 50}`).join(" ");
  await put(store, { id: "long", chunks: [long, "all short"] });
  await store.close();
  const db = new (nodeSqlite().DatabaseSync)(path);
  db.prepare("UPDATE texts SET text = ? WHERE start = 0").run(Buffer.from(`${long}\nall short`));
  db.close();
  const terms = words("word3 all");
  const read = async () => {
    const reader = await openSqliteStore({ path, readOnly: true });
    const found = {
      hits: await reader.searchText({ terms, limit: 9 }),
      chunks: await reader.chunksOf("long"),
    };
    await reader.close();
    return found;
  };
  const before = await read();
  expect(before.chunks.map(({ chunk }) => chunk.text)).toEqual([long, "all short"]);
  await compactSqliteStore({ path, analyze: analyzeBuilt });
  expect(await read()).toEqual(before);
  const after = new (nodeSqlite().DatabaseSync)(path, { readOnly: true });
  const { bytes } = after.prepare("SELECT length(text) AS bytes FROM texts").get() as { bytes: number };
  after.close();
  expect(bytes).toBeLessThan(long.length / 2);
});
