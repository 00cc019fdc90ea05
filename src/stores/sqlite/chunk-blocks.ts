/** Chunk numbers that share a bound, and are scored together. */
export const BLOCK_SHIFT = 7;
export const BLOCK_CHUNKS = 2 ** BLOCK_SHIFT;

export function blocksOf(chunks: number): number {
  return (chunks + BLOCK_CHUNKS - 1) >>> BLOCK_SHIFT;
}

/** Lists with fewer entries for each block of their segment are gone through; bounds of blocks would be longer. */
const LEAST_ENTRIES = 1 / 2;

export function hasBlockGains(entries: number, chunks: number): boolean {
  return entries >= LEAST_ENTRIES * blocksOf(chunks);
}
