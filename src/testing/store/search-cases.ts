import assert from "node:assert/strict";
import { isKonteksError, type ScoredChunk, type Store } from "../../spec/index.ts";
import { type StoreCase, storeCase } from "./case.ts";
import { type BuiltDocument, buildDocument, type DocumentDraft, put, words } from "./fixtures.ts";
import { oracleText, oracleVector } from "./oracle.ts";

/** How far a cosine may be off, because vectors may be kept in fewer bits. */
export const COSINE_TOLERANCE = 0.005;

const FRUIT: readonly DocumentDraft[] = [
  { id: "apples", chunks: ["apple apple pear", { text: "pear", context: "apple trees" }, "plum"] },
  { id: "pears", chunks: ["pear pear pear pear", "quince apple pear plum and some more words"] },
  { id: "none", chunks: [] },
  { id: "plums", chunks: [{ text: "plum", context: "about plum and quince" }] },
];

/** Text search, vector search, order, empty stores. */
export const SEARCH_CASES: readonly StoreCase[] = [
  storeCase("an empty store finds nothing and has no NaN", async (store) => {
    assert.deepEqual(await store.searchText({ terms: words("a"), limit: 5 }), []);
    assert.deepEqual(await store.searchVector({ vector: Float32Array.of(1, 0), limit: 5 }), []);
    assert.deepEqual(await store.documentFrequencies(["a"]), { chunks: 0, frequencies: [0] });
    assert.equal((await store.counts()).documents, 0);
  }),

  storeCase("text scores are exact BM25F", async (store) => {
    const documents = await fill(store, FRUIT);
    const queries = [
      { terms: words("apple") },
      { terms: words("apple pear plum quince unknown") },
      { terms: words("plum plum") },
      {
        terms: [
          { term: "pear", weight: 0.5 },
          { term: "quince", weight: 3 },
        ],
      },
      { terms: words("apple plum"), bm25: { k1: 2 } },
      { terms: words("apple plum"), bm25: { k1: 0 } },
      { terms: words("apple plum"), bm25: { fields: { body: { weight: 2, b: 0.3 }, context: { b: 0 } } } },
      { terms: words("apple plum"), bm25: { fields: { context: {}, absent: { weight: 5 } } } },
      { terms: words("apple plum"), bm25: { documentWeight: 0.5 } },
      { terms: words("quince pear"), bm25: { documentWeight: 3, k1: 0.9, fields: { body: { b: 0.4 } } } },
    ];
    for (const query of queries) {
      const wanted = oracleText(documents, { ...query, limit: 10 });
      assert.ok(wanted.length > 0);
      assertRanked(await store.searchText({ ...query, limit: 10 }), wanted, 1e-9);
    }
  }),

  storeCase("a term of weight 0 is left out, and so is a field of weight 0", async (store) => {
    await fill(store, FRUIT);
    const terms = [
      { term: "apple", weight: 1 },
      { term: "plum", weight: 0 },
    ];
    const without = await store.searchText({ terms: words("apple"), limit: 10 });
    assert.deepEqual(await store.searchText({ terms, limit: 10 }), without);
    assert.deepEqual(await store.searchText({ terms: [{ term: "plum", weight: 0 }], limit: 10 }), []);
    const bm25 = { fields: { body: {}, context: { weight: 0 } } };
    const found = await store.searchText({ terms: words("apple"), limit: 10, bm25 });
    assert.deepEqual(found.map(({ chunkId }) => chunkId).sort(), ["apples#0", "pears#1"]);
  }),

  storeCase("phrases keep chunks that hold all of them, in text or context", async (store) => {
    const documents = await fill(store, FRUIT);
    const terms = words("apple pear plum and quince");
    const phrases: readonly (readonly string[])[][] = [
      [["apple", "pear"]],
      [["plum", "and"], ["quince"]],
      [["pear", "apple"]],
      [["pear", "pear", "pear"]],
      [["unknown"]],
      [],
    ];
    for (const asked of phrases) {
      const wanted = oracleText(documents, { terms, phrases: asked, limit: 10 });
      assertRanked(await store.searchText({ terms, phrases: asked, limit: 10 }), wanted, 1e-9);
      const [first] = await store.searchText({ terms, phrases: asked, limit: 1 });
      assert.equal(first?.chunkId, wanted[0]?.chunkId);
    }
  }),

  storeCase("document frequencies count chunks with the term in any field", async (store) => {
    await fill(store, FRUIT);
    const terms = ["apple", "quince", "unknown", "plum"];
    assert.deepEqual(await store.documentFrequencies(terms), { chunks: 6, frequencies: [3, 2, 0, 3] });
  }),

  storeCase(
    "ties are in order of document id, then ordinal, whatever the order of writing",
    async (store) => {
      const ids = ["b", "\uffee", "a10", "\u{1f600}", "a", "a2"];
      const chunks = [
        { text: "same words", vectors: [[1, 0]] },
        { text: "same words", vectors: [[1, 0]] },
      ];
      for (const id of ids) await put(store, { id, chunks });
      const expected = [...ids].sort().flatMap((id) => [`${id}#0`, `${id}#1`]);
      const text = await store.searchText({ terms: words("same words"), limit: 20 });
      const vector = await store.searchVector({ vector: Float32Array.of(2, 0), limit: 20 });
      assert.deepEqual(idsOf(text), expected);
      assert.deepEqual(idsOf(vector), expected);
      assert.deepEqual(
        idsOf(await store.searchText({ terms: words("same"), limit: 3 })),
        expected.slice(0, 3),
      );
    },
  ),

  storeCase("ordinals tie in order of number, not of their digits", async (store) => {
    await put(store, { id: "d", chunks: new Array<string>(12).fill("same") });
    const found = await store.searchText({ terms: words("same"), limit: 12 });
    assert.deepEqual(
      idsOf(found),
      Array.from({ length: 12 }, (_, i) => `d#${i}`),
    );
  }),

  storeCase("results for k are a prefix of the results for k + 1", async (store) => {
    for (let d = 0; d < 30; d++) {
      const chunks = Array.from({ length: 5 }, (_, i) => ({
        text: "x ".repeat((d * i) % 4).concat("y ".repeat((d + i) % 3), "z"),
        vectors: [[((d * 7 + i) % 5) - 2, 1]],
      }));
      await put(store, { id: `d${d}`, chunks });
    }
    const all = await store.searchText({ terms: words("x y"), limit: 1000 });
    const nearest = await store.searchVector({ vector: Float32Array.of(1, 1), limit: 1000 });
    assert.equal(nearest.length, 150);
    for (const limit of [0, 1, 2, 3, 10, 37, 99]) {
      assert.deepEqual(await store.searchText({ terms: words("x y"), limit }), all.slice(0, limit));
      const near = await store.searchVector({ vector: Float32Array.of(1, 1), limit });
      assert.deepEqual(near, nearest.slice(0, limit));
    }
  }),

  storeCase("a chunk scores as its nearest window; one without vectors is not found", async (store) => {
    const documents = await fill(store, [
      {
        id: "a",
        chunks: [
          {
            text: "windows",
            vectors: [
              [1, 0, 0],
              [0, 1, 0],
              [-1, 0, 0],
            ],
          },
          "no vector",
          { text: "far", vectors: [[0, 0, -1]] },
        ],
      },
      { id: "b", chunks: [{ text: "between", vectors: [[0.2, 0.7, 0.1]] }] },
    ]);
    for (const vector of [Float32Array.of(0, 2, 0), Float32Array.of(0.3, 0.1, 0.9)]) {
      const found = await store.searchVector({ vector, limit: 10 });
      assertRanked(found, oracleVector(documents, { vector, limit: 10 }), COSINE_TOLERANCE);
    }
    const [best] = await store.searchVector({ vector: Float32Array.of(0, 2, 0), limit: 1 });
    assert.equal(best?.chunkId, "a#0");
    assert.ok(Math.abs((best?.score ?? 0) - 1) < 0.002);
  }),

  storeCase("a zero vector scores 0, as document and as query", async (store) => {
    await put(store, {
      id: "z",
      chunks: [
        { text: "zero", vectors: [[0, 0]] },
        { text: "opposite", vectors: [[-1, 0]] },
      ],
    });
    const found = await store.searchVector({ vector: Float32Array.of(1, 0), limit: 5 });
    assert.deepEqual(idsOf(found), ["z#0", "z#1"]);
    assert.equal(found[0]?.score, 0);
    const zero = await store.searchVector({ vector: Float32Array.of(0, 0), limit: 5 });
    assert.deepEqual(zero, [
      { chunkId: "z#0", score: 0 },
      { chunkId: "z#1", score: 0 },
    ]);
  }),

  storeCase("vectors of other dimensions are refused and change nothing", async (store) => {
    await put(store, { id: "a", chunks: [{ text: "x", vectors: [[1, 0]] }] });
    await put(store, { id: "b", chunks: [{ text: "y", vectors: [[0, 1]] }] });
    const wrong = [[[1, 0, 0]], [[1, Number.NaN]], [[1, 0], [1]]];
    for (const vectors of wrong) {
      const write = put(store, { id: "a", chunks: [{ text: "new", vectors }] });
      await assert.rejects(write, (error) => isKonteksError(error, "wrong-option"));
    }
    assert.equal((await store.chunksOf("a"))[0]?.chunk.text, "x");
    assert.equal((await store.searchText({ terms: words("x"), limit: 5 })).length, 1);
    const search = store.searchVector({ vector: Float32Array.of(1, 0, 0), limit: 5 });
    await assert.rejects(search, (error) => isKonteksError(error, "wrong-option"));
  }),

  storeCase("terms and ids of any script are found", async (store) => {
    const terms = ["größe", "字", "\u{1f600}", "a\0b", "\uffee", "__proto__", "constructor"];
    for (const [i, term] of terms.entries())
      await put(store, { id: `dir ${term.replace("\0", "")}/${i}#x`, chunks: [term] });
    for (const [i, term] of terms.entries()) {
      const found = await store.searchText({ terms: [{ term, weight: 1 }], limit: 5 });
      assert.deepEqual(idsOf(found), [`dir ${term.replace("\0", "")}/${i}#x#0`]);
      const [chunk] = await store.getChunks(idsOf(found));
      assert.equal(chunk?.chunk.text, term);
    }
  }),
];

/** Equal ids in equal order, scores within `tolerance`. */
export function assertRanked(
  actual: readonly ScoredChunk[],
  expected: readonly ScoredChunk[],
  tolerance: number,
): void {
  assert.deepEqual(idsOf(actual), idsOf(expected));
  for (const [i, { score }] of actual.entries()) {
    const wanted = expected[i]?.score ?? Number.NaN;
    assert.ok(Math.abs(score - wanted) <= tolerance, `score ${score} at ${i}, expected ${wanted}`);
  }
}

export function idsOf(found: readonly ScoredChunk[]): string[] {
  return found.map(({ chunkId }) => chunkId);
}

export async function fill(store: Store, drafts: readonly DocumentDraft[]): Promise<BuiltDocument[]> {
  const documents = drafts.map(buildDocument);
  for (const { record, chunks } of documents) await store.replaceDocument(record, chunks);
  return documents;
}
