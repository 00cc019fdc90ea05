import { costOf } from "../../llm/prices.ts";
import {
  type ContextFault,
  type ContextRunReport,
  NO_USAGE,
  type TokenPrices,
  type Usage,
} from "../../spec/index.ts";
import { addUsage } from "../../util/usage.ts";

type Written = "single" | "grouped" | "windowed";

/** Counts what the calls for a document used and brought. */
export interface Tally {
  used(usage: Usage, options: { readonly lifetime: "5m" | "1h"; readonly batch?: boolean }): number;
  fault(kind: ContextFault): void;
  wrote(how: Written, contexts: number): void;
  reused(contexts: number): void;
  readonly usage: Usage;
  report(documentId?: string): ContextRunReport;
}

export function createTally(price: TokenPrices | undefined): Tally {
  let usage = NO_USAGE;
  let cost = 0;
  let reused = 0;
  const faults: Partial<Record<ContextFault, number>> = {};
  const written: Partial<Record<Written, number>> = {};
  return {
    used(call, options) {
      usage = addUsage(usage, call);
      const spent = costOf(call, price, options) ?? 0;
      cost += spent;
      return spent;
    },
    fault(kind) {
      faults[kind] = (faults[kind] ?? 0) + 1;
    },
    wrote(how, contexts) {
      written[how] = (written[how] ?? 0) + contexts;
    },
    reused(contexts) {
      reused += contexts;
    },
    get usage() {
      return usage;
    },
    report(documentId) {
      const rate = usage.cacheReadTokens / Math.max(1, usage.inputTokens);
      return {
        ...(price && { cost }),
        faults,
        written,
        reused,
        cacheHitRates: documentId !== undefined && usage.calls > 1 ? [{ documentId, rate }] : [],
      };
    },
  };
}
