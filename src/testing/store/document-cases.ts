import assert from "node:assert/strict";
import { isKonteksError } from "../../spec/index.ts";
import { type StoreCase, storeCase } from "./case.ts";
import { buildDocument, put, words } from "./fixtures.ts";

const NOTES = {
  id: "notes/a.md",
  title: "Notes",
  language: "en",
  metadata: { year: 2024, tags: ["x", "y"], draft: false, nothing: null },
  warnings: ["decoded by guess"],
  failures: { "notes/a.md#1": "model failed" },
  chunks: [
    { text: "first chunk", context: "from the notes", kind: "llm" as const, vectors: [[1, 0]] },
    {
      text: "second chunk",
      context: "in part two",
      vectors: [
        [0, 1],
        [1, 1],
      ],
    },
    "third chunk",
  ],
};

/** Documents, chunks, identity, settings, counts. */
export const DOCUMENT_CASES: readonly StoreCase[] = [
  storeCase("a document comes back as it was written", async (store) => {
    const { record } = buildDocument(NOTES);
    await put(store, NOTES);
    assert.deepEqual(await store.getDocument(NOTES.id), record);
    assert.equal(await store.getDocument("unknown"), undefined);
  }),

  storeCase("chunks come back as they were written, with what a hit shows", async (store) => {
    const { chunks } = buildDocument(NOTES);
    await put(store, NOTES);
    const shown = { title: "Notes", uri: "file:///notes/a.md", language: "en", metadata: NOTES.metadata };
    const expected = chunks.map(({ chunk, context }) => ({ chunk, context, ...shown }));
    assert.deepEqual(await store.chunksOf(NOTES.id), expected);
    assert.deepEqual(await store.chunksOf("unknown"), []);
  }),

  storeCase("optional facts of a chunk come back", async (store) => {
    const { record, chunks } = buildDocument({ id: "p", chunks: ["a b"] });
    const [first] = chunks;
    assert.ok(first);
    const chunk = { ...first.chunk, pages: [2, 3] as const, repeated: "| head |" };
    const context = { kind: "llm" as const, text: "written", model: "some:model" };
    await store.replaceDocument(record, [{ ...first, chunk, context }]);
    const [back] = await store.chunksOf("p");
    assert.deepEqual(back?.chunk, chunk);
    assert.deepEqual(back?.context, context);
    assert.equal(back && "language" in back, false);
  }),

  storeCase("getChunks keeps the order asked for and leaves unknown ids out", async (store) => {
    await put(store, NOTES);
    await put(store, { id: "b#1", chunks: ["other"] });
    const ids = ["b#1#0", "notes/a.md#2", "notes/a.md#7", "nowhere#0", "nonsense", "", "notes/a.md#0"];
    const found = await store.getChunks(ids);
    assert.deepEqual(
      found.map(({ chunk }) => chunk.id),
      ["b#1#0", "notes/a.md#2", "notes/a.md#0"],
    );
    assert.deepEqual(
      found.map(({ chunk }) => chunk.text),
      ["other", "third chunk", "first chunk"],
    );
  }),

  storeCase("documents are listed by id in code units", async (store) => {
    const ids = ["b", "\u{1f600}", "a", "\uffee", "B", "é"];
    for (const id of ids) await put(store, { id, chunks: ["x"] });
    const listed = (await store.listDocuments()).map(({ id }) => id);
    assert.deepEqual(listed, ["B", "a", "b", "é", "\u{1f600}", "\uffee"]);
  }),

  storeCase("a summary counts chunks, characters and failures, and keeps warnings", async (store) => {
    await put(store, NOTES);
    const { record } = buildDocument(NOTES);
    assert.deepEqual(await store.listDocuments(), [
      {
        id: NOTES.id,
        title: "Notes",
        uri: "file:///notes/a.md",
        language: "en",
        metadata: NOTES.metadata,
        chunks: 3,
        characters: record.document.text.length,
        contentHash: record.contentHash,
        indexedAt: record.indexedAt,
        source: "api",
        failures: 1,
        pending: 0,
        warnings: ["decoded by guess"],
      },
    ]);
  }),

  storeCase("counts add up over all documents", async (store) => {
    await put(store, NOTES);
    await put(store, { id: "other", chunks: ["one", { text: "two", context: "c", vectors: [[1, 0]] }] });
    const { bytes, ...counts } = await store.counts();
    assert.deepEqual(counts, {
      documents: 2,
      chunks: 5,
      vectors: 4,
      contexts: { llm: 1, structural: 2, none: 2 },
      failures: 1,
      pending: 0,
    });
    assert.ok(bytes > 0);
  }),

  storeCase("languages are named once each, sorted", async (store) => {
    assert.deepEqual(await store.languages(), []);
    await put(store, { id: "1", language: "vi", chunks: ["x"] });
    await put(store, { id: "2", language: "en", chunks: ["x"] });
    await put(store, { id: "3", language: "vi", chunks: ["x"] });
    await put(store, { id: "4", chunks: ["x"] });
    assert.deepEqual(await store.languages(), ["en", "vi"]);
    await store.deleteDocument("2");
    assert.deepEqual(await store.languages(), ["vi"]);
  }),

  storeCase("updateRecord changes what is remembered and leaves the chunks", async (store) => {
    await put(store, NOTES);
    const { record } = buildDocument({
      ...NOTES,
      title: "Renamed",
      language: "id",
      failures: {},
      metadata: { year: 1 },
    });
    await store.updateRecord({ ...record, contentHash: "new" });
    assert.deepEqual(await store.getDocument(NOTES.id), { ...record, contentHash: "new" });
    assert.equal((await store.chunksOf(NOTES.id))[0]?.title, "Renamed");
    assert.deepEqual(await store.languages(), ["id"]);
    assert.equal((await store.counts()).failures, 0);
    const filter = { field: "year", op: "eq", value: 1 } as const;
    assert.equal((await store.searchText({ terms: words("second"), limit: 5, filter })).length, 1);
  }),

  storeCase("updateRecord refuses an unknown document and another text", async (store) => {
    const { record } = buildDocument(NOTES);
    await assert.rejects(store.updateRecord(record), (error) => isKonteksError(error, "not-found"));
    await put(store, NOTES);
    const changed = { ...record, document: { ...record.document, text: "short" } };
    await assert.rejects(store.updateRecord(changed), (error) => isKonteksError(error, "wrong-option"));
  }),

  storeCase("a document without chunks is remembered", async (store) => {
    await put(store, { id: "empty", chunks: [] });
    assert.equal((await store.listDocuments())[0]?.chunks, 0);
    assert.deepEqual(await store.chunksOf("empty"), []);
    assert.equal(await store.deleteDocument("empty"), true);
  }),

  storeCase("any text comes back unit by unit", async (store) => {
    const filler = "\u{1f600}é字\0".repeat(6_000);
    for (const text of [`x${filler}`, filler, "half \ud800 of a pair", "\ufeffmark", "a\r\nb\u2028c"]) {
      await put(store, { id: "text", chunks: ["before", text, "after"] });
      const back = await store.chunksOf("text");
      assert.deepEqual(
        back.map(({ chunk }) => chunk.text),
        ["before", text, "after"],
      );
      assert.equal((await store.getDocument("text"))?.document.text, `before\n${text}\nafter\n`);
    }
  }),

  storeCase("the identity is kept, and refuses to change under chunks", async (store) => {
    const identity = {
      chunker: "c1",
      contextualizer: "x1",
      analyzer: "a1",
      embedding: "e1",
      dimensions: 0,
    };
    assert.equal(await store.readIdentity(), undefined);
    await store.writeIdentity({ ...identity, embedding: "first thought" });
    await store.writeIdentity(identity);
    await put(store, { id: "a", chunks: ["x"] });
    await store.writeIdentity({ ...identity, dimensions: 2 });
    assert.deepEqual(await store.readIdentity(), { ...identity, dimensions: 2 });
    for (const other of [{ embedding: "e2" }, { chunker: "c2" }, { dimensions: 3 }]) {
      await assert.rejects(store.writeIdentity({ ...identity, dimensions: 2, ...other }), (error) =>
        isKonteksError(error, "identity-mismatch"),
      );
    }
    assert.deepEqual(await store.readIdentity(), { ...identity, dimensions: 2 });
  }),

  storeCase("settings are kept by key", async (store) => {
    assert.equal(await store.readSetting("a"), undefined);
    await store.writeSetting("a", "1");
    await store.writeSetting("identity", "not the identity");
    await store.writeSetting("a", '{"x":"\u{1f600}"}');
    assert.equal(await store.readSetting("a"), '{"x":"\u{1f600}"}');
    assert.equal(await store.readIdentity(), undefined);
  }),

  storeCase("clear removes documents, identity and settings", async (store) => {
    await put(store, NOTES);
    await store.writeSetting("a", "1");
    await store.clear();
    assert.deepEqual(await store.listDocuments(), []);
    assert.equal(await store.readSetting("a"), undefined);
    assert.equal((await store.counts()).chunks, 0);
    assert.deepEqual(await store.searchText({ terms: words("chunk"), limit: 5 }), []);
    await put(store, { ...NOTES, chunks: [{ text: "chunk", vectors: [[1, 2, 3]] }] });
    assert.equal((await store.searchText({ terms: words("chunk"), limit: 5 })).length, 1);
  }),
];
