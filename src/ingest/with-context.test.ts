import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createLexicalEmbedder } from "../models/lexical/index.ts";
import type { Chunk, Context, Embedder, IndexIdentity, Store } from "../spec/index.ts";
import { openSqliteContextStore, openSqliteStore } from "../stores/sqlite/index.ts";
import { embedChunks } from "./embed-chunks.ts";
import { withContext } from "./with-context.ts";
import { writeDocument } from "./write.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-with-context-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const embedder = createLexicalEmbedder();
const identity: IndexIdentity = {
  chunker: "c",
  contextualizer: "c",
  analyzer: "a",
  embedding: embedder.id,
  dimensions: embedder.dimensions ?? 0,
};
const WORDS = "rent deposit garden lease tenant window heating invoice".split(" ");
const QUERY = ["garden", "invoice", "balcony"].map((term) => ({ term, weight: 1 }));

const LINE = 64;

function chunksOf(document: number): readonly Chunk[] {
  return [0, 1, 2].map((ordinal) => {
    const words = WORDS.filter((_, i) => (i * 7 + document * 3 + ordinal) % 4 < 2).join(" ");
    return {
      id: `d${document}#${ordinal}`,
      documentId: `d${document}`,
      ordinal,
      start: ordinal * LINE,
      end: (ordinal + 1) * LINE,
      text: words.padEnd(LINE),
      headings: [],
      lines: [1, 1],
      tokens: 9,
    };
  });
}

async function fill(name: string, contextOf: (id: string) => Context): Promise<Store> {
  const store = await openSqliteStore({ path: join(folder, `${name}.sqlite`) });
  for (let d = 0; d < 6; d++) {
    const chunks = chunksOf(d);
    const contexts = chunks.map(({ id }) => contextOf(id));
    const document = {
      id: `d${d}`,
      text: chunks.map((chunk) => chunk.text).join(""),
      title: `Lease ${d}`,
      uri: "",
      format: "text",
      language: "en",
    } as const;
    const whole = { ...document, metadata: {}, outline: [], blocks: [] };
    const { vectors } = await embedChunks(whole, chunks, contexts, { embedder });
    await writeDocument(
      { store },
      { document: whole, chunks, contexts, vectors, contentHash: "h", source: "api", failures: {} },
    );
  }
  return store;
}

/** Everything that a search reads. */
async function state(store: Store) {
  const vector = await embedder.embedQuery("a balcony with a garden");
  const bm25 = { fields: { title: {}, context: {}, body: {} }, documentWeight: 0.5 };
  return {
    text: await store.searchText({ terms: QUERY, limit: 100, bm25 }),
    vector: await store.searchVector({ vector, limit: 100 }),
    frequencies: await store.documentFrequencies(QUERY.map(({ term }) => term)),
  };
}

const structural: Context = { kind: "structural", text: "From a lease." };
const contexts = await openSqliteContextStore({ path: join(folder, "contexts.sqlite") });
const place = { documentId: "d2", id: "d2#1" };

test("what a chunk would score with more in its context is what it scores once that is written", async () => {
  const store = await fill("before", () => structural);
  const before = await state(store);
  const parts = { store, contextStore: contexts, embedder, identity };
  const tried = await withContext(parts, place, "balcony, garden", state);
  const text = `${structural.text}\nbalcony, garden`;
  const after = await fill("after", (id) => (id === place.id ? { ...structural, text } : structural));
  expect(tried).toEqual(await state(after));
  expect(tried).not.toEqual(before);
  expect(await state(store)).toEqual(before);
  await store.close();
  await after.close();
});

test("an index that is only read can be tried with as well", async () => {
  const store = await openSqliteStore({ path: join(folder, "before.sqlite"), readOnly: true });
  const parts = { store, contextStore: contexts, embedder, identity };
  const found = await withContext(parts, place, "balcony", (copy) => copy.documentFrequencies(["balcony"]));
  expect(found).toEqual({ chunks: 18, frequencies: [1] });
  await store.close();
});

test("nothing is tried where vectors are the user's own, or would be paid for again", async () => {
  const store = await openSqliteStore({ path: join(folder, "before.sqlite") });
  const ran = async () => "ran";
  const given = { ...identity, embedding: "given" };
  const base = { store, contextStore: contexts, embedder, identity };
  expect(await withContext({ ...base, identity: given }, place, "balcony", ran)).toBeUndefined();
  let asked = 0;
  const hosted: Embedder = {
    ...embedder,
    id: "a:model",
    kind: "hosted",
    cached: true,
    embedDocuments: async (texts) => {
      asked += texts.length;
      return embedder.embedDocuments(texts);
    },
  };
  const paid = { ...base, embedder: hosted };
  expect(await withContext(paid, place, "balcony", ran)).toBeUndefined();
  expect(asked).toBe(0);
  await embedChunks({ title: "" }, chunksOf(2), [structural, structural, structural], {
    embedder: hosted,
    contextStore: contexts,
  });
  expect(await withContext(paid, place, "balcony", ran)).toBe("ran");
  expect(asked).toBe(4);
  await store.close();
});
