import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Runs what it is given one after the other, in the order it was asked for. What is asked for from inside of such work
 * is run at once: it would wait for itself.
 */
export function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  const inside = new AsyncLocalStorage<true>();
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    if (inside.getStore()) return work();
    const done = last.then(() => inside.run(true, work));
    last = done.catch(() => {});
    return done;
  };
}
