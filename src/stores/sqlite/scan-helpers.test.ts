import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { isKonteksError, type Store } from "../../spec/index.ts";
import { put } from "../../testing/store/fixtures.ts";
import { openSqliteStore } from "./index.ts";
import { loadKernel, reserveMemory, type SharedMemory } from "./kernel/kernel.ts";
import { endOtherProcesses, otherProcess } from "./other-process.fixture.ts";
import { helpersAtWork, scanHelpers } from "./scan-helpers.ts";
import { blocksOf, doneEstimates, publishScan } from "./vector-blocks.ts";
import { bankAt, layOut } from "./vector-layout.ts";
import { encodeQuery, querySketch } from "./vector-query.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-helpers-"));
afterAll(() => {
  endOtherProcesses();
  rmSync(folder, { recursive: true, force: true });
});

const DIMENSIONS = 6;
const vectorOf = (seed: number) =>
  Array.from({ length: DIMENSIONS }, (_, k) => Math.sin(seed * 12.9898 + k * 78.233) + 0.3);
/** A document of 200 chunks with ten windows each: 40,000 windows are three banks. */
const draft = (id: number, version = 0) => ({
  id: `d${id}`,
  metadata: { odd: id % 2 === 1 },
  chunks: Array.from({ length: 200 }, (_, chunk) => ({
    text: `c${chunk}`,
    vectors: Array.from({ length: 10 }, (_, window) =>
      vectorOf(id * 5_003 + version * 31 + chunk * 10 + window),
    ),
  })),
});
const opened = (path: string, helpers: number, readOnly = false) =>
  openSqliteStore({ path, readOnly, vectors: { exactUpTo: 0, candidates: 40, helpers } });
const asked = (seed: number, filtered = false) => ({
  vector: Float32Array.from(vectorOf(seed)),
  limit: 10,
  ...(filtered && { filter: { field: "odd", op: "eq", value: true } as const }),
});

async function filled(path: string, helpers: number): Promise<Store> {
  const store = await opened(path, helpers);
  for (let id = 0; id < 20; id++) await put(store, draft(id));
  return store;
}

test("helpers do all of a scan that its owner leaves to them, of several memories", {
  timeout: 30_000,
}, async () => {
  const layout = layOut(DIMENSIONS);
  const sketch = querySketch(encodeQuery(Float32Array.from(vectorOf(1))).codes);
  const all = [0, 1].map(() => {
    const kernel = loadKernel();
    reserveMemory(kernel, bankAt(layout, 4));
    const helpers = scanHelpers(kernel.memory, DIMENSIONS, 2);
    return { kernel, helpers, blocks: blocksOf(kernel, layout, 0) };
  });
  for (const { blocks, helpers, kernel } of [...all, ...all.toReversed()]) {
    reserveMemory(kernel, kernel.memory.buffer.byteLength + 2 * layout.stride);
    const scan = publishScan(blocks, sketch, [0, 2, 3, 5]);
    helpers.wake();
    for (const bank of [0, 2, 3, 5]) {
      while (doneEstimates(blocks, bank, scan) === undefined) {
        await sleep(1);
        helpers.wake();
      }
    }
    expect(doneEstimates(blocks, 1, scan)).toBeUndefined();
  }
  for (const { helpers } of all) helpers.close();
});

test("searches with helpers give what searches without give, of several stores and through changes", {
  timeout: 120_000,
}, async () => {
  const paths = ["a", "b"].map((name) => join(folder, `${name}.sqlite`));
  const stores = await Promise.all(paths.map((path) => filled(path, 2)));
  const alone = await Promise.all(paths.map((path) => opened(path, 0, true)));
  const changes = fc.array(
    fc.record({
      store: fc.constantFrom(0, 1),
      id: fc.integer({ min: 0, max: 21 }),
      version: fc.integer({ min: 0, max: 50 }),
      remove: fc.boolean(),
      seed: fc.integer({ min: 0, max: 1_000 }),
    }),
    { minLength: 1, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(changes, async (list) => {
      for (const { store: which, id, version, remove, seed } of list) {
        const [store, other] = [stores[which], alone[which]] as [Store, Store];
        const queries = [asked(seed), asked(seed + 1, true), asked(seed + 2)];
        const before = await Promise.all(queries.map((query) => other.searchVector(query)));
        // All at the same time: searches wait for one another, and see the index before the change or after it.
        const [change, ...found] = await Promise.all([
          remove ? store.deleteDocument(`d${id}`) : put(store, draft(id, version)),
          ...queries.map((query) => store.searchVector(query)),
        ]);
        expect(change === undefined).toBe(!remove);
        const after = await Promise.all(queries.map((query) => other.searchVector(query)));
        for (const [i, one] of found.entries()) expect([before[i], after[i]]).toContainEqual(one);
        expect(await Promise.all(queries.map((query) => store.searchVector(query)))).toEqual(after);
      }
    }),
    { numRuns: 8 },
  );
  await Promise.all([...stores, ...alone].map((store) => store.close()));
});

test("a store that is closed during searches refuses them, and others go on", {
  timeout: 30_000,
}, async () => {
  const [closed, open] = await Promise.all([
    filled(join(folder, "closed.sqlite"), 1),
    filled(join(folder, "open.sqlite"), 1),
  ]);
  const wanted = await open.searchVector(asked(3));
  const searches = [1, 2, 3].map((seed) =>
    closed.searchVector(asked(seed)).then(
      (found) => found.length,
      (error) => isKonteksError(error, "closed"),
    ),
  );
  await closed.close();
  for (const result of await Promise.all(searches)) expect([10, true]).toContain(result);
  expect(await open.searchVector(asked(3))).toEqual(wanted);
  expect(helpersAtWork()).toBe(1);
  await open.close();
  expect(helpersAtWork()).toBe(0);
});

test("a process ends though its store was left open", { timeout: 30_000 }, async () => {
  const path = join(folder, "left.sqlite");
  await (await filled(path, 0)).close();
  const other = otherProcess(
    path,
    `const reader = await openSqliteStore({ path, readOnly: true, vectors: { exactUpTo: 0, helpers: 2 } });
     for (let i = 0; i < 40; i++) {
       const found = await reader.searchVector({ vector: new Float32Array(${DIMENSIONS}).fill(i - 7), limit: 3 });
       if (found.length !== 3) say("wrong");
       await new Promise((resolve) => setTimeout(resolve, 5));
     }
     say("searched");`,
  );
  await other.ended;
  expect(other.errors).toEqual([]);
  expect(other.lines).toEqual(["searched"]);
  expect(other.child.exitCode).toBe(0);
});

test("when a helper dies, the search's own thread does its part", { timeout: 30_000 }, async () => {
  const store = await filled(join(folder, "dead.sqlite"), 1);
  const wanted = await store.searchVector(asked(5));
  // No memory at all: whoever takes it in fails.
  const broken = scanHelpers({} as SharedMemory, DIMENSIONS, 1);
  expect(helpersAtWork()).toBe(1);
  while (helpersAtWork() > 0) {
    broken.wake();
    await sleep(5);
    expect(await store.searchVector(asked(5))).toEqual(wanted);
  }
  for (let i = 0; i < 5; i++) expect(await store.searchVector(asked(5))).toEqual(wanted);
  expect(helpersAtWork()).toBe(0);
  broken.close();
  await store.close();
});
