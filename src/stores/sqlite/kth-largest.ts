/**
 * The `k`-th largest of some numbers, k from 1; the lowest where there are fewer than k. Changes their order. Linear time
 * on average: Hoare, "Algorithm 65: Find", CACM 4(7), 1961.
 */
export function kthLargest(values: Float64Array, k: number): number {
  const wanted = Math.min(k, values.length) - 1;
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const pivot = values[(low + high) >>> 1] as number;
    let [left, right] = [low, high];
    while (left <= right) {
      while ((values[left] as number) > pivot) left++;
      while ((values[right] as number) < pivot) right--;
      if (left > right) break;
      const kept = values[left] as number;
      values[left++] = values[right] as number;
      values[right--] = kept;
    }
    if (wanted <= right) high = right;
    else if (wanted >= left) low = left;
    else break;
  }
  return values[wanted] ?? Number.NEGATIVE_INFINITY;
}
