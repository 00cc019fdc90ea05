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
  /** The memory as far as it is known to reach: asking for it takes longer than a look at it. */
  words: Int32Array;
}

export function blocksOf(kernel: Kernel, layout: Layout, thread: number): Blocks {
  return { kernel, layout, thread, words: new Int32Array(kernel.memory.buffer) };
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
  blocks.words = new Int32Array(buffer);
  const { words } = blocks;
  const at = layout.scan / 4;
  const scan = (Atomics.load(words, at + SCAN) + 1) | 0;
  Atomics.store(words, at + SCAN, scan);
  words[at + BLOCKS] = banks.length;
  words[at + COMPONENTS] = sketch.components.length;
  words[at + OFFSET] = sketch.offset;
  words[at + SHIFT] = sketch.shift;
  new Uint32Array(buffer, layout.chosen, layout.width).set(sketch.components.map((k) => k * ROW));
  new Int8Array(buffer, layout.sketch, layout.width * 8).set(inPairs(sketch.codes));
  for (const [block, bank] of banks.entries()) words[notesAt(layout, block) + LISTED] = bank;
  Atomics.store(words, at + TICKET, scan << TICKET_BITS);
  return scan;
}

/** Estimates the next block that nobody took; false when there is none. */
export function takeBlock(blocks: Blocks): boolean {
  const { layout, thread } = blocks;
  const at = layout.scan / 4;
  // Looked at first, so that tickets do not run over into the scan's number.
  if ((Atomics.load(blocks.words, at + TICKET) & TICKET_MASK) >= (blocks.words[at + BLOCKS] as number))
    return false;
  const ticket = Atomics.add(blocks.words, at + TICKET, 1);
  const scan = Atomics.load(blocks.words, at + SCAN);
  const block = ticket & TICKET_MASK;
  const isOfScan = scan << TICKET_BITS === (ticket & ~TICKET_MASK);
  if (!isOfScan || block >= (blocks.words[at + BLOCKS] as number) || !reaches(blocks, block)) return false;
  const bank = blocks.words[notesAt(layout, block) + LISTED] as number;
  if (!reaches(blocks, bank)) return false;
  estimateBank(blocks, bank);
  Atomics.store(blocks.words, notesAt(layout, bank) + thread, scan);
  return true;
}

/** Estimates a bank, whoever took it. */
export function estimateBank({ kernel, layout, thread, words }: Blocks, bank: number): number {
  const at = layout.scan / 4;
  const to = estimatesAt(layout, bank, thread);
  kernel.estimate(
    bankAt(layout, bank) + layout.rows,
    layout.chosen,
    layout.sketch,
    words[at + COMPONENTS] as number,
    words[at + OFFSET] as number,
    words[at + SHIFT] as number,
    to,
  );
  return to;
}

/** Where the estimates of a bank lie; undefined while no thread has them done. */
export function doneEstimates({ layout, words }: Blocks, bank: number, scan: number): number | undefined {
  for (let thread = 0; thread < MOST_THREADS; thread++) {
    if (Atomics.load(words, notesAt(layout, bank) + thread) === scan)
      return estimatesAt(layout, bank, thread);
  }
  return undefined;
}

/** Place of a bank's words among all. */
function notesAt(layout: Layout, bank: number): number {
  return (bankAt(layout, bank) + layout.notes) / 4;
}

/** A thread may not have seen yet how far its memory has grown. */
function reaches(blocks: Blocks, bank: number): boolean {
  const end = bankAt(blocks.layout, bank + 1);
  if (end > blocks.words.byteLength) blocks.words = new Int32Array(blocks.kernel.memory.buffer);
  return end <= blocks.words.byteLength;
}

/** Each pair of codes eight times over, as the kernel multiplies them. */
function inPairs(codes: readonly number[]): Int8Array {
  const pairs = new Int8Array(codes.length * 8);
  for (let i = 0; i < pairs.length; i++) pairs[i] = codes[(i >>> 4) * 2 + (i & 1)] ?? 0;
  return pairs;
}
