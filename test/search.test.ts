import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type AskOptions,
  type DocumentInput,
  type Filter,
  type Konteks,
  openKonteks,
  readQueryLog,
  type SearchOptions,
} from "../src/index.ts";

const WORDS = "notice period rent deposit garden lease tenant landlord repair window heating invoice".split(
  " ",
);

/** Documents of many short sections, so that words meet in various numbers. */
const documents: readonly DocumentInput[] = Array.from({ length: 12 }, (_, d) => ({
  id: `doc${d}.md`,
  title: `Contract ${d} of ${WORDS[d]}`,
  metadata: { year: 2015 + d, party: d % 2 === 0 ? "ACME" : "Globex" },
  text: Array.from({ length: 6 }, (_, s) => section(d, s)).join("\n\n"),
}));

function section(d: number, s: number): string {
  const words = Array.from(
    { length: 40 },
    (_, w) => WORDS[(d * 7 + s * 5 + w * (1 + ((d + s) % 4))) % WORDS.length],
  );
  return `## Section ${s}\n\n${words.join(" ")}. Clause TS-${d}${s} ends here.`;
}

let folder: string;
let konteks: Konteks;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "konteks-search-"));
  konteks = await openKonteks({ path: folder, chunk: { size: 60, overlap: 15 } });
  await konteks.ingest(documents);
});

afterAll(async () => {
  await konteks.close();
  await rm(folder, { recursive: true, force: true });
});

const queries = fc.array(fc.constantFrom(...WORDS, "gardn", "TS-34", '"rent deposit"', "Globex"), {
  minLength: 1,
  maxLength: 5,
});
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const settings = fc.record({
  mode: fc.constantFrom("text", "vector", "hybrid"),
  fusion: maybe(fc.constantFrom("rrf", "scores")),
  rerank: fc.boolean(),
  perDocument: maybe(fc.integer({ min: 1, max: 3 })),
  fold: maybe(fc.constantFrom(0.6, 1)),
  mmr: maybe(fc.constantFrom(0.3, 0.8)),
  withinDocuments: maybe(fc.integer({ min: 1, max: 4 })),
  withinSections: maybe(fc.integer({ min: 1, max: 6 })),
  weights: maybe(fc.constant({ neighbours: 0.3 })),
  mustMatch: fc.constantFrom("none", "phrases", "identifiers"),
  phrasings: maybe(fc.constant(["deposit of the tenant"])),
});

/** Settings without the undefined ones, as a user would write them. */
function written(options: Record<string, unknown>): SearchOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

const ids = async (query: string, options: SearchOptions) =>
  (await konteks.search(query, options)).hits.map(({ chunkId }) => chunkId);

describe("whatever the stages", () => {
  test("hits for k are the first of those for more", async () => {
    await fc.assert(
      fc.asyncProperty(queries, settings, fc.integer({ min: 1, max: 8 }), async (words, options, k) => {
        const query = words.join(" ");
        const more = await ids(query, { ...written(options), k: k + 3 });
        expect(await ids(query, { ...written(options), k })).toEqual(more.slice(0, k));
        expect(new Set(more).size).toBe(more.length);
      }),
      { numRuns: 60 },
    );
  });

  test("a filter lets nothing from outside in, and per document the limit holds", async () => {
    const filter: Filter = { field: "party", op: "eq", value: "ACME" };
    await fc.assert(
      fc.asyncProperty(queries, settings, async (words, options) => {
        const { hits } = await konteks.search(words.join(" "), { ...written(options), filter });
        expect(hits.every(({ metadata }) => metadata.party === "ACME")).toBe(true);
        const counts = Map.groupBy(hits, ({ documentId }) => documentId);
        for (const of of counts.values()) expect(of.length).toBeLessThanOrEqual(options.perDocument ?? 10);
      }),
      { numRuns: 40 },
    );
  });

  test("nothing is below a threshold", async () => {
    await fc.assert(
      fc.asyncProperty(
        queries,
        settings,
        fc.double({ min: 0, max: 3, noNaN: true }),
        async (words, options, least) => {
          const min = {
            ...(options.mode !== "vector" && { bm25: least }),
            ...(options.mode !== "text" && { cosine: least / 6 }),
            ...(options.rerank && { rerank: 2 * least }),
          };
          const { hits } = await konteks.search(words.join(" "), { ...written(options), min });
          for (const { scores } of hits) {
            if (min.bm25 !== undefined) expect(scores.bm25).toBeGreaterThanOrEqual(min.bm25);
            if (min.cosine !== undefined) expect(scores.cosine).toBeGreaterThanOrEqual(min.cosine);
            if (min.rerank !== undefined) expect(scores.rerank).toBeGreaterThanOrEqual(min.rerank);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test("an expanded hit is a slice of its document, so that no overlap stands in it twice, within the budget, and holds the hit", async () => {
    const texts = new Map(documents.map(({ id, text }) => [id, text]));
    const expansions = fc.record({
      neighbours: fc.integer({ min: 0, max: 3 }),
      section: fc.boolean(),
      document: fc.boolean(),
      tokens: fc.integer({ min: 30, max: 600 }),
    });
    await fc.assert(
      fc.asyncProperty(queries, expansions, async (words, expand) => {
        const { hits } = await konteks.search(words.join(" "), { expand, k: 5 });
        for (const { documentId, start, end, expanded } of hits) {
          if (!expanded) continue;
          expect(texts.get(documentId)?.slice(expanded.start, expanded.end)).toBe(expanded.text);
          expect(expanded.start).toBeLessThanOrEqual(start);
          expect(expanded.end).toBeGreaterThanOrEqual(end);
          expect(expanded.text.split(/\s+/).length).toBeLessThanOrEqual(expand.tokens);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("the parts add up to the scores", async () => {
    await fc.assert(
      fc.asyncProperty(queries, settings, async (words, options) => {
        const { hits } = await konteks.search(words.join(" "), {
          ...written(options),
          explain: true,
          k: 4,
        });
        for (const { scores, explanation } of hits) {
          const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
          const { terms = [], fusion = [], rerank = {} } = explanation ?? {};
          if (scores.bm25 !== undefined)
            expect(sum(terms.map(({ chunk, document }) => chunk + document))).toBeCloseTo(scores.bm25, 6);
          for (const { weight, idf, frequency, fields, chunk } of terms) {
            expect(Math.min(weight, idf, frequency)).toBeGreaterThan(0);
            expect(fields.some((field) => field.frequency > 0 && field.length > 0)).toBe(chunk > 0);
          }
          expect(sum(fusion.map(({ part }) => part))).toBeCloseTo(scores.rrf ?? scores.weighted ?? 0, 6);
          if (scores.rerank !== undefined) expect(sum(Object.values(rerank))).toBeCloseTo(scores.rerank, 6);
        }
      }),
      { numRuns: 40 },
    );
  });
});

test("weight 0 equals leaving the list out", async () => {
  await fc.assert(
    fc.asyncProperty(queries, fc.constantFrom("rrf", "scores"), async (words, fusion) => {
      const query = words.join(" ");
      const without = await ids(query, { fusion, weights: { vector: 0 } });
      expect(without).toEqual(await ids(query, { fusion, mode: "text" }));
    }),
    { numRuns: 30 },
  );
});

test("the order of phrasings does not matter", async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(WORDS, { minLength: 3, maxLength: 3 }), async (phrasings) => {
      const [first = "", ...others] = phrasings;
      const options = { mustMatch: "none", k: 20 } as const;
      const one = await ids(first, { ...options, phrasings: others });
      expect(await ids(first, { ...options, phrasings: others.toReversed() })).toEqual(one);
    }),
    { numRuns: 20 },
  );
});

test("the lexical embedding is asked when the index does not know a word", async () => {
  const known = await konteks.search("garden lease");
  expect(known.trace[0]?.facts).toMatchObject({
    vector: { skipped: "the index knows every word of the query" },
  });
  const misspelt = await konteks.search("gardn");
  expect(misspelt.hits[0]?.text).toContain("garden");
});

test("chunks with the quoted phrase or the identifier come first", async () => {
  const quoted = await konteks.search('tenant "rent deposit"');
  const holds = quoted.hits.map(({ text }) => /rent\s+deposit/.test(text));
  expect(holds[0]).toBe(true);
  expect(holds.toSorted((a, b) => Number(b) - Number(a))).toEqual(holds);
  const [first] = await ids("tenant tenant landlord TS-34", {});
  expect(first).toMatch(/^doc3\.md/);
  const amounts = await konteks.search("2015-2017 rent 5% ke-16 APOE4 LinkedIn");
  expect(amounts.trace.map(({ stage }) => stage)).not.toContain("must match");
});

test("withinDocuments finds only chunks of the best documents", async () => {
  const { hits, trace } = await konteks.search("rent deposit", { withinDocuments: 2 });
  const best = trace.find(({ stage }) => stage === "within")?.facts.documents as string[];
  expect(best).toHaveLength(2);
  expect(new Set(hits.map(({ documentId }) => documentId))).toEqual(new Set(best));
});

test("withinSections finds all chunks of the best sections and no other", async () => {
  const { hits, trace } = await konteks.search("rent deposit", { withinSections: 2, k: 50 });
  const chosen = trace.find(({ stage }) => stage === "within")?.facts;
  expect(chosen?.sections).toHaveLength(2);
  const sections = hits.map(({ documentId, headings }) => [documentId, ...headings].join(" > "));
  expect(new Set(sections)).toEqual(new Set(chosen?.sections as string[]));
  const both = await konteks.search("rent deposit", { withinDocuments: 1, withinSections: 3 });
  expect(new Set(both.hits.map(({ documentId }) => documentId)).size).toBe(1);
});

test("a query of nonsense finds nothing and says so; a misspelt one says what it took the word for", async () => {
  const nonsense = await konteks.search("qwzx vlurk");
  expect(nonsense.hits).toEqual([]);
  expect(nonsense.notes).toEqual(["no word of the query is in the index, nor one like it: qwzx, vlurk"]);
  const misspelt = await konteks.search("gardn");
  expect(misspelt.notes).toEqual(['no word of the query is in the index; searched for "garden" for "gardn"']);
  expect((await konteks.search("rent vlurk")).notes).toBeUndefined();
});

test("a filter that no document can pass names the field or the value that none has", async () => {
  const { hits, notes } = await konteks.search("rent", { filter: { field: "yeer", op: "eq", value: 2015 } });
  expect([hits, notes]).toEqual([[], ['filter: no document has the field "yeer"; there is party, year']]);
  const values = await konteks.search("rent", { filter: { field: "year", op: "in", values: ["2015", 1] } });
  expect(values.notes).toEqual([
    'filter: no document has "2015" or 1 as year; there is 2015, 2016, 2017, 2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025, 2026',
  ]);
});

test("a preset says how many are reranked and kept; k and depth of one's own win", async () => {
  const lengths = async (options: SearchOptions) => {
    const { hits, trace } = await konteks.search("rent deposit garden", options);
    return [trace.find(({ stage }) => stage === "rerank")?.facts.depth, hits.length];
  };
  expect(await lengths({ rerank: { preset: "20-3" } })).toEqual([20, 3]);
  expect(await lengths({ rerank: { preset: "20-5" } })).toEqual([20, 5]);
  expect(await lengths({ rerank: { preset: "150-20", depth: 30 }, k: 4 })).toEqual([30, 4]);
});

test("neighbours add to a chunk what stands beside it, as far as it weighs", async () => {
  const plain = await konteks.search("rent deposit", { k: 150 });
  const { hits } = await konteks.search("rent deposit", {
    k: 150,
    weights: { neighbours: 0.5 },
    explain: true,
  });
  const before = new Map(plain.hits.map(({ chunkId, scores }) => [chunkId, scores.weighted ?? 0]));
  for (const { chunkId, scores, explanation } of hits) {
    const part = explanation?.fusion.find(({ list }) => list === "neighbours")?.part ?? 0;
    expect(scores.weighted).toBeCloseTo((before.get(chunkId) ?? 0) + part, 9);
  }
  expect(hits.some(({ explanation }) => explanation?.fusion.some(({ list }) => list === "neighbours"))).toBe(
    true,
  );
});

test.each([
  [{ k: 200 }, /Raise candidates to at least 200/],
  [{ mode: "text", min: { cosine: 0.1 } }, /vectors are not searched in mode text/],
  [{ min: { rerank: 0.1 } }, /no reranker is chosen/],
  [{ mmr: 2 }, /mmr must be a number from 0 to 1/],
  [{ fusion: "sum" }, /fusion must be one of/],
  [{ withinSections: 0 }, /withinSections must be a whole number from 1/],
  [{ rerank: { preset: "10-1" } }, /preset must be one of 20-3, 20-5, 150-20/],
  [{ weights: { neighbours: -1 } }, /weights.neighbours must be a number from 0/],
  [{ bm25: { k1: -1 } }, /bm25.k1 must be a number from 0/],
  [{ bm25: { documentWeight: Number.NaN } }, /bm25.documentWeight must be a number from 0/],
  [{ bm25: { fields: { body: { weight: -1 } } } }, /bm25.fields.body.weight must be a number from 0/],
  [{ bm25: { fields: { body: { b: 2 } } } }, /bm25.fields.body.b must be a number from 0 to 1/],
  [{ bm25: { fields: { titel: { weight: 2 } } } }, /no field "titel".*Did you mean "title"/],
] as const)("%j is refused with the reason", async (options, message) => {
  await expect(konteks.search("rent", options as SearchOptions)).rejects.toThrow(message);
});

test.each([
  [{ timeLimitMs: -1 }, /timeLimitMs must be a number from 0/],
  [{ wholeLimit: Number.NaN }, /wholeLimit must be a number from 0/],
  [{ evidenceTokens: -5 }, /evidenceTokens must be a number from 0/],
  [{ correct: { maxCost: -1 } }, /correct.maxCost must be a number from 0/],
  [{ thresholds: { bm25: Number.NaN } }, /thresholds.bm25 must be a number/],
  [{ whole: "sometimes" }, /whole must be one of auto, always, never/],
  [{ history: [{ question: "Rent?" }] }, /history must be a list of turns/],
] as const)("a question with %j is refused with the reason", async (options, message) => {
  await expect(konteks.ask("rent?", options as unknown as AskOptions)).rejects.toThrow(message);
});

test("under a time limit that leaves time, whatever its length, nothing is left out", async () => {
  for (const timeoutMs of [9_000, 8_000.5, 1e12]) {
    const { trace, notes = [] } = await konteks.search("rent gardn", { timeoutMs, rerank: true });
    expect(notes).toEqual([]);
    expect(trace.map(({ stage }) => stage)).toContain("rerank");
  }
});

test("under a time limit that has passed, the vector list and the reranker are left out with a note", async () => {
  const { hits, notes } = await konteks.search("rent gardn", { timeoutMs: 0, rerank: true });
  expect(hits.length).toBeGreaterThan(0);
  expect(notes).toEqual([
    "vector search: skipped (the time limit was reached)",
    "rerank: skipped (the time limit was reached)",
  ]);
});

test("a folded chunk is named by the one that stays", async () => {
  await konteks.upsert({ id: "copy.md", title: "Copy", text: section(3, 2) });
  await konteks.upsert({ id: "copy2.md", title: "Copy", text: section(3, 2) });
  const plain = await ids("Copy TS-32", { k: 3 });
  expect(plain).toEqual(expect.arrayContaining(["copy.md#1", "copy2.md#1"]));
  const { hits } = await konteks.search("Copy TS-32", { fold: 1, k: 3 });
  expect(hits[0]?.folded).toEqual(["copy2.md#1", "doc3.md#5"]);
  await konteks.delete("copy.md");
  await konteks.delete("copy2.md");
});

test("searches are logged on request, and status counts those without a hit", async () => {
  const path = join(folder, "logged");
  const own = await openKonteks({ path, queryLog: true, embedding: "none" });
  try {
    await own.ingest(documents.slice(0, 1));
    const { hits } = await own.search("rent");
    await own.search("zzyzx");
    const broken = { id: "broken", kind: "hosted", rerank: () => Promise.reject(new Error("busy")) } as const;
    expect((await own.search("rent", { rerank: broken })).notes).toEqual(["rerank: skipped (busy)"]);
    await own.ask("Who pays the rent?");
    const log = join(path, "queries.jsonl");
    expect((await own.status()).queryLog).toEqual({ path: log, queries: 4, empty: 1, skipped: 1 });
    expect(readQueryLog(log).map(({ query }) => query)).toEqual([
      "rent",
      "zzyzx",
      "rent",
      "Who pays the rent?",
    ]);
    expect(readQueryLog(log)[0]).toMatchObject({
      query: "rent",
      hits: hits.map(({ chunkId, score }) => [chunkId, score]),
    });
  } finally {
    await own.close();
  }
  expect((await konteks.status()).queryLog).toBeUndefined();
});

test("an index that was made anew with another model is not searched with the old one", async () => {
  const path = join(folder, "anew");
  const first = await openKonteks({ path });
  await first.upsert({ id: "a.md", text: "The garden is green." });
  await first.close();
  const reader = await openKonteks({ path, readOnly: true });
  expect((await reader.search("garden")).hits).toHaveLength(1);
  const again = await openKonteks({ path, chunk: { size: 50 }, rebuild: true });
  await again.upsert({ id: "a.md", text: "The garden is green." });
  await again.close();
  // Cut otherwise, but searched alike.
  expect((await reader.search("garden")).hits).toHaveLength(1);
  const other = await openKonteks({ path, embedding: "none", rebuild: true });
  await other.upsert({ id: "a.md", text: "The garden is green." });
  await other.close();
  const changed = {
    code: "identity-mismatch",
    message: expect.stringMatching(/now has "none".*Open it again/),
  };
  await expect(reader.search("garden")).rejects.toMatchObject(changed);
  await expect(reader.ask("Is the garden green?")).rejects.toMatchObject(changed);
  await expect(reader.why("garden", { expect: "a.md" })).rejects.toMatchObject(changed);
  await reader.close();
});
