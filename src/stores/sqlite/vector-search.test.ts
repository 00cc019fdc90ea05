import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { createLexicalEmbedder } from "../../models/lexical/index.ts";
import type { Store } from "../../spec/index.ts";
import { put } from "../../testing/store/fixtures.ts";
import { openSqliteStore } from "./index.ts";
import { vectorBank } from "./vector-bank.ts";
import { encodeVectors, type VectorCodes } from "./vector-codes.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-vectors-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WORDS =
  "harbour tide vessel crane cargo customs invoice margin interest loan notice period lease tenant".split(
    " ",
  );

/** Sentences of five words, all different. */
function sentence(i: number): string {
  return `${[1, 3, 7, 31, 97].map((step) => WORDS[Math.floor(i / step) % WORDS.length]).join(" ")} item${i}`;
}

async function filled(path: string, order: readonly number[]): Promise<Store> {
  const embedder = createLexicalEmbedder();
  const store = await openSqliteStore({ path, vectors: { exactUpTo: 0, candidates: 60 } });
  for (const document of order) {
    const texts = Array.from({ length: 40 }, (_, i) => sentence(document * 40 + i));
    const vectors = await embedder.embedDocuments(texts);
    const chunks = texts.map((text, i) => ({ text, vectors: [[...(vectors[i] ?? [])]] }));
    await put(store, { id: `d${document}`, metadata: { even: document % 2 === 0 }, chunks });
  }
  return store;
}

test("large searches find what exact ones find, whatever the history, under filters too", {
  timeout: 60_000,
}, async () => {
  const order = Array.from({ length: 30 }, (_, i) => i);
  const store = await filled(join(folder, "a.sqlite"), [5, 6, ...order]);
  for (const id of [3, 9, 27]) await store.deleteDocument(`d${id}`);
  const kept = order.filter((i) => ![3, 9, 27].includes(i));
  const fresh = await filled(join(folder, "b.sqlite"), kept.toReversed());
  const exact = await openSqliteStore({ path: join(folder, "a.sqlite"), readOnly: true });
  let hits = 0;
  let all = 0;
  for (let i = 0; i < 40; i++) {
    const vector = await createLexicalEmbedder().embedQuery(sentence(i * 29).slice(0, 24));
    for (const filter of [undefined, { field: "even", op: "eq", value: true } as const]) {
      const query = { vector, limit: 10, ...(filter && { filter }) };
      const found = await store.searchVector(query);
      expect(found).toEqual(await fresh.searchVector(query));
      const best = await exact.searchVector(query);
      const ids = new Set(found.map(({ chunkId }) => chunkId));
      hits += best.filter(({ chunkId }) => ids.has(chunkId)).length;
      all += best.length;
    }
  }
  expect(all).toBe(800);
  expect(hits / all).toBeGreaterThanOrEqual(0.98);
  await Promise.all([store.close(), fresh.close(), exact.close()]);
});

test("the kernel's products and choices are those of plain arithmetic", () => {
  const component = fc.integer({ min: -100, max: 100 });
  const given = fc.integer({ min: 1, max: 40 }).chain((dimensions) =>
    fc.record({
      query: fc.array(component, { minLength: dimensions, maxLength: dimensions }),
      windows: fc.array(fc.array(component, { minLength: dimensions, maxLength: dimensions }), {
        minLength: 1,
        maxLength: 300,
      }),
      start: fc.integer({ min: 0, max: 4_200 }),
    }),
  );
  fc.assert(
    fc.property(given, ({ query, windows, start }) => {
      const codes = encodeVectors(windows.map((window) => [Float32Array.from(window)])) as VectorCodes;
      const bank = vectorBank(query.length);
      bank.put(start, codes);
      const asked = bank.ask(Float32Array.from(query));
      const first = Math.min(windows.length, 4_096 - (start % 4_096));
      const products = bank.dots({ start, end: start + first });
      for (let i = 0; i < first; i++) {
        const code = codes.codes.subarray(i * query.length, (i + 1) * query.length);
        expect(products[i]).toBe(code.reduce((sum, value, k) => sum + value * (asked.codes[k] ?? 0), 0));
      }
      const range = { start, end: start + windows.length };
      const chosen = bank.nearest([range], 5);
      expect(chosen.length).toBeGreaterThanOrEqual(Math.min(5, windows.length));
      expect(chosen).toEqual(
        [...new Set(chosen)].filter((i) => i >= start && i < range.end).sort((a, b) => a - b),
      );
      expect(bank.nearest([range], windows.length + 1)).toHaveLength(windows.length);
    }),
    { numRuns: 60 },
  );
});
