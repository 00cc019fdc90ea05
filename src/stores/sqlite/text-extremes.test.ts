import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../eval/random.ts";
import type { FieldTerms, IndexedChunk, Store } from "../../spec/index.ts";
import { buildDocument } from "../../testing/store/fixtures.ts";
import { compactSqliteStore, openSqliteStore } from "./index.ts";
import { exhaustive, ranked } from "./text-oracle.fixture.ts";

/**
 * Frequencies and lengths on both sides of what gains are looked up for, fields without length, fields that do not count,
 * more rare words than a number has bits, and filters whose documents begin and end within a block.
 */
const folder = mkdtempSync(join(tmpdir(), "konteks-extremes-"));
const documents = new Map<string, readonly IndexedChunk[]>();
let store: Store;

const COMMON = Array.from({ length: 6 }, (_, i) => `c${i}`);
const RARE = Array.from({ length: 70 }, (_, i) => `r${i}`);
const EVERYWHERE = "the";
const TIMES = [1, 1, 1, 2, 3, 4, 5, 6, 300];
const LENGTHS = [0, 1, 30, 30, 30, 200, 1_022, 1_023, 1_024, 1_025, 2_047, 2_048, 70_000];

const random = seededRandom(23);
const oneOf = <T>(list: readonly T[]) => list[Math.floor(list.length * random())] as T;

/** `share` is that of the common words: they stand in so many of the fields, rare ones in few. */
function field(share: number, length: number): FieldTerms {
  const terms = new Map<string, number>();
  for (const term of COMMON) if (random() < share) terms.set(term, oneOf(TIMES));
  for (const term of RARE) if (random() < 0.0006) terms.set(term, oneOf(TIMES));
  return { length, terms };
}

/** Chunks with nothing but the word that stands nearly everywhere differ by their documents alone. */
function fieldsOf(): Record<string, FieldTerms> {
  if (random() < 0.2) return { body: { length: 30, terms: new Map([[EVERYWHERE, 1]]) } };
  const body = field(0.3, oneOf(LENGTHS));
  const terms = new Map(body.terms);
  if (random() < 0.95) terms.set(EVERYWHERE, 1);
  return {
    body: { ...body, terms },
    context: field(0.1, oneOf(LENGTHS)),
    title: field(0.1, oneOf(LENGTHS)),
    tags: field(0.1, 0),
  };
}

function some(chunks: number): Record<string, FieldTerms>[] {
  return Array.from({ length: chunks }, fieldsOf);
}

/** Alike but for how often the word that stands nearly everywhere does, and for a little more length. */
function twin(n: number): Record<string, FieldTerms>[] {
  return [
    { body: { length: 3, terms: new Map([["c0", 2]]) } },
    { body: { length: 600 + n, terms: new Map([[EVERYWHERE, 1 + n]]) } },
  ];
}

async function write(n: number, fields: readonly Record<string, FieldTerms>[]): Promise<void> {
  const id = `d${n}`;
  const plain = buildDocument({ id, chunks: fields.map(() => "text"), metadata: { n } });
  const built = plain.chunks.map((chunk, i) => ({ ...chunk, fields: fields[i] ?? {} }));
  await store.replaceDocument(plain.record, built);
  documents.set(id, built);
}

beforeAll(async () => {
  store = await openSqliteStore({ path: join(folder, "index.sqlite") });
  const sizes = Array.from({ length: 40 }, () => 1 + Math.floor(99 * random() ** 2));
  for (const [n, chunks] of [...sizes, 1_500, 700, 90, 90, 90].entries()) await write(n, some(chunks));
  await write(7, some(40));
  for (let n = 50; n < 90; n++) await write(n, twin(n - 50));
  for (const n of [2, 3, 30, 42]) {
    await store.deleteDocument(`d${n}`);
    documents.delete(`d${n}`);
  }
}, 60_000);

afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const NUMBERS = Array.from({ length: 90 }, (_, n) => n);
const options = fc.record({
  weight: fc.constantFrom(0, 0.2, 1, 1, 3),
  b: fc.constantFrom(0, 0.75, 1),
});
const fields = fc.oneof(
  fc.record({ body: options }),
  fc.record({ title: options, body: options }),
  fc.record({ context: options, body: options, tags: options }),
  fc.record({ tags: options }),
);
const weight = fc.constantFrom(0.02, 0.3, 1, 1, 4);
const terms = fc.record({
  common: fc.oneof(
    fc.subarray([EVERYWHERE, ...COMMON]),
    fc.constantFrom([EVERYWHERE], [EVERYWHERE, "c0"], []),
  ),
  rare: fc.oneof(fc.subarray(RARE, { maxLength: 3 }), fc.subarray(RARE, { minLength: 40 })),
  weights: fc.array(weight, { minLength: 1, maxLength: 9 }),
});
const query = fc.record({
  terms,
  fields,
  k1: fc.constantFrom(0, 0.5, 1.2, 1.2, 8),
  documentWeight: fc.constantFrom(0, 0, 0.4, 3),
  limit: fc.constantFrom(1, 3, 20, 100),
  among: fc.oneof(
    fc.constantFrom<readonly number[] | undefined>(undefined, [5], NUMBERS.slice(50)),
    fc.subarray(NUMBERS, { minLength: 1, maxLength: 12 }),
  ),
});

test("at the edges too, the same chunks with the same scores as a scorer that leaves nothing out", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(query, async ({ terms: { common, rare, weights }, among, limit, ...rules }) => {
      const asked = [...common, ...rare].map((term, i) => ({
        term,
        weight: weights[i % weights.length] ?? 1,
      }));
      const found = await store.searchText({
        terms: asked,
        limit,
        bm25: rules,
        ...(among && { filter: { field: "n", op: "in", values: among } }),
      });
      const scores = exhaustive(documents, asked, rules);
      for (const id of scores.keys()) {
        if (among && !among.includes(Number(/\d+/.exec(id)?.[0]))) scores.delete(id);
      }
      expect(found).toEqual(ranked(scores, limit));
    }),
    { numRuns: 200 },
  );
});

test("a field of no length counts for the documents that hold the word there, and for no others", async () => {
  const small = await openSqliteStore({ path: join(folder, "small.sqlite") });
  const written = new Map<string, readonly IndexedChunk[]>();
  const word = { length: 4, terms: new Map([["c0", 2]]) };
  const none = { length: 0, terms: new Map() };
  const tags = { length: 0, terms: new Map([["c0", 1]]) };
  const fields = [
    { body: word, tags: none },
    { body: none, tags },
  ];
  for (const id of ["a", "b"]) {
    const { record, chunks } = buildDocument({ id, chunks: ["text", "text"] });
    const built = chunks.map((chunk, i) => ({ ...chunk, fields: fields[id === "a" ? 0 : i] ?? {} }));
    await small.replaceDocument(record, built);
    written.set(id, built);
  }
  const rules = {
    k1: 1.2,
    documentWeight: 1,
    fields: { body: { weight: 1, b: 1 }, tags: { weight: 1, b: 1 } },
  };
  const terms = [{ term: "c0", weight: 1 }];
  // One segment, so that the list has frequencies of both fields.
  await compactSqliteStore({
    path: join(folder, "small.sqlite"),
    analyze: ({ chunk }) => {
      const [id = "", ordinal] = chunk.id.split("#");
      return written.get(id)?.[Number(ordinal)]?.fields ?? {};
    },
  });
  const found = await small.searchText({ terms, limit: 9, bm25: rules });
  expect(found).toEqual(ranked(exhaustive(written, terms, rules), 9));
  await small.close();
});
