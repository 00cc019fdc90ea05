import assert from "node:assert/strict";
import { isKonteksError, type LateVectors, type Store } from "../../spec/index.ts";
import { type StoreCase, storeCase } from "./case.ts";
import { buildDocument, put, words } from "./fixtures.ts";
import { idsOf } from "./search-cases.ts";

const INDEXED_AT = buildDocument({ id: "any", chunks: [] }).record.indexedAt;

/** Vectors that come after their document. */
export const LATE_CASES: readonly StoreCase[] = [
  storeCase(
    "pending chunks are found by text at once, and by vector once their vectors come",
    async (store) => {
      await put(store, { id: "d", chunks: ["word a", "word b"], pending: { chunks: [0, 1] } });
      assert.deepEqual(await find(store, "word"), ["d#0", "d#1"]);
      assert.deepEqual(await nearest(store), []);
      assert.deepEqual(await store.pendingVectors(["d#1", "d#7", "none#0"]), { chunks: 2, ids: ["d#1"] });
      assert.equal(await store.writeVectors(late("d", [[1, [[1, 0]]]])), true);
      assert.deepEqual(await nearest(store), ["d#1"]);
      assert.deepEqual((await store.getDocument("d"))?.pending, { chunks: [0] });
      const windows: [number, number[][]] = [
        0,
        [
          [0, 1],
          [1, 0.1],
        ],
      ];
      assert.equal(await store.writeVectors(late("d", [windows])), true);
      assert.deepEqual(await nearest(store), ["d#1", "d#0"]);
      assert.equal("pending" in ((await store.getDocument("d")) ?? {}), false);
      assert.deepEqual(await store.pendingVectors(["d#0", "d#1"]), { chunks: 0, ids: [] });
      assert.deepEqual(await find(store, "word"), ["d#0", "d#1"]);
      const { vectors, pending } = await store.counts();
      assert.deepEqual({ vectors, pending }, { vectors: 3, pending: 0 });
    },
  ),

  storeCase(
    "late vectors beside some that were there give the scores of all written at once",
    async (store) => {
      const chunks = [
        [1, 0],
        [0.6, 0.8],
        [0, 1],
        [-1, 0.2],
      ].map((vector, i) => ({ text: `c${i}`, vectors: [vector] }));
      await put(store, { id: "whole", chunks });
      const some = chunks.map((chunk, i) => (i % 2 === 0 ? { ...chunk, vectors: [] } : chunk));
      await put(store, { id: "late", chunks: some, pending: { chunks: [0, 2] } });
      await nearest(store);
      await store.writeVectors(
        late("late", [
          [2, [[0, 1]]],
          [0, [[1, 0]]],
        ]),
      );
      const found = await store.searchVector({ vector: Float32Array.of(0.9, 0.3), limit: 9 });
      const of = (id: string) =>
        found
          .filter(({ chunkId }) => chunkId.startsWith(id))
          .map(({ chunkId, score }) => [chunkId.slice(-1), score]);
      assert.equal(found.length, 8);
      assert.deepEqual(of("late"), of("whole"));
    },
  ),

  storeCase("why vectors are missing is kept, told, and gone with the vectors", async (store) => {
    await put(store, { id: "d", chunks: ["a", "b"], pending: { chunks: [0, 1] } });
    const reason = "the provider \0 is \ud800 down";
    await store.writeVectors({ ...late("d", [[0, [[1, 0]]]]), reason });
    assert.deepEqual((await store.getDocument("d"))?.pending, { chunks: [1], reason });
    const [summary] = await store.listDocuments();
    assert.deepEqual([summary?.pending, summary?.pendingReason, summary?.failures], [1, reason, 0]);
    const record = (await store.getDocument("d")) as LateRecord;
    await store.updateRecord({ ...record, contentHash: "new" });
    assert.deepEqual((await store.getDocument("d"))?.pending, { chunks: [1], reason });
    await store.writeVectors(late("d", [[1, [[1, 0]]]]));
    const [after] = await store.listDocuments();
    assert.deepEqual([after?.pending, after?.pendingReason], [0, undefined]);
  }),

  storeCase(
    "vectors of an older write, of no document, or of chunks that have theirs change nothing",
    async (store) => {
      await put(store, {
        id: "d",
        chunks: [{ text: "a", vectors: [[1, 0]] }, "b"],
        pending: { chunks: [1] },
      });
      assert.equal(await store.writeVectors(late("e", [[1, [[0, 1]]]])), false);
      const older = { ...late("d", [[1, [[0, 1]]]]), indexedAt: "2020-01-01T00:00:00.000Z" };
      assert.equal(await store.writeVectors(older), false);
      assert.equal(
        await store.writeVectors(
          late("d", [
            [0, [[0, 1]]],
            [9, [[0, 1]]],
          ]),
        ),
        true,
      );
      const [hit, ...others] = await store.searchVector({ vector: Float32Array.of(1, 0), limit: 9 });
      assert.ok(hit && hit.chunkId === "d#0" && hit.score > 0.99);
      assert.deepEqual(others, []);
      assert.deepEqual((await store.getDocument("d"))?.pending, { chunks: [1] });
    },
  ),

  storeCase("late vectors of other dimensions are refused, and nothing is changed", async (store) => {
    await put(store, { id: "d", chunks: [{ text: "a", vectors: [[1, 0]] }, "b"], pending: { chunks: [1] } });
    await assert.rejects(store.writeVectors(late("d", [[1, [[1, 0, 0]]]])), (error) =>
      isKonteksError(error, "wrong-option"),
    );
    assert.equal((await store.pendingVectors([])).chunks, 1);
  }),

  storeCase("replacing, deleting and clearing take what was pending with them", async (store) => {
    const pending = { chunks: [0] };
    for (const id of ["c", "d", "e"]) await put(store, { id, chunks: ["a"], pending });
    await put(store, { id: "c", chunks: [{ text: "a", vectors: [[1, 0]] }], pending });
    assert.equal((await store.pendingVectors([])).chunks, 2);
    await store.deleteDocument("d");
    assert.equal((await store.pendingVectors([])).chunks, 1);
    await store.clear();
    assert.equal((await store.pendingVectors([])).chunks, 0);
  }),
];

type LateRecord = NonNullable<Awaited<ReturnType<Store["getDocument"]>>>;

export function late(documentId: string, vectors: readonly (readonly [number, number[][]])[]): LateVectors {
  return {
    documentId,
    indexedAt: INDEXED_AT,
    vectors: new Map(
      vectors.map(([ordinal, windows]) => [ordinal, windows.map((one) => Float32Array.from(one))]),
    ),
  };
}

async function find(store: Store, text: string): Promise<string[]> {
  return idsOf(await store.searchText({ terms: words(text), limit: 20 }));
}

async function nearest(store: Store): Promise<string[]> {
  return idsOf(await store.searchVector({ vector: Float32Array.of(1, 0), limit: 20 }));
}
