import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import type { Store } from "../../spec/index.ts";
import { analyzeBuilt, buildDocument, type DocumentDraft, put, words } from "../../testing/store/fixtures.ts";
import { oracleText, oracleVector } from "../../testing/store/oracle.ts";
import { compactSqliteStore, openSqliteStore, verifySqliteStore } from "./index.ts";
import { nodeSqlite } from "./node-sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-large-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const freshPath = () => join(folder, `${files++}.sqlite`);

/** A document that takes many commits: more chunks than are sorted at once, of several fields and windows. */
function large(id: string, version = 1, chunks = 1_200): DocumentDraft {
  return {
    id,
    metadata: { kind: "large", version },
    chunks: Array.from({ length: chunks }, (_, i) => ({
      text: `all large v${version} own${i} n${i % 7} m${(i * 31) % 211} x${(i * 7919) % 1_009}`,
      context: i % 3 === 0 ? "" : `topic${i % 5}`,
      vectors: i % 10 === 0 ? [] : [[i % 13, 1 + (i % 3), version]],
    })),
  };
}

const small = (i: number) => ({ id: `s${i}`, metadata: { kind: "small" }, chunks: [`all small n${i}`] });

async function expectAnswers(drafts: readonly DocumentDraft[], ...stores: readonly Store[]): Promise<void> {
  const documents = drafts.map(buildDocument);
  for (const terms of [words("all"), words("own7 n3 topic2"), words("m17 x5 v1 v2")]) {
    const wanted = oracleText(documents, { terms, limit: 5_000 });
    for (const store of stores) {
      const found = await store.searchText({ terms, limit: 5_000 });
      expect(found.map(({ chunkId }) => chunkId)).toEqual(wanted.map(({ chunkId }) => chunkId));
    }
  }
  const vector = Float32Array.of(1, 2, 1);
  const wanted = oracleVector(documents, { vector, limit: 5_000 });
  for (const store of stores) {
    expect(await store.searchVector({ vector, limit: 5_000 })).toHaveLength(wanted.length);
  }
}

const filtered = (store: Store, kind: string) =>
  store.searchText({ terms: words("all"), limit: 5_000, filter: { field: "kind", op: "eq", value: kind } });

test("a large document shows all at once, to others too, and is found like any", {
  timeout: 60_000,
}, async () => {
  const path = freshPath();
  const store = await openSqliteStore({ path });
  const other = await openSqliteStore({ path });
  const reader = await openSqliteStore({ path, readOnly: true });
  await put(store, small(0));
  let done = false;
  const writing = put(store, large("big")).then(() => {
    done = true;
  });
  const seen = new Set<number>();
  for (let n = 1; !done; n++) {
    // A document with a higher key that is there first.
    if (n === 3) await put(other, small(1));
    for (const one of [store, reader, other]) seen.add((await filtered(one, "large")).length);
    await setImmediate();
  }
  await writing;
  seen.delete(1_200);
  expect(seen).toEqual(new Set([0]));
  for (const one of [store, reader, other]) {
    expect(await filtered(one, "large")).toHaveLength(1_200);
    expect(await filtered(one, "small")).toHaveLength(2);
  }
  await expectAnswers([small(0), large("big"), small(1)], store, reader, other);
  await put(store, large("big", 2, 300));
  await expectAnswers([small(0), large("big", 2, 300), small(1)], reader);
  expect(await store.deleteDocument("big")).toBe(true);
  await expectAnswers([small(0), small(1)], reader);
  expect(rowsOf(path)).toBe(2);
  await Promise.all([store, other, reader].map((one) => one.close()));
  expect((await verifySqliteStore({ path, analyze: analyzeBuilt })).problems).toEqual([]);
});

/** Rows of chunks, whether a document shows them or not. */
function rowsOf(path: string): number {
  const db = new (nodeSqlite().DatabaseSync)(path, { readOnly: true });
  const { n } = db.prepare("SELECT count(*) AS n FROM chunks").get() as { n: number };
  db.close();
  return n;
}

test("a large document that is refused leaves nothing behind, and what it would replace", async () => {
  const path = freshPath();
  const store = await openSqliteStore({ path });
  await put(store, large("big", 1, 200));
  const { record, chunks } = buildDocument(large("big", 2));
  const wrong = chunks.map((chunk, i) =>
    i === 1_100 ? { ...chunk, vectors: [Float32Array.of(1, Number.NaN, 1)] } : chunk,
  );
  await expect(store.replaceDocument(record, wrong)).rejects.toMatchObject({ code: "wrong-option" });
  await expectAnswers([large("big", 1, 200)], store);
  await store.close();
  expect(rowsOf(path)).toBe(200);
  expect((await verifySqliteStore({ path, analyze: analyzeBuilt })).problems).toEqual([]);
});

test("an index that is emptied while a large document is written stays whole", async () => {
  for (const how of ["clear", "delete"]) {
    const path = freshPath();
    const store = await openSqliteStore({ path });
    const other = await openSqliteStore({ path });
    await put(store, small(0));
    const writing = put(store, large("big")).then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject({ code: "index-locked" });
        return false;
      },
    );
    for (let n = 0; n < 4; n++) await setImmediate();
    if (how === "clear") await other.clear();
    else await other.deleteDocument("s0");
    const written = await writing;
    expect(written).toBe(how === "delete");
    await expectAnswers(written ? [large("big")] : [], other);
    await store.close();
    await other.close();
    expect((await verifySqliteStore({ path, analyze: analyzeBuilt })).problems).toEqual([]);
  }
});

test("an index is compacted while documents come and go", { timeout: 60_000 }, async () => {
  const path = freshPath();
  const store = await openSqliteStore({ path });
  for (const id of ["a", "b", "c"]) await put(store, large(id, 1, 400));
  let done = false;
  const compacting = compactSqliteStore({ path, analyze: analyzeBuilt }).then(() => {
    done = true;
  });
  await store.deleteDocument("b");
  let n = 0;
  for (; !done; n++) {
    await put(store, small(n));
    await setImmediate();
  }
  await compacting;
  expect(n).toBeGreaterThan(0);
  const drafts = [large("a", 1, 400), large("c", 1, 400), ...Array.from({ length: n }, (_, i) => small(i))];
  await expectAnswers(drafts, store);
  await store.close();
  expect((await verifySqliteStore({ path, analyze: analyzeBuilt })).problems).toEqual([]);
});
