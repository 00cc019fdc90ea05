import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Below this a process is left to itself. */
const enough = 176 * 1024 * 1024;
/** How much it must have grown since it was last cleaned. */
const growth = 32 * 1024 * 1024;

interface Collection {
  readonly type: "major";
  readonly execution: "sync";
  /** Gives the pages of the heap back to the system; else they are kept for later, however much they are. */
  readonly flavor: "last-resort";
}

let cleaned = 0;
let collect: ((how: Collection) => void) | undefined;

/**
 * Bytes that the process holds behind a task. What a large file left is given back first: the engine keeps it for
 * later, and a process that starts anew has to warm up again.
 */
export function heldAfterTask(): number {
  const held = process.memoryUsage.rss();
  if (held < Math.max(enough, cleaned + growth)) return held;
  collect ??= collector();
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
  cleaned = process.memoryUsage.rss();
  return cleaned;
}

function collector(): (how: Collection) => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as (how: Collection) => void;
}
