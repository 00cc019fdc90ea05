/** The `limit`-th best of the scores seen so far: a heap of the best, the lowest on top. */
export interface Threshold {
  /** 0 until there are `limit` scores. */
  readonly value: number;
  /** Gives the new value. */
  add(score: number): number;
}

export function threshold(limit: number): Threshold {
  const heap: number[] = [];

  function up(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >>> 1;
      if ((heap[parent] as number) <= (heap[at] as number)) return;
      swap(parent, at);
      at = parent;
    }
  }

  function down(): void {
    for (let at = 0; ; ) {
      let lowest = at;
      const first = 2 * at + 1;
      for (let child = first; child < first + 2 && child < heap.length; child++) {
        if ((heap[child] as number) < (heap[lowest] as number)) lowest = child;
      }
      if (lowest === at) return;
      swap(lowest, at);
      at = lowest;
    }
  }

  function swap(a: number, b: number): void {
    const kept = heap[a] as number;
    heap[a] = heap[b] as number;
    heap[b] = kept;
  }

  const value = () => (heap.length < limit ? 0 : (heap[0] as number));
  return {
    get value() {
      return value();
    },
    add(score) {
      if (heap.length < limit) {
        heap.push(score);
        up(heap.length - 1);
      } else if (score > (heap[0] as number)) {
        heap[0] = score;
        down();
      }
      return value();
    },
  };
}
