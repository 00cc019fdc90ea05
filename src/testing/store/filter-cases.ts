import assert from "node:assert/strict";
import type { Filter } from "../../spec/index.ts";
import { type StoreCase, storeCase } from "./case.ts";
import { type DocumentDraft, words } from "./fixtures.ts";
import { oracleText, oracleVector } from "./oracle.ts";
import { assertRanked, COSINE_TOLERANCE, fill, idsOf } from "./search-cases.ts";

const LIBRARY: readonly DocumentDraft[] = [
  { id: "a", language: "en", metadata: { year: 2023, tags: ["red", "blue"], open: true, note: null } },
  { id: "b", language: "id", metadata: { year: 2024, tags: ["blue"], open: false, title: "hidden" } },
  { id: "c", uri: "https://x.example/c", metadata: { year: "2024", date: "2024-05-01", sizes: [1, 20] } },
  { id: "d/e", uri: "https://x.example/d/e", title: "Deep", metadata: { date: "2023-12-31" } },
  { id: "f", metadata: {} },
].map((draft, i) => ({
  ...draft,
  chunks: [{ text: `word ${"filler ".repeat(i)}`.trim(), vectors: [[1, i]] }],
}));

/** A filter and the documents that pass it. */
const FILTERS: readonly (readonly [Filter, readonly string[]])[] = [
  [{ field: "year", op: "eq", value: 2024 }, ["b"]],
  [{ field: "year", op: "eq", value: "2024" }, ["c"]],
  [{ field: "open", op: "eq", value: false }, ["b"]],
  [{ field: "note", op: "eq", value: null }, ["a"]],
  [{ field: "tags", op: "eq", value: "blue" }, ["a", "b"]],
  [{ field: "tags", op: "in", values: ["red", "green"] }, ["a"]],
  [{ field: "tags", op: "in", values: [] }, []],
  [{ field: "year", op: "in", values: [2023, "2024"] }, ["a", "c"]],
  [{ field: "year", op: "lt", value: 2024 }, ["a"]],
  [{ field: "year", op: "lte", value: 2024 }, ["a", "b"]],
  [{ field: "year", op: "gt", value: 2023 }, ["b"]],
  [{ field: "year", op: "gte", value: 2023 }, ["a", "b"]],
  [{ field: "sizes", op: "gt", value: 10 }, ["c"]],
  [{ field: "date", op: "gte", value: "2024-01-01" }, ["c"]],
  [{ field: "uri", op: "prefix", value: "https://x.example/" }, ["c", "d/e"]],
  [{ field: "documentId", op: "prefix", value: "d/" }, ["d/e"]],
  [{ field: "language", op: "eq", value: "en" }, ["a"]],
  [{ field: "title", op: "eq", value: "Deep" }, ["d/e"]],
  [{ field: "title", op: "eq", value: "hidden" }, []],
  [{ field: "toString", op: "eq", value: "x" }, []],
  [{ not: { field: "language", op: "eq", value: "en" } }, ["b", "c", "d/e", "f"]],
  [{ not: { field: "absent", op: "eq", value: null } }, ["a", "b", "c", "d/e", "f"]],
  [
    {
      and: [
        { field: "tags", op: "eq", value: "blue" },
        { field: "open", op: "eq", value: true },
      ],
    },
    ["a"],
  ],
  [
    {
      or: [
        { field: "year", op: "eq", value: 2023 },
        { field: "date", op: "lt", value: "2024" },
      ],
    },
    ["a", "d/e"],
  ],
  [{ and: [] }, ["a", "b", "c", "d/e", "f"]],
  [{ or: [] }, []],
];

/** Filters apply before ranking; nothing outside is ever returned. */
export const FILTER_CASES: readonly StoreCase[] = FILTERS.map(([filter, expected]) =>
  storeCase(`filter ${JSON.stringify(filter)}`, async (store) => {
    const documents = await fill(store, LIBRARY);
    const text = { terms: words("word"), limit: 10, filter };
    const vector = { vector: Float32Array.of(1, 0.5), limit: 10, filter };
    const byText = await store.searchText(text);
    const byVector = await store.searchVector(vector);
    const ids = expected.map((id) => `${id}#0`);
    assert.deepEqual(idsOf(byText).sort(), ids);
    assert.deepEqual(idsOf(byVector).sort(), ids);
    assertRanked(byText, oracleText(documents, text), 1e-9);
    assertRanked(byVector, oracleVector(documents, vector), COSINE_TOLERANCE);
    const [best] = await store.searchText({ ...text, limit: 1 });
    assert.equal(best?.chunkId, byText[0]?.chunkId);
  }),
);
