import { type AskOptions, KonteksError, type Turn } from "../../spec/index.ts";

const WHOLE: readonly unknown[] = [undefined, "auto", "always", "never"];

/**
 * What a question may not ask for, told before anything is paid. Limits may be `Infinity`.
 *
 * @throws KonteksError `wrong-option`, which names the setting.
 */
export function checkAskOptions(options: AskOptions): void {
  const { history = [], whole, wholeLimit, evidenceTokens, timeLimitMs, correct, thresholds = {} } = options;
  if (!Array.isArray(history) || !history.every(isTurn))
    throw new KonteksError(
      "wrong-option",
      "history must be a list of turns, each with a question and an answer.",
    );
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

function isTurn(turn: Partial<Turn> | null): boolean {
  return typeof turn?.question === "string" && typeof turn.answer === "string";
}

function wrong(name: string, wanted: string, value: unknown): KonteksError {
  return new KonteksError("wrong-option", `${name} must be ${wanted}, not ${String(value)}.`);
}
