import { KonteksError } from "../spec/index.ts";
import type { Session } from "./session.ts";

/** Settings of how a model writes contexts. */
export const CONTEXT_SETTINGS: readonly string[] = [
  "contextPlan",
  "contextGroupSize",
  "contextWindow",
  "contextPrompt",
  "contextDomain",
  "contextGlossary",
  "contextPrices",
];

/** Flags of commands that may call a context model. */
export const CONTEXT_FLAGS = [
  ["--batch", "write contexts through the provider's batches: half the price, up to 24 hours"],
  ["--max-cost <dollars>", "make no context call that might pass this sum; 0 makes none"],
  ["--yes", "do not ask before contexts are paid for"],
] as const;

/** What those flags say to the engine. */
export function contextOptions({ flags }: Pick<Session, "flags">): {
  readonly batch: boolean;
  readonly maxCost?: number;
} {
  const { maxCost, batch } = flags;
  return { batch: batch === true, ...(maxCost !== undefined && { maxCost: dollars(String(maxCost)) }) };
}

function dollars(text: string): number {
  const value = Number(text.replace(/^\$/, ""));
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new KonteksError("wrong-option", `--max-cost must be a sum of dollars from 0, not '${text}'.`, {
    facts: { option: "--max-cost", value: text },
  });
}
