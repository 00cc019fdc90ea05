/** First entry from `from` on that is not below `chunk`, by steps of growing size and then by halves. */
export function seek(chunks: Uint32Array, chunk: number, from: number): number {
  if (from >= chunks.length || (chunks[from] as number) >= chunk) return from;
  let step = 1;
  let low = from;
  while (low + step < chunks.length && (chunks[low + step] as number) < chunk) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, chunks.length);
  low++;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((chunks[middle] as number) < chunk) low = middle + 1;
    else high = middle;
  }
  return low;
}
