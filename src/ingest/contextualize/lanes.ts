/** A document's place in the queue of calls. */
export interface Lane {
  /** `opening`: the call writes a front to the provider's cache, for calls that follow. */
  run<T>(call: () => Promise<T>, opening?: boolean): Promise<T>;
  /** How many calls the document is going to make from now on. */
  expect(calls: number): void;
  /** The document is done, whatever it was expected to make. */
  close(): void;
}

export interface LanesOptions {
  /** Calls at a time, over all documents. */
  readonly concurrency: number;
  /** How long what a call writes to the cache is sure to stay unused. Milliseconds, default 240,000. */
  readonly patienceMs?: number | undefined;
  readonly now?: (() => number) | undefined;
}

interface Waiting {
  readonly lane: number;
  readonly opening: boolean;
  readonly begin: () => void;
}

/** How long a call is taken to last before one was seen. Milliseconds. */
const FIRST_GUESS = 3_000;

/** A front is opened so long before its other calls have their turn. Milliseconds. */
const AHEAD = 5_000;

/**
 * So many calls at a time, over all documents. A free place goes to the document that began first, so that one document's
 * calls stay together; and none opens a front while the documents before it have so much left to ask that the cache would
 * have forgotten it by then (Anthropic, "Prompt caching": five minutes from its last use).
 */
export function createLanes({ concurrency, patienceMs = 240_000, now = Date.now }: LanesOptions): {
  open(): Lane;
} {
  const waiting: Waiting[] = [];
  /** Calls that lanes have not begun yet. */
  const left = new Map<number, number>();
  let running = 0;
  let lanes = 0;
  let pace = FIRST_GUESS;

  const before = (lane: number) =>
    [...left].reduce((sum, [other, calls]) => sum + (other < lane ? calls : 0), 0);
  /** Milliseconds that the documents before it are going to take. */
  const backlog = (lane: number) => (before(lane) * pace) / concurrency;
  const isTooEarly = ({ lane, opening }: Waiting) => opening && running > 0 && backlog(lane) > patienceMs;
  /** In time for the calls that follow to take the places that come free. */
  const isDue = ({ lane, opening }: Waiting) => opening && backlog(lane) <= AHEAD;

  function next(): void {
    while (running < concurrency) {
      const chosen = first(waiting.filter(isDue)) ?? first(waiting.filter((one) => !isTooEarly(one)));
      if (chosen === undefined) return;
      waiting.splice(waiting.indexOf(chosen), 1);
      running += 1;
      left.set(chosen.lane, Math.max(0, (left.get(chosen.lane) ?? 0) - 1));
      chosen.begin();
    }
  }

  return {
    open() {
      const lane = lanes++;
      return {
        async run(call, opening = false) {
          await new Promise<void>((begin) => {
            waiting.push({ lane, opening, begin });
            next();
          });
          const begun = now();
          try {
            return await call();
          } finally {
            pace = pace * 0.9 + (now() - begun) * 0.1;
            running -= 1;
            next();
          }
        },
        expect: (calls) => void left.set(lane, calls),
        close() {
          left.delete(lane);
          next();
        },
      };
    },
  };
}

function first(waiting: readonly Waiting[]): Waiting | undefined {
  return waiting.reduce<Waiting | undefined>(
    (found, one) => (found !== undefined && found.lane <= one.lane ? found : one),
    undefined,
  );
}
