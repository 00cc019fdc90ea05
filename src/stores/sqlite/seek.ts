/** First entry from `from` on that is not below `chunk`, by steps of growing size and then by halves. */
export function seek(chunks: ArrayLike<number>, chunk: number, from: number): number {
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

/** First entry from `low` to before `high` that is not below `number`; `high` when all are. */
export function seekWithin(list: Uint32Array, number: number, low: number, high: number): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((list[middle] as number) < number) from = middle + 1;
    else to = middle;
  }
  return from;
}
