import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { seededRandom } from "../../eval/random.ts";
import { createLexicalEmbedder } from "../../models/lexical/index.ts";
import type { Store } from "../../spec/index.ts";
import { put } from "../../testing/store/fixtures.ts";
import { openSqliteStore } from "./index.ts";
import { vectorBank } from "./vector-bank.ts";
import { encodeVectors, type VectorCodes } from "./vector-codes.ts";
import { querySketch } from "./vector-query.ts";

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
      start: fc.integer({ min: 0, max: 16_500 }),
    }),
  );
  fc.assert(
    fc.property(given, ({ query, windows, start }) => {
      const codes = encodeVectors(windows.map((window) => [Float32Array.from(window)])) as VectorCodes;
      const bank = vectorBank(query.length);
      bank.put(start, codes);
      const asked = bank.ask(Float32Array.from(query));
      const range = { start, end: start + windows.length };
      const codeOf = (window: number) =>
        codes.codes.subarray((window - start) * query.length, (window - start + 1) * query.length);
      const dot = (window: number) =>
        codeOf(window).reduce((sum, value, k) => sum + value * (asked.codes[k] ?? 0), 0);
      const seen: number[] = [];
      bank.dots(range, (window, product) => {
        expect(product).toBe(dot(window));
        seen.push(window);
      });
      expect(seen).toEqual(Array.from(windows, (_, i) => start + i));
      const some = seen.filter((_, i) => i % 3 === 1);
      bank.dotsOf(some, (window, product) => {
        expect(product).toBe(dot(window));
        expect(window).toBe(some.shift());
      });
      expect(some).toEqual([]);
      expect(bank.scan(asked, [range], 5).nearest()).toEqual(highest(codes, asked.codes, start, 5));
      expect(bank.scan(asked, [range], windows.length + 1).nearest()).toHaveLength(windows.length);
    }),
    { numRuns: 60 },
  );
});

/**
 * Like a small model's: four fifths of the length in common, the rest in few directions more than in others, and half of
 * that rest by topic.
 */
function modelLike(count: number, dimensions: number, topics: number): Float32Array[] {
  const random = seededRandom(3);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const common = Float64Array.from({ length: dimensions }, normal);
  const spread = Float64Array.from({ length: dimensions }, (_, k) => (1 + k) ** -0.35);
  const mean = Math.sqrt(4 * spread.reduce((sum, value) => sum + value ** 2, 0)) / Math.hypot(...common);
  const own = () => spread.map((value) => value * Math.SQRT1_2 * normal());
  const topic = Array.from({ length: topics }, own);
  return Array.from({ length: count }, (_, i) => {
    const [shared, rest] = [topic[i % topics] ?? common, own()];
    return Float32Array.from(
      common,
      (value, k) => mean * value + (shared[k] as number) + (rest[k] as number),
    );
  });
}

test("the nearest are found in 98 of 100 cases among vectors like a model's", { timeout: 60_000 }, () => {
  // As hard as the nearest 20 of 100,000 among the 1,200 that are compared exactly by default.
  const [count, limit, candidates] = [10_000, 2, 120];
  const vectors = modelLike(count + 60, 384, 500);
  const codes = encodeVectors(vectors.slice(0, count).map((vector) => [vector])) as VectorCodes;
  const bank = vectorBank(384);
  bank.put(0, codes);
  let hits = 0;
  for (const query of vectors.slice(count)) {
    const asked = bank.ask(query);
    const cosines = new Float64Array(count);
    bank.dots({ start: 0, end: count }, (window, product) => {
      cosines[window] = product * (codes.inverseNorms[window] as number);
    });
    const least = cosines.toSorted().at(-limit) ?? 0;
    const near = bank.scan(asked, [{ start: 0, end: count }], candidates).nearest();
    hits += near.filter((window) => (cosines[window] as number) >= least).length;
  }
  expect(hits / (60 * limit)).toBeGreaterThanOrEqual(0.98);
});

/** Estimates in plain arithmetic: 4-bit steps of the sketch's components, sums of 16 shifted and added up. */
function highest(codes: VectorCodes, query: Int16Array, start: number, wanted: number): number[] {
  const { components, codes: sketch, offset, shift } = querySketch(query);
  const { dimensions, inverseNorms } = codes;
  const estimates = Array.from(inverseNorms, (norm, i) => {
    const scale = Math.fround((norm * Math.sqrt(dimensions)) / 0.3352);
    const products = components.map((k, at) => {
      const code = k < dimensions ? (codes.codes[i * dimensions + k] ?? 0) : 0;
      const step = Math.max(-8, Math.min(7, rounded(Math.fround(code * scale)))) + 8;
      return step * (sketch[at] ?? 0);
    });
    let sum = offset;
    for (let at = 0; at < products.length; at += 16) {
      sum += products.slice(at, at + 16).reduce((a, b) => a + b, 0) >> shift;
    }
    expect(sum).toBeGreaterThanOrEqual(0);
    expect(sum).toBeLessThan(65_536);
    return sum;
  });
  const least = estimates.toSorted((a, b) => b - a)[Math.min(wanted, estimates.length) - 1] ?? 0;
  return estimates.flatMap((estimate, i) => (estimate >= least ? [start + i] : []));
}

/** To the nearest whole number, halves to the even one, as processors round. */
function rounded(value: number): number {
  const near = Math.round(value);
  return Math.abs(value % 1) === 0.5 && near % 2 !== 0 ? near - 1 : near;
}
