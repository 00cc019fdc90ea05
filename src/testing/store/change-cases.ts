import assert from "node:assert/strict";
import { isKonteksError, type Store } from "../../spec/index.ts";
import { type StoreCase, storeCase } from "./case.ts";
import { buildDocument, put, words } from "./fixtures.ts";
import { idsOf } from "./search-cases.ts";

/** Replace, delete, atomicity, locking, closing. */
export const CHANGE_CASES: readonly StoreCase[] = [
  storeCase("a shorter version leaves nothing of the longer one", async (store) => {
    const long = ["old a", "old b", "old c"].map((text) => ({ text, vectors: [[1, 0]] }));
    await put(store, { id: "d", chunks: long });
    await put(store, { id: "d", chunks: [{ text: "new a", vectors: [[0, 1]] }] });
    assert.deepEqual(await find(store, "old"), []);
    assert.deepEqual(await find(store, "new"), ["d#0"]);
    assert.deepEqual(await store.getChunks(["d#1", "d#2"]), []);
    const nearest = await store.searchVector({ vector: Float32Array.of(1, 0), limit: 9 });
    assert.deepEqual(nearest, [{ chunkId: "d#0", score: 0 }]);
    assert.equal((await store.counts()).vectors, 1);
    assert.deepEqual(await store.documentFrequencies(["old", "a"]), { chunks: 1, frequencies: [0, 1] });
  }),

  storeCase(
    "deleting removes chunks, postings and vectors, and says whether there was one",
    async (store) => {
      await put(store, { id: "d", chunks: [{ text: "word", vectors: [[1, 0]] }] });
      await put(store, { id: "e", chunks: ["word"] });
      assert.equal(await store.deleteDocument("d"), true);
      assert.equal(await store.deleteDocument("d"), false);
      assert.equal(await store.getDocument("d"), undefined);
      assert.deepEqual(await store.getChunks(["d#0"]), []);
      assert.deepEqual(await find(store, "word"), ["e#0"]);
      assert.deepEqual(await store.searchVector({ vector: Float32Array.of(1, 0), limit: 9 }), []);
    },
  ),

  storeCase("two documents with the same text are two; deleting one leaves the other", async (store) => {
    await put(store, { id: "one", chunks: ["same text"] });
    await put(store, { id: "two", chunks: ["same text"] });
    assert.deepEqual(await find(store, "same"), ["one#0", "two#0"]);
    await store.deleteDocument("one");
    assert.deepEqual(await find(store, "same"), ["two#0"]);
  }),

  storeCase("a write that fails half way changes nothing", async (store) => {
    await put(store, { id: "d", chunks: ["old one", "old two"] });
    const { record, chunks } = buildDocument({ id: "d", chunks: ["new one", "new two"] });
    const [first, second] = chunks;
    assert.ok(first && second);
    const broken = { ...second, chunk: { ...second.chunk, text: "no slice of the document" } };
    await assert.rejects(store.replaceDocument(record, [first, broken]), (error) =>
      isKonteksError(error, "wrong-option"),
    );
    assert.deepEqual(await find(store, "new"), []);
    assert.deepEqual(await find(store, "old"), ["d#0", "d#1"]);
    assert.equal((await store.getDocument("d"))?.document.text, "old one\nold two\n");
  }),

  storeCase("what was given is not changed", async (store) => {
    const { record, chunks } = buildDocument({ id: "d", chunks: [{ text: "a b", vectors: [[3, 4]] }] });
    const before = structuredClone({ record, chunks });
    await store.replaceDocument(record, chunks);
    const vector = Float32Array.of(3, 4);
    await store.searchVector({ vector, limit: 1 });
    assert.deepEqual({ record, chunks }, before);
    assert.deepEqual(vector, Float32Array.of(3, 4));
  }),

  storeCase("only one at a time works exclusively, and a failure frees the lock", async (store) => {
    const outer = store.exclusively("first", async () => {
      await assert.rejects(
        store.exclusively("second", async () => "never", { waitMs: 0 }),
        (error) => isKonteksError(error, "index-locked") && /first/.test(error.message),
      );
      throw new Error("work failed");
    });
    await assert.rejects(outer, /work failed/);
    assert.equal(await store.exclusively("third", async () => 3), 3);
  }),

  storeCase("a second one that waits gets its turn", async (store) => {
    const order: string[] = [];
    const first = store.exclusively("first", async () => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      order.push("first");
    });
    const second = store.exclusively("second", async () => void order.push("second"), { waitMs: 5_000 });
    await Promise.all([first, second]);
    assert.deepEqual(order, ["first", "second"]);
  }),

  storeCase("closing twice is fine; using a closed store is an error", async (store) => {
    await put(store, { id: "d", chunks: ["word"] });
    await store.close();
    await store.close();
    const uses: readonly (() => Promise<unknown>)[] = [
      () => store.readIdentity(),
      () => store.listDocuments(),
      () => store.getChunks(["d#0"]),
      () => store.searchText({ terms: words("word"), limit: 1 }),
      () => store.searchVector({ vector: Float32Array.of(1), limit: 1 }),
      () => store.deleteDocument("d"),
      () => store.writeSetting("a", "b"),
      () => store.counts(),
      () => store.languages(),
      () => store.exclusively("x", async () => 1),
    ];
    for (const use of uses) await assert.rejects(use(), (error) => isKonteksError(error, "closed"));
  }),
];

async function find(store: Store, text: string): Promise<string[]> {
  return idsOf(await store.searchText({ terms: words(text), limit: 20 }));
}
