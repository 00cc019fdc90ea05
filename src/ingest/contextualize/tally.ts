import { costOf } from "../../llm/prices.ts";
import {
  type ContextFault,
  type ContextRunReport,
  type ModelUsage,
  NO_USAGE,
  type TokenPrices,
  type Usage,
} from "../../spec/index.ts";
import { addUsage } from "../../util/usage.ts";
import { createObserver, type Observed } from "./expectation.ts";

type Written = "single" | "grouped" | "windowed";

/** Counts what the calls for a document used and brought. */
export interface Tally {
  /** Returns what the call cost, in US dollars; 0 without a price. */
  used(call: Observed, options: { readonly lifetime: "5m" | "1h"; readonly batch?: boolean }): number;
  fault(kind: ContextFault): void;
  wrote(how: Written, contexts: number): void;
  reused(contexts: number): void;
  readonly usage: Usage;
  /** What the calls show of the model. */
  readonly seen: ModelUsage;
  report(documentId?: string): ContextRunReport;
}

export function createTally(price: TokenPrices | undefined): Tally {
  const observer = createObserver();
  let usage = NO_USAGE;
  let cost = 0;
  let reused = 0;
  const faults: Partial<Record<ContextFault, number>> = {};
  const written: Partial<Record<Written, number>> = {};
  return {
    used(call, options) {
      observer.see(call);
      usage = addUsage(usage, call.usage);
      const spent = costOf(call.usage, price, options) ?? 0;
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
    get seen() {
      return observer.seen;
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
