import { isKonteksError } from "../spec/index.ts";
import { timeoutSignal } from "../util/timer.ts";
import { toModelError } from "./errors.ts";
import { createRetrier, type Retrier, type RetryWait } from "./retry.ts";

/** How a call is made, whatever it asks for. */
export interface Call {
  /** Calls with one model object wait together when its provider is crowded. */
  readonly model: object;
  /** For messages. */
  readonly modelId: string;
  /** Ends the waiting; a call under way ends `graceMs` later. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds, default 0. */
  readonly graceMs?: number | undefined;
  /** Longest wait for a try to end, before it counts as a broken connection. Milliseconds, default 180,000. */
  readonly timeoutMs?: number | undefined;
  /** Default: one for each model object. */
  readonly retrier?: Retrier | undefined;
  /** Told before each wait for another try. */
  readonly onWait?: ((wait: RetryWait) => void) | undefined;
}

/** Tries again what fails for a passing reason. Errors: see `toModelError`. */
export async function withRetries<T>(call: Call, once: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, graceMs = 0, timeoutMs = 180_000, retrier = retrierOf(call.model) } = call;
  const last = later(signal, graceMs);
  let tries = 0;
  const oneTry = () => {
    tries++;
    return withTimeout(once, timeoutMs, last.signal);
  };
  try {
    signal?.throwIfAborted();
    return await retrier.run(oneTry, signal, call.onWait);
  } catch (error) {
    throw toModelError(error, call.modelId, call.signal, tries);
  } finally {
    last.end();
  }
}

/** Follows a signal after some time, until it is ended. */
function later(
  signal: AbortSignal | undefined,
  ms: number,
): { readonly signal: AbortSignal | undefined; end(): void } {
  if (signal === undefined || ms === 0) return { signal, end: () => {} };
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = () => {
    timer = setTimeout(() => controller.abort(signal.reason), ms);
  };
  signal.addEventListener("abort", follow, { once: true });
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", follow);
  };
  return { signal: controller.signal, end };
}

/** A server that never answers is treated like a broken connection: it may answer the next time. */
async function withTimeout<T>(
  once: (signal: AbortSignal) => Promise<T>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  const timeout = timeoutSignal(timeoutMs);
  try {
    return await once(signal ? AbortSignal.any([signal, timeout]) : timeout);
  } catch (error) {
    if (!timeout.aborted || signal?.aborted || isKonteksError(error)) throw error;
    throw Object.assign(new Error(`no answer within ${timeoutMs / 1_000} s`), {
      code: "ETIMEDOUT",
      cause: error,
    });
  }
}

const retriers = new WeakMap<object, Retrier>();

function retrierOf(model: object): Retrier {
  const known = retriers.get(model) ?? createRetrier();
  retriers.set(model, known);
  return known;
}
