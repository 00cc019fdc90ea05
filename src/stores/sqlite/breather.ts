import { setImmediate } from "node:timers/promises";

/** Work of one turn, in milliseconds. */
const TURN_MS = 8;

/** Called now and then in long work that only reads: gives the event loop back when the turn has taken long enough. */
export type Breathe = () => Promise<void> | undefined;

export function breather(): Breathe {
  let deadline = performance.now() + TURN_MS;
  return () => {
    if (performance.now() < deadline) return undefined;
    return setImmediate().then(() => {
      deadline = performance.now() + TURN_MS;
    });
  };
}
