import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { Filter, Store } from "../../spec/index.ts";
import { type BuiltDocument, buildDocument, type DocumentDraft } from "../../testing/store/fixtures.ts";
import { oracleFrequency, oracleText, oracleVector } from "../../testing/store/oracle.ts";
import { openSqliteStore } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-history-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const freshPath = () => join(folder, `${files++}.sqlite`);

const WORDS = ["a", "b", "c", "dd", "e", "\u{1f600}", "\uffee"];
const word = fc.constantFrom(...WORDS);
const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((list) => list.join(" "));
const component = fc.constantFrom(-1, -0.4, 0, 0.3, 1);
const vector = fc.tuple(component, component, component);
const chunk = fc.record({
  text,
  context: fc.oneof(fc.constant(""), text),
  vectors: fc.array(vector, { maxLength: 2 }),
});
const draft: fc.Arbitrary<DocumentDraft> = fc.record({
  id: fc.constantFrom("d1", "d2", "d10", "\u{1f600}", "\uffee", "x#1"),
  chunks: fc.array(chunk, { maxLength: 4 }),
  metadata: fc.record({ n: fc.integer({ min: 0, max: 3 }), tags: fc.subarray(["r", "g"]) }),
});
const step = fc.oneof(
  { weight: 5, arbitrary: draft.map((document) => ({ kind: "put" as const, document })) },
  { weight: 2, arbitrary: draft.map((document) => ({ kind: "put late" as const, document })) },
  { weight: 2, arbitrary: fc.nat().map((seed) => ({ kind: "vectors" as const, seed })) },
  { weight: 2, arbitrary: draft.map(({ id }) => ({ kind: "delete" as const, id })) },
  { weight: 1, arbitrary: fc.constant({ kind: "reopen" as const }) },
);

const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({
    field: fc.constant("n"),
    op: fc.constantFrom("lt", "gte"),
    value: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({ field: fc.constant("tags"), op: fc.constant("eq"), value: fc.constantFrom("r", "g") }),
  fc.record({ field: fc.constant("n"), op: fc.constant("in"), values: fc.subarray([0, 1, 2, 3]) }),
  fc.record({
    field: fc.constant("documentId"),
    op: fc.constant("prefix"),
    value: fc.constantFrom("d", "d1"),
  }),
);
const filter: fc.Arbitrary<Filter> = fc.oneof(
  leaf,
  leaf.map((not) => ({ not })),
  fc.record({ and: fc.array(leaf, { maxLength: 2 }) }),
  fc.record({ or: fc.array(leaf, { maxLength: 2 }) }),
);
const query = fc.record({
  terms: fc.array(fc.record({ term: word, weight: fc.constantFrom(0, 0.5, 1, 2) }), {
    minLength: 1,
    maxLength: 4,
  }),
  vector: vector.map((list) => Float32Array.from(list)),
  limit: fc.integer({ min: 1, max: 12 }),
  documentWeight: fc.constantFrom(0, 0, 0.5, 3),
  phrases: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 2 }), {
        maxLength: 2,
      }),
    },
  ),
  filter: fc.option(filter, { nil: undefined }),
});

test("after any history, scores equal those of a fresh index and of an exhaustive scorer", {
  timeout: 120_000,
}, async () => {
  const histories = fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 40 }),
    queries: fc.array(query, { minLength: 1, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(histories, async ({ steps, queries }) => {
      const { store, watcher, documents } = await replay(steps);
      const fresh = await openSqliteStore({ path: freshPath() });
      for (const { record, chunks } of documents) await fresh.replaceDocument(record, chunks);
      for (const { filter: chosen, limit, terms, vector: near, documentWeight, phrases } of queries) {
        const base = { limit, ...(chosen && { filter: chosen }) };
        const asked = { ...base, terms, phrases, bm25: { documentWeight } };
        const byText = await store.searchText(asked);
        expect(byText).toEqual(await fresh.searchText(asked));
        expect(byText).toEqual(await watcher.searchText(asked));
        const wanted = oracleText(documents, { ...asked, limit: 1_000 });
        expect(byText).toHaveLength(Math.min(limit, wanted.length));
        expectScores(byText, wanted, 1e-9);
        const byVector = await store.searchVector({ ...base, vector: near });
        expect(byVector).toEqual(await fresh.searchVector({ ...base, vector: near }));
        expect(byVector).toEqual(await watcher.searchVector({ ...base, vector: near }));
        expectScores(byVector, oracleVector(documents, { ...base, limit: 1_000, vector: near }), 0.005);
      }
      const frequencies = WORDS.map((term) => oracleFrequency(documents, term));
      expect((await store.documentFrequencies(WORDS)).frequencies).toEqual(frequencies);
      const counts = await store.counts();
      expect({ ...(await fresh.counts()), bytes: 0 }).toEqual({ ...counts, bytes: 0 });
      await Promise.all([store.close(), fresh.close(), watcher.close()]);
    }),
    { numRuns: 30 },
  );
});

/** Both order and scores, where near ties may stand either way round within the tolerance. */
function expectScores(
  actual: readonly { chunkId: string; score: number }[],
  expected: readonly { chunkId: string; score: number }[],
  tolerance: number,
): void {
  const scores = new Map(expected.map(({ chunkId, score }) => [chunkId, score]));
  for (const [i, { chunkId, score }] of actual.entries()) {
    expect(Math.abs(score - (scores.get(chunkId) ?? Number.NaN))).toBeLessThanOrEqual(tolerance);
    expect(Math.abs(score - (expected[i]?.score ?? Number.NaN))).toBeLessThanOrEqual(tolerance);
  }
}

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The watcher reads now and then while the others write, as another process would. */
async function replay(
  steps: readonly Step[],
): Promise<{ store: Store; watcher: Store; documents: BuiltDocument[] }> {
  const path = freshPath();
  const present = new Map<string, BuiltDocument>();
  const waiting = new Map<string, number[]>();
  let store = await openSqliteStore({ path });
  const watcher = await openSqliteStore({ path, readOnly: true });
  for (const [i, one] of steps.entries()) {
    if (one.kind === "put" || one.kind === "put late") {
      const built = buildDocument(one.document);
      const { id } = one.document;
      const late =
        one.kind === "put" ? [] : built.chunks.flatMap(({ vectors }, n) => (vectors.length > 0 ? [n] : []));
      await store.replaceDocument(
        { ...built.record, ...(late.length > 0 && { pending: { chunks: late } }) },
        built.chunks.map((chunk, n) => (late.includes(n) ? { ...chunk, vectors: [] } : chunk)),
      );
      present.delete(id);
      present.set(id, built);
      waiting.set(id, late);
    } else if (one.kind === "vectors") {
      const [id, late = []] = [...waiting][one.seed % Math.max(1, waiting.size)] ?? [];
      const chunk = late[one.seed % Math.max(1, late.length)];
      if (id !== undefined && chunk !== undefined) await giveVectors(store, present, waiting, id, [chunk]);
    } else if (one.kind === "delete") {
      expect(await store.deleteDocument(one.id)).toBe(present.delete(one.id));
      waiting.delete(one.id);
    } else {
      await store.close();
      store = await openSqliteStore({ path });
    }
    if (i % 3 === 0) await watch(watcher, present.size);
  }
  for (const [id, late] of waiting) if (late.length > 0) await giveVectors(store, present, waiting, id, late);
  expect((await watcher.pendingVectors([])).chunks).toBe(0);
  return { store, watcher, documents: [...present.values()] };
}

/** Vectors that come after their document. */
async function giveVectors(
  store: Store,
  present: ReadonlyMap<string, BuiltDocument>,
  waiting: Map<string, number[]>,
  documentId: string,
  chunks: readonly number[],
): Promise<void> {
  const built = present.get(documentId);
  const vectors = new Map(chunks.map((n) => [n, built?.chunks[n]?.vectors ?? []]));
  const indexedAt = built?.record.indexedAt ?? "";
  expect(await store.writeVectors({ documentId, indexedAt, vectors })).toBe(true);
  waiting.set(documentId, waiting.get(documentId)?.filter((n) => !vectors.has(n)) ?? []);
}

async function watch(watcher: Store, documents: number): Promise<void> {
  expect(await watcher.listDocuments()).toHaveLength(documents);
  const filter = { field: "n", op: "lt", value: 2 } as const;
  await watcher.searchText({ terms: [{ term: "a", weight: 1 }], limit: 3, filter });
  await watcher.searchVector({ vector: Float32Array.of(1, 0, 0), limit: 3 });
}
