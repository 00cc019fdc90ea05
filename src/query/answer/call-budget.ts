import { estimateTokens } from "../../llm/estimate-tokens.ts";
import { costOf, priceOf } from "../../llm/prices.ts";
import { type CorrectOptions, NO_USAGE } from "../../spec/index.ts";
import { timeoutSignal } from "../../util/timer.ts";
import type { Caller } from "./caller.ts";
import { GRADE_OUTPUT_TOKENS } from "./grade.ts";

const DEFAULTS = { maxCalls: 3, maxMs: 30_000 } as const;

/** What corrective retrieval may still do. */
export interface CallBudget {
  /** Why a call with this prompt must not be made; undefined when it may. */
  refusal(prompt: string, outputTokens?: number): string | undefined;
  used(): void;
  overTime(): boolean;
  /** Ends when the time is over, or with the signal that is given. */
  signal(signal: AbortSignal | undefined): AbortSignal;
}

export function createCallBudget(caller: Caller, options: CorrectOptions): CallBudget {
  const { maxCalls, maxMs } = { ...DEFAULTS, ...options };
  const begun = performance.now();
  const before = caller.calls.length;
  const price = priceOf(caller.modelId);
  let calls = 0;
  const left = () => maxMs - (performance.now() - begun);
  const spent = () => caller.calls.slice(before).reduce((sum, { cost = 0 }) => sum + cost, 0);
  return {
    refusal(prompt, outputTokens = GRADE_OUTPUT_TOKENS) {
      if (calls >= maxCalls) return `all ${maxCalls} calls are used`;
      if (left() <= 0) return `the time of ${maxMs} ms is over`;
      const usage = {
        ...NO_USAGE,
        calls: 1,
        inputTokens: estimateTokens(prompt),
        outputTokens,
      };
      const highest = costOf(usage, price) ?? 0;
      if (options.maxCost !== undefined && spent() + highest > options.maxCost)
        return `it could cost more than the ${options.maxCost} dollars that are allowed`;
      return undefined;
    },
    used: () => void calls++,
    overTime: () => left() <= 0,
    signal(signal) {
      const timeout = timeoutSignal(Math.max(1, left()));
      return signal ? AbortSignal.any([signal, timeout]) : timeout;
    },
  };
}
