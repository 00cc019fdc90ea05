/** Chunk numbers that share a bound, and are scored together. */
export const BLOCK_SHIFT = 7;
export const BLOCK_CHUNKS = 2 ** BLOCK_SHIFT;

export function blocksOf(chunks: number): number {
  return (chunks + BLOCK_CHUNKS - 1) >>> BLOCK_SHIFT;
}
