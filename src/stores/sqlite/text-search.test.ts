import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../eval/random.ts";
import type { Store } from "../../spec/index.ts";
import { put } from "../../testing/store/fixtures.ts";
import { openSqliteStore } from "./index.ts";
import { seek } from "./seek.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-text-"));
let store: Store;

/** 14,000 chunks, so that windows, pruning and several segments come into play; a third of them say nothing new. */
beforeAll(async () => {
  store = await openSqliteStore({ path: join(folder, "index.sqlite") });
  const random = seededRandom(5);
  const word = () => `w${Math.floor(40 * random() ** 3)}`;
  const writes = Array.from({ length: 70 }, (_, document) => {
    const chunks = Array.from({ length: 200 }, (_, i) =>
      i % 3 === 0 ? "w0 w1 w2" : Array.from({ length: 1 + Math.floor(12 * random()) }, word).join(" "),
    );
    return put(store, { id: `d${document}`, metadata: { n: document }, chunks });
  });
  await Promise.all(writes);
  await store.deleteDocument("d3");
}, 60_000);

afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const filters = [
  undefined,
  { field: "n", op: "lt", value: 40 },
  { field: "n", op: "in", values: [7, 31] },
] as const;

test("the best few are the first of all, to the last bit, ties included", { timeout: 120_000 }, async () => {
  const query = fc.record({
    terms: fc.uniqueArray(
      fc.record({
        term: fc.nat(41).map((n) => `w${n}`),
        weight: fc.constantFrom(0.05, 0.3, 0.8, 1, 5),
      }),
      { minLength: 1, maxLength: 12, selector: ({ term }) => term },
    ),
    limit: fc.constantFrom(1, 7, 50, 400),
    filter: fc.constantFrom(...filters),
    documentWeight: fc.constantFrom(0, 0, 0.7),
  });
  await fc.assert(
    fc.asyncProperty(query, async ({ terms, limit, filter, documentWeight }) => {
      const asked = { terms, bm25: { documentWeight }, ...(filter && { filter }) };
      // Without a limit there is no threshold, so nothing is left out.
      const all = await store.searchText({ ...asked, limit: Number.POSITIVE_INFINITY });
      expect(await store.searchText({ ...asked, limit })).toEqual(all.slice(0, limit));
    }),
    { numRuns: 60 },
  );
});

test("seek finds the first entry that is not below", () => {
  const sorted = fc.uniqueArray(fc.nat(500)).map((list) => Uint32Array.from(list).sort());
  fc.assert(
    fc.property(sorted, fc.nat(520), fc.nat(20), (list, chunk, start) => {
      const from = Math.min(start, list.length);
      const found = list.findIndex((value, i) => i >= from && value >= chunk);
      expect(seek(list, chunk, from)).toBe(found < 0 ? list.length : found);
    }),
  );
});
