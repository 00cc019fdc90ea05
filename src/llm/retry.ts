import pRetry from "p-retry";
import { isKonteksError, type ProviderWait } from "../spec/index.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type Failure, isCrowding, isPassing, readFailure } from "./failure.ts";

export interface RetryOptions {
  /** How often a call may meet a crowded provider (429, 503, 529) before it is given up. Default 10. */
  readonly attempts?: number;
  /** The same for other passing failures: a server's fault, a broken connection. Default 4. */
  readonly attemptsOnFault?: number;
  /** First wait when the provider names none; doubles each time. Milliseconds, default 1,000. */
  readonly firstWaitMs?: number;
  /** Longest wait of our own choice. Milliseconds, default 60,000. */
  readonly longestWaitMs?: number;
  /** Longest wait a provider may ask for; beyond it the call fails at once. Milliseconds, default 600,000. */
  readonly longestRetryAfterMs?: number;
  readonly clock?: Clock;
}

/** A call failed for a passing reason and is made again after a wait. */
export type RetryWait = Omit<ProviderWait, "model">;

/** Repeats calls that failed for a passing reason. What one call learns of a rate limit, the others keep to. */
export interface Retrier {
  run<T>(call: () => Promise<T>, signal?: AbortSignal, onWait?: (wait: RetryWait) => void): Promise<T>;
}

const defaults = {
  attempts: 10,
  attemptsOnFault: 4,
  firstWaitMs: 1_000,
  longestWaitMs: 60_000,
  longestRetryAfterMs: 600_000,
  clock: systemClock,
} satisfies Required<RetryOptions>;

/** One retrier per model and key; calls through it share its pauses. */
export function createRetrier(options: RetryOptions = {}): Retrier {
  const settings = { ...defaults, ...options };
  let pausedUntil = 0;

  const waitForPause = async (signal: AbortSignal | undefined) => {
    for (let left = pausedUntil - settings.clock.now(); left > 0; left = pausedUntil - settings.clock.now())
      await settings.clock.sleep(left + spread(left, settings.clock), signal);
  };
  const waitAfter = async (
    failure: Failure,
    tries: Tries,
    signal: AbortSignal | undefined,
    onWait: ((wait: RetryWait) => void) | undefined,
  ) => {
    const wait = waitOf(failure, tries, settings);
    if (wait === undefined) return false;
    const crowded = isCrowding(failure);
    const of = crowded ? settings.attempts : settings.attemptsOnFault;
    const attempt = 1 + (crowded ? tries.crowded : tries.faults);
    onWait?.({ attempt, of, ms: wait, status: failure.status });
    if (crowded) pausedUntil = Math.max(pausedUntil, settings.clock.now() + wait);
    else await settings.clock.sleep(wait, signal);
    return true;
  };

  return {
    run: (call, signal, onWait) => {
      const tries: Tries = { crowded: 0, faults: 0 };
      return pRetry(
        async () => {
          signal?.throwIfAborted();
          await waitForPause(signal);
          return await call();
        },
        {
          retries: settings.attempts + settings.attemptsOnFault,
          // The waiting is done by `shouldRetry`, on the clock handed in. The library is not given the signal: it would
          // throw away a reply that came in after the signal, and that reply was paid for.
          minTimeout: 0,
          shouldRetry: async ({ error }) =>
            !signal?.aborted &&
            !isKonteksError(error) &&
            (await waitAfter(readFailure(error), tries, signal, onWait)),
        },
      );
    },
  };
}

/** How often a call failed, by kind: waiting in a crowd uses up no tries for a broken connection. */
interface Tries {
  crowded: number;
  faults: number;
}

/** Milliseconds to wait, or undefined when another try is no use. Counts the try. */
function waitOf(failure: Failure, tries: Tries, settings: Required<RetryOptions>): number | undefined {
  const kind = isCrowding(failure) ? "crowded" : "faults";
  const most = kind === "crowded" ? settings.attempts : settings.attemptsOnFault;
  tries[kind] += 1;
  if (!isPassing(failure) || tries[kind] >= most) return undefined;
  const asked = retryAfterMs(failure.headers, settings.clock.now());
  if (asked !== undefined) return asked > settings.longestRetryAfterMs ? undefined : asked;
  const wait = Math.min(settings.firstWaitMs * 2 ** (tries[kind] - 1), settings.longestWaitMs);
  return wait * (0.5 + settings.clock.random() / 2);
}

/** Those who waited together do not all come back in the same moment. At most a second, a tenth of the wait. */
function spread(wait: number, clock: Clock): number {
  return clock.random() * Math.min(wait / 10, 1_000);
}

/**
 * What the provider asks to wait. `retry-after` is seconds or a date (RFC 9110, 10.2.3); `retry-after-ms` is what
 * OpenAI's servers add and is finer.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const fine = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (fine >= 0) return fine;
  const text = headers["retry-after"]?.trim();
  if (text === undefined || text === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
