import { type AskOptions, KonteksError } from "../../spec/index.ts";

const WHOLE: readonly unknown[] = [undefined, "auto", "always", "never"];

/**
 * What a question may not ask for, told before anything is paid. Limits may be `Infinity`.
 *
 * @throws KonteksError `wrong-option`, which names the setting.
 */
export function checkAskOptions(options: AskOptions): void {
  const { whole, wholeLimit, evidenceTokens, timeLimitMs, correct, thresholds = {} } = options;
  if (!WHOLE.includes(whole)) throw wrong("whole", "one of auto, always, never", whole);
  const { maxCalls, maxCost, maxMs } = typeof correct === "object" ? correct : {};
  const limits = {
    wholeLimit,
    evidenceTokens,
    timeLimitMs,
    "correct.maxCalls": maxCalls,
    "correct.maxCost": maxCost,
    "correct.maxMs": maxMs,
  };
  for (const [name, value] of Object.entries(limits))
    if (value !== undefined && !(value >= 0)) throw wrong(name, "a number from 0", value);
  for (const [kind, value] of Object.entries(thresholds))
    if (value !== undefined && !Number.isFinite(value)) throw wrong(`thresholds.${kind}`, "a number", value);
}

function wrong(name: string, wanted: string, value: unknown): KonteksError {
  return new KonteksError("wrong-option", `${name} must be ${wanted}, not ${String(value)}.`);
}
