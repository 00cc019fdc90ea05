import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../eval/random.ts";
import type { IndexedChunk, QueryTerm, ScoredChunk, Store } from "../../spec/index.ts";
import { buildDocument, type DocumentDraft } from "../../testing/store/fixtures.ts";
import { idf, normalisedFrequency, saturate } from "../../text/bm25.ts";
import { openSqliteStore } from "./index.ts";

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

const FIELDS = ["context", "body"] as const;
const OPTIONS = { weight: 1, b: 0.75 };
const K1 = 1.2;
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
const tfOf = ({ fields }: IndexedChunk, field: string, term: string) => fields[field]?.terms.get(term) ?? 0;
const lengthOf = ({ fields }: IndexedChunk, field: string) => fields[field]?.length ?? 0;
const holds = (chunk: IndexedChunk, term: string) => FIELDS.some((field) => tfOf(chunk, field, term) > 0);

/** Every chunk's score, by the formula of `text/bm25.ts`. */
function exhaustive(terms: readonly QueryTerm[], documentWeight: number): Map<string, number> {
  const every = [...documents.values()];
  const all = every.flat();
  const totals = FIELDS.map((field) => sum(all.map((chunk) => lengthOf(chunk, field))));
  const asked = terms.map(({ term, weight }) => ({
    term,
    weight: weight * idf(all.length, all.filter((chunk) => holds(chunk, term)).length),
    among: weight * idf(every.length, every.filter((one) => one.some((chunk) => holds(chunk, term))).length),
  }));
  const scores = new Map<string, number>();
  for (const chunks of every) {
    const ofDocument = sum(
      asked.map(
        ({ term, among }) => documentWeight * among * gainOfDocument(chunks, term, totals, all.length),
      ),
    );
    for (const chunk of chunks) {
      const own = sum(asked.map(({ term, weight }) => weight * gainOfChunk(chunk, term, totals, all.length)));
      if (own > 0) scores.set(chunk.chunk.id, own + ofDocument);
    }
  }
  return scores;
}

function gainOfChunk(chunk: IndexedChunk, term: string, totals: readonly number[], all: number): number {
  const tfn = FIELDS.map((field, i) =>
    normalisedFrequency(tfOf(chunk, field, term), lengthOf(chunk, field), (totals[i] ?? 0) / all, OPTIONS),
  );
  return saturate(sum(tfn), K1);
}

function gainOfDocument(
  chunks: readonly IndexedChunk[],
  term: string,
  totals: readonly number[],
  all: number,
): number {
  const tfn = FIELDS.map((field, i) => {
    // The context stands with every chunk: a document has the mean of it.
    const repeated = field === "context";
    const over = repeated ? chunks.length : 1;
    const average = (totals[i] ?? 0) / (repeated ? all : documents.size);
    const tf = sum(chunks.map((chunk) => tfOf(chunk, field, term))) / over;
    return normalisedFrequency(tf, sum(chunks.map((c) => lengthOf(c, field))) / over, average, OPTIONS);
  });
  return saturate(sum(tfn), K1);
}

function ranked(scores: ReadonlyMap<string, number>, limit: number): ScoredChunk[] {
  const place = (id: string) =>
    [id.slice(0, id.indexOf("#")), Number(id.slice(id.indexOf("#") + 1))] as const;
  return [...scores]
    .map(([chunkId, score]) => ({ chunkId, score }))
    .sort((a, b) => {
      const [[first, i], [second, j]] = [place(a.chunkId), place(b.chunkId)];
      return b.score - a.score || (first < second ? -1 : first > second ? 1 : i - j);
    })
    .slice(0, limit);
}

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
      const scores = exhaustive(terms, documentWeight);
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
