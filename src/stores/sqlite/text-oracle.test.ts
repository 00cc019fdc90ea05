import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../eval/random.ts";
import type { IndexedChunk, Store } from "../../spec/index.ts";
import { buildDocument, type DocumentDraft } from "../../testing/store/fixtures.ts";
import { openSqliteStore } from "./index.ts";
import { exhaustive, holds, ranked } from "./text-oracle.fixture.ts";

/**
 * Search against a scorer that walks over every chunk and knows nothing of lists, blocks and bounds. Documents of one to
 * hundreds of chunks, some written twice, some deleted: several segments, with dead chunks in them.
 */
const folder = mkdtempSync(join(tmpdir(), "konteks-oracle-"));
const documents = new Map<string, readonly IndexedChunk[]>();
let store: Store;

const random = seededRandom(11);
const word = () => `w${Math.floor(60 * random() ** 3)}`;
const text = (most: number) => Array.from({ length: 1 + Math.floor(most * random()) }, word).join(" ");

function draft(id: string, chunks: number): DocumentDraft {
  const drafts = Array.from({ length: chunks }, (_, i) => ({
    text: i % 5 === 0 ? "w0 w1 w2" : text(14),
    context: i % 3 === 0 ? "" : text(5),
  }));
  return { id, chunks: drafts, metadata: { n: Number(id.slice(1)) } };
}

async function write(id: string, chunks: number): Promise<void> {
  const { record, chunks: indexed } = buildDocument(draft(id, chunks));
  await store.replaceDocument(record, indexed);
  documents.set(id, indexed);
}

beforeAll(async () => {
  store = await openSqliteStore({ path: join(folder, "index.sqlite") });
  for (let i = 0; i < 60; i++) await write(`d${i}`, 1 + Math.floor(140 * random() ** 2));
  await write("d7", 300);
  await write("d8", 2);
  for (const id of ["d3", "d30", "d59"]) {
    await store.deleteDocument(id);
    documents.delete(id);
  }
}, 60_000);

afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const RULES = {
  k1: 1.2,
  fields: { context: { weight: 1, b: 0.75 }, body: { weight: 1, b: 0.75 } },
};

test("the same chunks with the same scores as a scorer that leaves nothing out", {
  timeout: 120_000,
}, async () => {
  const query = fc.record({
    terms: fc.uniqueArray(
      fc.record({
        term: fc.nat(62).map((n) => `w${n}`),
        weight: fc.constantFrom(0.03, 0.3, 0.8, 1),
      }),
      { minLength: 1, maxLength: 8, selector: ({ term }) => term },
    ),
    limit: fc.constantFrom(1, 3, 20, 100),
    documentWeight: fc.constantFrom(0, 0.5),
    group: fc.option(fc.constantFrom(2, 5, 30), { nil: undefined }),
    phrases: fc.constantFrom<readonly (readonly string[])[]>([], [], [["w1"]], [["w4"], ["w0"]], [["w61"]]),
  });
  await fc.assert(
    fc.asyncProperty(query, async ({ terms, limit, documentWeight, group, phrases }) => {
      const filter = group && ({ field: "n", op: "lt", value: group } as const);
      const found = await store.searchText({
        terms,
        limit,
        bm25: { documentWeight },
        phrases,
        ...(filter && { filter }),
      });
      const scores = exhaustive(documents, terms, { ...RULES, documentWeight });
      for (const chunk of [...documents.values()].flat()) {
        const { id } = chunk.chunk;
        const outside = group !== undefined && Number(/\d+/.exec(id)?.[0]) >= group;
        if (outside || phrases.some(([term = ""]) => !holds(chunk, term))) scores.delete(id);
      }
      expect(found).toEqual(ranked(scores, limit));
    }),
    { numRuns: 40 },
  );
});
