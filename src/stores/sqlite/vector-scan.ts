import { type Blocks, doneEstimates, estimateBank, publishScan, takeBlock } from "./vector-blocks.ts";
import { BANK_SHIFT, BANK_WINDOWS, byBank, type Range } from "./vector-layout.ts";
import type { QuerySketch } from "./vector-query.ts";

/** A search for the highest estimates that is under way; other threads may take part (vector-blocks.ts). */
export interface Scan {
  /** Takes part until nothing is left to take (true) or until `until`, in milliseconds of `performance.now()` (false). */
  work(until: number): boolean;
  /** Numbers of the windows with the highest estimates, ascending; what nobody has done is done first. */
  nearest(): readonly number[];
}

/** Pieces of ranges within a bank. */
interface Bank {
  readonly number: number;
  readonly pieces: Range[];
}

/**
 * Looks for the `wanted` windows in the ranges with the highest estimates, or more where some are equal. A memory has
 * one scan at a time.
 */
export function beginScan(
  blocks: Blocks,
  ranges: readonly Range[],
  sketch: QuerySketch,
  wanted: number,
): Scan {
  const banks = inBanks(ranges);
  const scan = publishScan(
    blocks,
    sketch,
    banks.map(({ number }) => number),
  );
  return {
    work(until) {
      while (takeBlock(blocks)) if (performance.now() >= until) return false;
      return true;
    },
    nearest() {
      while (takeBlock(blocks));
      return highest(blocks, banks, scan, wanted);
    },
  };
}

function inBanks(ranges: readonly Range[]): Bank[] {
  const banks: Bank[] = [];
  for (const range of ranges) {
    for (const piece of byBank(range)) {
      const number = piece.start >>> BANK_SHIFT;
      const last = banks.at(-1);
      if (last?.number === number) last.pieces.push(piece);
      else banks.push({ number, pieces: [piece] });
    }
  }
  return banks;
}

/** The bound that `wanted` estimates reach does not depend on the order of banks: those that are still in work come last. */
function highest(blocks: Blocks, banks: readonly Bank[], scan: number, wanted: number): readonly number[] {
  const { kernel, layout } = blocks;
  const { buffer } = kernel.memory;
  // Views of shared memory are filled number by number.
  kernel.clear(layout.bar, layout.found - layout.bar);
  const bar = new Uint32Array(buffer, layout.bar, 2);
  const places = new Map<Bank, number>();
  const raise = (bank: Bank, estimates: number) => {
    places.set(bank, estimates);
    for (const { start, end } of bank.pieces)
      kernel.raise(placeOf(estimates, start), end - start, wanted, layout.bar, layout.histogram);
  };
  const late = banks.filter((bank) => {
    const estimates = doneEstimates(blocks, bank.number, scan);
    if (estimates !== undefined) raise(bank, estimates);
    return estimates === undefined;
  });
  for (const bank of late)
    raise(bank, doneEstimates(blocks, bank.number, scan) ?? estimateBank(blocks, bank.number));
  const least = bar[0] as number;
  return windowsFrom(blocks, banks, places, least);
}

function windowsFrom(
  { kernel, layout }: Blocks,
  banks: readonly Bank[],
  places: ReadonlyMap<Bank, number>,
  least: number,
): readonly number[] {
  const windows: number[] = [];
  const found = new Uint32Array(kernel.memory.buffer, layout.found, BANK_WINDOWS);
  for (const bank of banks) {
    const estimates = places.get(bank) ?? 0;
    for (const { start, end } of bank.pieces) {
      const count = kernel.atLeast(placeOf(estimates, start), end - start, least, start, layout.found);
      for (let i = 0; i < count; i++) windows.push(found[i] as number);
    }
  }
  return windows;
}

/** Of a window's estimate, among those of its bank. */
function placeOf(estimates: number, window: number): number {
  return estimates + (window % BANK_WINDOWS) * 2;
}
