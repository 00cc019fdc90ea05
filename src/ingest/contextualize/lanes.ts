/** A document's place in the queue of calls. */
export interface Lane {
  run<T>(call: () => Promise<T>): Promise<T>;
}

/**
 * So many calls at a time, over all documents. A free place goes to the document that began first, so that one document's
 * calls stay together and what the provider keeps for them does not expire meanwhile.
 */
export function createLanes(concurrency: number): { open(): Lane } {
  const waiting: { readonly lane: number; readonly begin: () => void }[] = [];
  let running = 0;
  let lanes = 0;

  const next = () => {
    if (running >= concurrency || waiting.length === 0) return;
    let first = 0;
    for (const [index, { lane }] of waiting.entries()) if (lane < (waiting[first]?.lane ?? 0)) first = index;
    const [chosen] = waiting.splice(first, 1);
    running += 1;
    chosen?.begin();
  };
  const place = (lane: number) =>
    new Promise<void>((begin) => {
      waiting.push({ lane, begin });
      next();
    });

  return {
    open() {
      const lane = lanes++;
      return {
        async run(call) {
          await place(lane);
          try {
            return await call();
          } finally {
            running -= 1;
            next();
          }
        },
      };
    },
  };
}
