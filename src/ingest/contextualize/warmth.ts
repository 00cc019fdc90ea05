/** Lets calls with the same front through so that only one of them writes it to the provider's cache. */
export interface Warmth {
  /** Waits while another call is writing. */
  ready(): Promise<void>;
  /** Whether the next call is going to write. */
  isCold(): boolean;
  run<T>(call: () => Promise<T>): Promise<T>;
}

/** Nothing to wait for: the front is not cached. */
export const noWarmth: Warmth = { ready: async () => {}, isCold: () => false, run: (call) => call() };

/**
 * One call at a time until one has succeeded: the cache can be read only once the response that writes it has begun
 * (Anthropic, "Prompt caching"), so that ten at once would all pay for writing it. Every use renews the lifetime, which
 * counts from the start of a request; when it has passed without a use, one call goes first again.
 */
export function createWarmth(lifetimeMs: number, now: () => number = Date.now): Warmth {
  let warmUntil = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> | undefined;
  const safe = lifetimeMs * 0.9;

  async function ready(): Promise<void> {
    while (now() >= warmUntil && writing !== undefined) await writing;
  }

  async function first<T>(call: () => Promise<T>): Promise<T> {
    let done = () => {};
    writing = new Promise((resolve) => {
      done = resolve;
    });
    const start = now();
    try {
      const result = await call();
      warmUntil = Math.max(warmUntil, start + safe);
      return result;
    } finally {
      writing = undefined;
      done();
    }
  }

  return {
    ready,
    isCold: () => now() >= warmUntil,
    async run(call) {
      // Nothing may come between the look and the writing, or two would go first.
      while (now() >= warmUntil) {
        if (writing === undefined) return first(call);
        await writing;
      }
      const start = now();
      const result = await call();
      warmUntil = Math.max(warmUntil, start + safe);
      return result;
    },
  };
}
