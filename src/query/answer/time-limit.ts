import { type AskOptions, KonteksError, type ProviderWait } from "../../spec/index.ts";
import { timeoutSignal } from "../../util/timer.ts";

/** Runs work with a signal that ends when the question's time is over; that is told apart from a stop by the user. */
export async function withinTime<T>(
  options: AskOptions,
  work: (options: AskOptions) => Promise<T>,
): Promise<T> {
  const { timeLimitMs: ms, signal, onWait } = options;
  if (ms === undefined) return work(options);
  let last: ProviderWait | undefined;
  const timeout = timeoutSignal(Math.max(1, ms));
  try {
    return await work({
      ...options,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      onWait: (wait) => {
        last = wait;
        onWait?.(wait);
      },
    });
  } catch (cause) {
    if (!timeout.aborted || signal?.aborted) throw cause;
    const why = last === undefined ? "" : ` ${last.model} ${whatFailed(last)} at ${tries(last.attempt - 1)}.`;
    const message = `There was no answer within ${ms / 1_000} s.${why} Allow more time, or ask again later.`;
    throw new KonteksError("aborted", message, { facts: { timeLimitMs: ms }, cause });
  }
}

function whatFailed({ status }: ProviderWait): string {
  return status === undefined ? "did not answer" : `could not serve (status ${status})`;
}

function tries(count: number): string {
  return count === 1 ? "the first try" : `${count} tries`;
}
