import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Below this a heap is left to itself. */
const enough = 96 * 1024 * 1024;
/** How much it must have grown since it was last cleaned. */
const growth = 48 * 1024 * 1024;

let cleaned = 0;
let collect: (() => void) | undefined;

/**
 * Bytes that the heap holds behind a task. What a large file left is given back first: the engine keeps it for
 * later, and a process that starts anew has to warm up again.
 */
export function heapAfterTask(): number {
  const held = getHeapStatistics().total_heap_size;
  if (held < Math.max(enough, cleaned + growth)) return held;
  collect ??= collector();
  collect();
  cleaned = getHeapStatistics().total_heap_size;
  return cleaned;
}

function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
