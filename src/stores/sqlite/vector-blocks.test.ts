import fc from "fast-check";
import { expect, test } from "vitest";
import { loadKernel, reserveMemory } from "./kernel/kernel.ts";
import { vectorBank } from "./vector-bank.ts";
import { type Blocks, blocksOf, takeBlock } from "./vector-blocks.ts";
import { encodeVectors, type VectorCodes } from "./vector-codes.ts";
import { BANK_WINDOWS, bankAt, estimatesAt, layOut, MOST_THREADS, ROW } from "./vector-layout.ts";
import { encodeQuery, querySketch } from "./vector-query.ts";
import { beginScan } from "./vector-scan.ts";

const DIMENSIONS = 20;
const BANKS = 5;
const layout = layOut(DIMENSIONS);
const END = BANKS * BANK_WINDOWS - 100;

/** The same windows for the owner of a memory, and for other threads that take part. */
function threads(): readonly Blocks[] {
  const kernel = loadKernel();
  reserveMemory(kernel, bankAt(layout, BANKS));
  const bytes = new Uint8Array(kernel.memory.buffer);
  for (let bank = 0; bank < BANKS; bank++) {
    const rows = bankAt(layout, bank) + layout.rows;
    for (let i = 0; i < ROW * layout.width; i++) bytes[rows + i] = ((i + bank * 7) * 2_654_435_761) >>> 19;
  }
  return Array.from({ length: MOST_THREADS }, (_, thread) =>
    blocksOf(thread === 0 ? kernel : loadKernel(kernel.memory), layout, thread),
  );
}

const all = threads();
const [owner] = all as [Blocks];
const query = fc
  .array(fc.integer({ min: -100, max: 100 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((vector) => querySketch(encodeQuery(Float32Array.from(vector)).codes));
const ranges = fc
  .uniqueArray(fc.integer({ min: 0, max: END }), { minLength: 2, maxLength: 12 })
  .map((ends) => ends.toSorted((a, b) => a - b))
  .map((ends) => ends.flatMap((start, i) => (i % 2 === 0 ? [{ start, end: ends[i + 1] ?? END }] : [])));
/** What happens while the owner does other things: a thread does a block, or takes one and is never heard of again. */
const events = fc.array(
  fc.record({ thread: fc.integer({ min: 1, max: MOST_THREADS - 1 }), stops: fc.boolean() }),
  { maxLength: 8 },
);

function nextTicket({ kernel }: Blocks): void {
  Atomics.add(new Int32Array(kernel.memory.buffer, layout.scan, 2), 1, 1);
}

test("whoever does what, and whoever stops in the middle, the same windows are found", () => {
  fc.assert(
    fc.property(
      query,
      ranges,
      fc.integer({ min: 1, max: 40_000 }),
      events,
      (sketch, where, wanted, happened) => {
        const alone = beginScan(owner, where, sketch, wanted).nearest();
        const scan = beginScan(owner, where, sketch, wanted);
        for (const { thread, stops } of happened) {
          if (stops) nextTicket(owner);
          else takeBlock(all[thread] as Blocks);
        }
        expect(scan.nearest()).toEqual(alone);
        const size = where.reduce((sum, { start, end }) => sum + end - start, 0);
        expect(alone.length).toBeGreaterThanOrEqual(Math.min(wanted, size));
      },
    ),
    { numRuns: 50 },
  );
});

test("what a thread writes for a scan that is over is not taken for the next one's", () => {
  const sketches = fc.sample(query, { numRuns: 2, seed: 1 });
  const where = [{ start: 0, end: END }];
  const [first, second] = sketches.map((sketch) => () => beginScan(owner, where, sketch, 50));
  const wanted = second?.().nearest();
  first?.();
  for (let i = 0; i < BANKS; i++) takeBlock(all[1] as Blocks);
  const scan = second?.();
  const late = new Uint16Array(owner.kernel.memory.buffer, estimatesAt(layout, 2, 1), BANK_WINDOWS);
  late.fill(65_000);
  expect(scan?.nearest()).toEqual(wanted);
});

test("threads that have not seen a memory grow leave its end to its owner", () => {
  const { kernel } = owner;
  const before = kernel.memory.buffer;
  const behind: Blocks = {
    ...owner,
    thread: 1,
    words: new Int32Array(before),
    kernel: { ...kernel, memory: { ...kernel.memory, buffer: before } },
  };
  reserveMemory(kernel, before.byteLength + 3 * layout.stride);
  const where = [{ start: 0, end: END + 2 * BANK_WINDOWS }];
  const [sketch] = fc.sample(query, { numRuns: 1, seed: 2 });
  if (!sketch) throw new Error("no query");
  const alone = beginScan(owner, where, sketch, 20).nearest();
  const scan = beginScan(owner, where, sketch, 20);
  let taken = 0;
  while (takeBlock(behind)) taken++;
  expect(taken).toBe(BANKS);
  expect(scan.nearest()).toEqual(alone);
});

test("a thread stops where its time is over, and goes on where it stopped", () => {
  const [sketch] = fc.sample(query, { numRuns: 1, seed: 3 });
  if (!sketch) throw new Error("no query");
  const where = [{ start: 0, end: END }];
  const alone = beginScan(owner, where, sketch, 30).nearest();
  const scan = beginScan(owner, where, sketch, 30);
  const worked = Array.from({ length: BANKS + 1 }, () => scan.work(0));
  expect(worked).toEqual([...Array.from({ length: BANKS }, () => false), true]);
  expect(scan.nearest()).toEqual(alone);
});

test("windows that are put while a scan is under way do not change what it finds", () => {
  const codesOf = (from: number, count: number) =>
    encodeVectors(
      Array.from({ length: count }, (_, i) => [
        Float32Array.from({ length: DIMENSIONS }, (_, k) => Math.sin((from + i) * (k + 1))),
      ]),
    ) as VectorCodes;
  const bank = vectorBank(DIMENSIONS);
  bank.put(0, codesOf(0, 17_003));
  const asked = bank.ask(Float32Array.from({ length: DIMENSIONS }, (_, k) => k - 9));
  const where = [{ start: 0, end: 17_003 }];
  const alone = bank.scan(asked, where, 40).nearest();
  const scan = bank.scan(asked, where, 40);
  bank.put(17_003, codesOf(17_003, 20_000));
  bank.settle();
  expect(scan.nearest()).toEqual(alone);
});
