import { copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { analyzeBuilt, put, words } from "../../testing/store/fixtures.ts";
import { compactSqliteStore, openSqliteStore, verifySqliteStore } from "./index.ts";
import { nodeSqlite } from "./node-sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-verify-"));
const whole = join(folder, "whole.sqlite");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const draft = (i: number) => ({
  id: `d${i}`,
  chunks: [
    { text: `all fruit${i % 3} own${i}`, context: `topic${i % 2}`, vectors: [[1, i, 0]] },
    { text: `all tree${i % 4}`, vectors: [[0, 1, -i]] },
  ],
});

beforeAll(async () => {
  const store = await openSqliteStore({ path: whole });
  for (let i = 0; i < 25; i++) await put(store, draft(i));
  await store.deleteDocument("d7");
  await store.close();
});

let copies = 0;
function copyOfWhole(sql = ""): string {
  const path = join(folder, `${copies++}.sqlite`);
  copyFileSync(whole, path);
  const db = new (nodeSqlite().DatabaseSync)(path);
  db.exec(sql);
  db.close();
  return path;
}

test("a whole index has no problems, read by its words or by itself", async () => {
  const verified = await verifySqliteStore({ path: whole, analyze: analyzeBuilt });
  expect(verified).toEqual({
    problems: [],
    documents: 24,
    chunks: 48,
    vectors: 48,
    pending: 0,
    wordsCompared: true,
  });
  expect(await verifySqliteStore({ path: whole })).toMatchObject({ problems: [], wordsCompared: false });
});

test.each([
  ["UPDATE chunks SET data = replace(data, 'topic1', 'topic9') WHERE document = 2", /words of chunk "d1#0"/],
  [
    "UPDATE texts SET text = CAST(replace(CAST(text AS TEXT), 'own4', 'own5') AS BLOB)",
    /words of chunk "d4#0"/,
  ],
  ["UPDATE documents SET structural = 0 WHERE id = 'd3'", /"d3" has 1 contexts of kind structural/],
  // Chunks behind a missing one are still compared with their own words.
  [
    "DELETE FROM chunks WHERE document = 4 AND ordinal = 0",
    /^"d3" has 1 chunks, its record says 2\.\n"d3" has 0 contexts of kind structural, its record says 1\.$/,
  ],
  [
    "UPDATE segments SET directory = CAST(replace(CAST(directory AS TEXT), 'all', 'alm') AS BLOB)",
    /Block 0 of segment \d+ does not begin with the word/,
  ],
  ["DELETE FROM chunks WHERE document = 4 AND ordinal = 1", /"d3" has 1 chunks, its record says 2/],
  ["UPDATE documents SET characters = 5 WHERE id = 'd3'", /text of "d3"/],
  ["DELETE FROM vectors WHERE document = 4", /"d3" has 0 vectors/],
  [`INSERT INTO pending VALUES (4, 1, '{"chunks":[1]}')`, /Chunk 1 of "d3" waits for vectors, and has some/],
  [`INSERT INTO pending VALUES (4, 1, '{"chunks":[2]}')`, /"d3" waits for vectors of chunk 2, which is none/],
  [
    "UPDATE vectors SET data = CAST(substr(data, 1, length(data) - 1) || x'11' AS BLOB) WHERE document = 4",
    /Vector 1 of "d3"/,
  ],
  ["INSERT INTO blocks VALUES (900000000000, x'00')", /Blocks of segment/],
  ["INSERT INTO texts VALUES (999, 0, x'41')", /Rows of document 999, which is no more/],
  [
    "UPDATE segments SET lengths = zeroblob(length(lengths)) WHERE key = (SELECT max(key) FROM segments)",
    /lengths|missing|differ/,
  ],
])("%s is found", async (sql, sentence) => {
  const { problems } = await verifySqliteStore({ path: copyOfWhole(sql), analyze: analyzeBuilt });
  expect(problems.join("\n")).toMatch(sentence);
});

test("compacting keeps every answer, makes lists anew, and leaves no word of deleted documents", async () => {
  const path = copyOfWhole("UPDATE chunks SET data = replace(data, 'topic1', 'topic9')");
  const before = await openSqliteStore({ path: whole, readOnly: true });
  const all = await before.searchText({ terms: words("all fruit1"), limit: 100 });
  await before.close();
  expect(await compactSqliteStore({ path, analyze: analyzeBuilt })).toMatchObject({ rebuilt: true });
  expect(await verifySqliteStore({ path, analyze: analyzeBuilt })).toMatchObject({
    problems: [],
    chunks: 48,
  });
  const store = await openSqliteStore({ path });
  expect(await store.searchText({ terms: words("all fruit1"), limit: 100 })).toEqual(all);
  expect((await store.documentFrequencies(["own7", "topic1", "topic9"])).frequencies).toEqual([0, 0, 11]);
  await store.close();
  const db = new (nodeSqlite().DatabaseSync)(path);
  expect(db.prepare("SELECT count(*) AS n FROM segments").get()).toEqual({ n: 1 });
  expect(db.prepare("SELECT count(*) AS n FROM blocks WHERE instr(data, 'own7')").get()).toEqual({ n: 0 });
  db.close();
});

test("chunks whose vectors are to come are counted; one that has none and waits for none is named", async () => {
  const path = join(folder, "waiting.sqlite");
  const store = await openSqliteStore({ path });
  const parts = { chunker: "c", contextualizer: "none", analyzer: "words", dimensions: 2 };
  await store.writeIdentity({ ...parts, embedding: "model" });
  await put(store, { id: "a", chunks: ["one", "two"], pending: { chunks: [0, 1] } });
  await put(store, { id: "b", chunks: ["three"], failures: { "b#0": "embedding: refused" } });
  const verify = () => verifySqliteStore({ path, analyze: analyzeBuilt });
  expect(await verify()).toMatchObject({ problems: [], pending: 2 });
  await put(store, { id: "c", chunks: [{ text: "four", vectors: [[1, 0]] }, "five"] });
  expect((await verify()).problems).toEqual(['Chunk 1 of "c" has no vector, and waits for none.']);
  await store.close();
});

test("lists that are gone are made anew from the rows", async () => {
  const path = copyOfWhole("DELETE FROM blocks; DELETE FROM segments");
  expect((await verifySqliteStore({ path })).problems.join()).toMatch(/words of "d\d+" are missing/);
  await compactSqliteStore({ path, analyze: analyzeBuilt });
  expect(await verifySqliteStore({ path, analyze: analyzeBuilt })).toMatchObject({
    problems: [],
    chunks: 48,
  });
});

test("blocks and rows that nothing names are removed", async () => {
  const path = copyOfWhole(
    "INSERT INTO blocks VALUES (900000000000, x'00'); INSERT INTO texts VALUES (999, 0, x'41'); " +
      "INSERT INTO chunks VALUES (998, 0, 0, 1, '{}')",
  );
  expect((await verifySqliteStore({ path, analyze: analyzeBuilt })).problems).toHaveLength(3);
  await compactSqliteStore({ path, analyze: analyzeBuilt });
  expect((await verifySqliteStore({ path, analyze: analyzeBuilt })).problems).toEqual([]);
});

test("an index of an unknown analyzer is joined as it is", async () => {
  const path = copyOfWhole();
  expect(await compactSqliteStore({ path })).toMatchObject({ rebuilt: false });
  expect(statSync(path).size).toBeLessThanOrEqual(statSync(whole).size);
  expect(await verifySqliteStore({ path, analyze: analyzeBuilt })).toMatchObject({
    problems: [],
    chunks: 48,
  });
});
