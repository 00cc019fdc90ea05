/** Timers take no more: a longer wait ends at once, with a warning. Milliseconds, 24.8 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** Milliseconds as timers take them: whole, not below 0, and as long as they can be where more is asked for. */
export function timerMs(ms: number): number {
  return Math.min(LONGEST_MS, Math.max(0, Math.ceil(ms)));
}

/** As `AbortSignal.timeout`, for any number of milliseconds: that one throws at fractions and at what it finds too long. */
export function timeoutSignal(ms: number): AbortSignal {
  return AbortSignal.timeout(timerMs(ms));
}
