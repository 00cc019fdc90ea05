/** The `limit`-th best of the scores seen so far: a heap of the best, the lowest on top. */
export interface Threshold {
  /** 0 until there are `limit` scores. */
  readonly value: number;
  add(score: number): void;
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
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && (heap[child] as number) < (heap[lowest] as number)) lowest = child;
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

  return {
    get value() {
      return heap.length < limit ? 0 : (heap[0] as number);
    },
    add(score) {
      if (heap.length < limit) {
        heap.push(score);
        up(heap.length - 1);
      } else if (score > (heap[0] as number)) {
        heap[0] = score;
        down();
      }
    },
  };
}
