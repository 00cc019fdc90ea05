/** Work of one step, so that the event loop turns between steps. */
const STEP_MS = 8;

/** Cuts long work into steps: a generator that yields when a step has taken long enough. */
export interface Pace {
  /** Does `work` for each item. */
  each<T>(items: Iterable<T>, work: (item: T) => void): Generator<void, void>;
  /** Ends the step. */
  pause(): Generator<void, void>;
}

/** `begin` runs at the beginning of each step but the first. */
export function pacer(begin: () => void): Pace {
  let deadline = performance.now() + STEP_MS;
  function* pause(): Generator<void, void> {
    yield;
    deadline = performance.now() + STEP_MS;
    begin();
  }
  return {
    *each(items, work) {
      for (const item of items) {
        work(item);
        if (performance.now() > deadline) yield* pause();
      }
    },
    pause,
  };
}

/** Runs of at most `size`, and where each begins. */
export function* runsOf<T>(
  list: readonly T[],
  size: number,
): Generator<{ start: number; items: readonly T[] }> {
  for (let start = 0; start < list.length; start += size) {
    yield { start, items: list.slice(start, start + size) };
  }
}
