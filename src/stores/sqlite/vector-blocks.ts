import type { Kernel } from "./kernel/kernel.ts";
import { bankAt, estimatesAt, type Layout, MOST_THREADS, ROW } from "./vector-layout.ts";
import type { QuerySketch } from "./vector-query.ts";

/*
 * A scan is cut into blocks, a bank each. Threads take tickets for them, one after the other, from a word in the shared
 * memory, and write estimates to a place of their own, so that it does not matter who does what, or whether a thread
 * stops in the middle: the owner of the memory does what it does not find done. It never waits.
 *
 * The memory's owner publishes a scan when the one before is over. A thread that was held up may then still read what
 * belongs to that one, or half of it; it marks its block with the number of the scan whose ticket it took, and nobody
 * looks for that number any more. All it can read leads to places in the memory, whatever the mixture.
 */

/** A memory as a thread sees it. Thread 0 owns it. */
export interface Blocks {
  readonly kernel: Kernel;
  readonly layout: Layout;
  readonly thread: number;
}

/** Words of the scan under way. The ticket's high bits are the scan's number, its low ones that of the next block. */
const [SCAN, TICKET, BLOCKS, COMPONENTS, OFFSET, SHIFT] = [0, 1, 2, 3, 4, 5];
const TICKET_BITS = 20;
const TICKET_MASK = 2 ** TICKET_BITS - 1;
/** A bank's words: who has done it in which scan, by thread; and the bank that is the block of this bank's number. */
const LISTED = MOST_THREADS;

/** Makes a scan over some banks the one under way; gives its number. */
export function publishScan(blocks: Blocks, sketch: QuerySketch, banks: readonly number[]): number {
  const { kernel, layout } = blocks;
  const { buffer } = kernel.memory;
  const words = scanWords(blocks);
  const scan = (Atomics.load(words, SCAN) + 1) | 0;
  Atomics.store(words, SCAN, scan);
  words[BLOCKS] = banks.length;
  words[COMPONENTS] = sketch.components.length;
  words[OFFSET] = sketch.offset;
  words[SHIFT] = sketch.shift;
  new Uint32Array(buffer, layout.chosen, layout.width).set(sketch.components.map((k) => k * ROW));
  new Int8Array(buffer, layout.sketch, layout.width * 8).set(inPairs(sketch.codes));
  for (const [block, bank] of banks.entries()) bankWords(blocks, block)[LISTED] = bank;
  Atomics.store(words, TICKET, scan << TICKET_BITS);
  return scan;
}

/** Estimates the next block that nobody took; false when there is none. */
export function takeBlock(blocks: Blocks): boolean {
  const words = scanWords(blocks);
  // Looked at first, so that tickets do not run over into the scan's number.
  if ((Atomics.load(words, TICKET) & TICKET_MASK) >= (words[BLOCKS] as number)) return false;
  const ticket = Atomics.add(words, TICKET, 1);
  const scan = Atomics.load(words, SCAN);
  const block = ticket & TICKET_MASK;
  if (scan << TICKET_BITS !== (ticket & ~TICKET_MASK) || block >= (words[BLOCKS] as number)) return false;
  if (!isWithin(blocks, block)) return false;
  const bank = bankWords(blocks, block)[LISTED] as number;
  if (!isWithin(blocks, bank)) return false;
  estimateBank(blocks, bank);
  Atomics.store(bankWords(blocks, bank), blocks.thread, scan);
  return true;
}

/** Estimates a bank, whoever took it. */
export function estimateBank(blocks: Blocks, bank: number): number {
  const { kernel, layout, thread } = blocks;
  const words = scanWords(blocks);
  const [count, offset, shift] = [words[COMPONENTS], words[OFFSET], words[SHIFT]] as number[];
  const to = estimatesAt(layout, bank, thread);
  const rows = bankAt(layout, bank) + layout.rows;
  kernel.estimate(rows, layout.chosen, layout.sketch, count ?? 0, offset ?? 0, shift ?? 0, to);
  return to;
}

/** Where the estimates of a bank lie; undefined while no thread has them done. */
export function doneEstimates(blocks: Blocks, bank: number, scan: number): number | undefined {
  const words = bankWords(blocks, bank);
  for (let thread = 0; thread < MOST_THREADS; thread++) {
    if (Atomics.load(words, thread) === scan) return estimatesAt(blocks.layout, bank, thread);
  }
  return undefined;
}

function scanWords({ kernel, layout }: Blocks): Int32Array {
  return new Int32Array(kernel.memory.buffer, layout.scan, 6);
}

function bankWords({ kernel, layout }: Blocks, bank: number): Int32Array {
  return new Int32Array(kernel.memory.buffer, bankAt(layout, bank) + layout.notes, MOST_THREADS + 1);
}

/** A thread may not have seen yet how far its memory has grown. */
function isWithin({ kernel, layout }: Blocks, bank: number): boolean {
  return bankAt(layout, bank + 1) <= kernel.memory.buffer.byteLength;
}

/** Each pair of codes eight times over, as the kernel multiplies them. */
function inPairs(codes: readonly number[]): Int8Array {
  const pairs = new Int8Array(codes.length * 8);
  for (let i = 0; i < pairs.length; i++) pairs[i] = codes[(i >>> 4) * 2 + (i & 1)] ?? 0;
  return pairs;
}
