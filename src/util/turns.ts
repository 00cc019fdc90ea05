/** When some have waited for so long, more get a turn: there is much to do, or one in work is held up. */
const patienceMs = 1000;

/**
 * Gives turns to those that ask, first come first served: `size` at a time, and `most` when some have been waiting for
 * long. What a turn gives is called at its end.
 */
export function createTurns(size: number, most: number): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let inWork = 0;
  /** Since when there is always someone waiting. */
  let since = 0;
  let looking: NodeJS.Timeout | undefined;

  function admit(): void {
    const room = performance.now() - since < patienceMs ? size : most;
    while (waiting.length > 0 && inWork < room) waiting.shift()?.();
    if (waiting.length > 0) looking ??= setInterval(admit, patienceMs / 2);
    else {
      clearInterval(looking);
      looking = undefined;
    }
  }

  function end(): void {
    inWork--;
    admit();
  }

  return () =>
    new Promise((resolve) => {
      if (waiting.length === 0) since = performance.now();
      waiting.push(() => {
        inWork++;
        resolve(end);
      });
      admit();
    });
}
