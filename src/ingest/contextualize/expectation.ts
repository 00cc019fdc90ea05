import type { ModelFacts } from "../../llm/model-facts.ts";
import type { ContextStore, ModelUsage, Usage } from "../../spec/index.ts";

/** Where it is kept; a plain store keeps nothing. */
type Memory = Partial<Pick<ContextStore, "usageOf" | "addUsage">>;

/** What plans and estimates count with: what is generally so, or what calls of the model have shown. */
export interface Expectation {
  /** The model's tokens for a text over those of `estimateTokens`. */
  readonly tokenFactor: number;
  /** Tokens of a reply for each context, asked for alone and in a group. */
  readonly singleOutput: number;
  readonly groupedOutput: number;
  /** How long a call takes over what `callSeconds` says. */
  readonly pace: number;
  /** Share of what could be read from the cache that a batch reads from it. */
  readonly batchHitRate: number;
  /** Calls it was learnt from; 0 when nothing was. */
  readonly calls: number;
}

/** Length of a context that is counted with: the upper end of what is asked for. Tokens. */
const CONTEXT_TOKENS = 100;
/** What the form of a grouped reply adds to each context. Tokens. */
const FORM_TOKENS = 12;
/** What a model thinks before a reply, told to think little; a guess until a run has shown it. Tokens. */
const THOUGHT_TOKENS = 200;
/**
 * Share of cacheable fronts that a batch is counted to read: "best effort", said to be 30 to 98 % by kind of traffic
 * (Anthropic, "Batch processing", on prompt caching).
 */
export const BATCH_HIT_RATE = 0.7;

/** Fewer contexts show nothing. */
const LEAST = 5;
/** A factor beyond these is a fault in what was reported, not a tokenizer. */
const FACTORS = { least: 0.5, most: 3 } as const;

/** A second for the provider to begin each call, and about 80 tokens written a second. */
export function callSeconds(calls: number, outputTokens: number): number {
  return calls + outputTokens / 80;
}

/** By what the store has of the model. */
export function expectationOf(facts: ModelFacts, modelId: string, store: Memory): Expectation {
  const usage = store.usageOf?.(modelId);
  const few = usage === undefined || usage.singles + usage.grouped < LEAST;
  return few ? assumed(facts) : learnt(assumed(facts), usage);
}

function assumed({ tokenFactor, reasons }: ModelFacts): Expectation {
  const thought = reasons ? THOUGHT_TOKENS : 0;
  return {
    tokenFactor,
    singleOutput: CONTEXT_TOKENS + thought,
    // A group is thought about once; the share of each is small.
    groupedOutput: CONTEXT_TOKENS + FORM_TOKENS + thought / 4,
    pace: 1,
    batchHitRate: BATCH_HIT_RATE,
    calls: 0,
  };
}

function learnt(assumed: Expectation, usage: ModelUsage): Expectation {
  const single = meanOf(usage.singleOutput, usage.singles);
  const grouped = meanOf(usage.groupedOutput, usage.grouped);
  const form = assumed.groupedOutput - assumed.singleOutput;
  const cached = usage.batchRead + usage.batchWritten;
  return {
    tokenFactor: factorOf(usage) ?? assumed.tokenFactor,
    singleOutput: single ?? (grouped === undefined ? assumed.singleOutput : grouped - form),
    groupedOutput: grouped ?? (single === undefined ? assumed.groupedOutput : single + form),
    pace: usage.expectedMs === 0 ? assumed.pace : usage.ms / usage.expectedMs,
    batchHitRate: cached === 0 ? assumed.batchHitRate : usage.batchRead / cached,
    calls: usage.calls,
  };
}

function meanOf(sum: number, count: number): number | undefined {
  return count < LEAST ? undefined : sum / count;
}

function factorOf({ input, expectedInput }: ModelUsage): number | undefined {
  if (expectedInput === 0 || input === 0) return undefined;
  return Math.min(FACTORS.most, Math.max(FACTORS.least, input / expectedInput));
}

/** A call that was answered, with what was expected of it. */
export interface Observed {
  readonly usage: Usage;
  /** Tokens of the prompt by `estimateTokens`; undefined where that is not known any more. */
  readonly expectedInput: number | undefined;
  readonly contexts: number;
  readonly grouped: boolean;
  /** Undefined for a request of a batch. */
  readonly ms: number | undefined;
}

const NOTHING: ModelUsage = {
  calls: 0,
  expectedInput: 0,
  input: 0,
  singles: 0,
  singleOutput: 0,
  grouped: 0,
  groupedOutput: 0,
  expectedMs: 0,
  ms: 0,
  batchRead: 0,
  batchWritten: 0,
};

/** Sums what calls show, to be kept once for many of them. */
export function createObserver(): { see(call: Observed): void; readonly seen: ModelUsage } {
  let seen = NOTHING;
  return {
    see(call) {
      seen = plus(seen, call);
    },
    get seen() {
      return seen;
    },
  };
}

function plus(seen: ModelUsage, { usage, expectedInput, contexts, grouped, ms }: Observed): ModelUsage {
  const inBatch = ms === undefined;
  // Servers that report no tokens say nothing of them.
  const counted = expectedInput !== undefined && usage.inputTokens > 0;
  const answered = usage.outputTokens > 0 ? contexts : 0;
  return {
    calls: seen.calls + 1,
    expectedInput: seen.expectedInput + (counted ? expectedInput : 0),
    input: seen.input + (counted ? usage.inputTokens : 0),
    singles: seen.singles + (grouped ? 0 : answered),
    singleOutput: seen.singleOutput + (grouped ? 0 : usage.outputTokens),
    grouped: seen.grouped + (grouped ? answered : 0),
    groupedOutput: seen.groupedOutput + (grouped ? usage.outputTokens : 0),
    expectedMs: seen.expectedMs + (inBatch ? 0 : callSeconds(1, usage.outputTokens) * 1_000),
    ms: seen.ms + (ms ?? 0),
    batchRead: seen.batchRead + (inBatch ? usage.cacheReadTokens : 0),
    batchWritten: seen.batchWritten + (inBatch ? usage.cacheWriteTokens : 0),
  };
}

/** Keeps it for the next estimate, in stores that can. */
export function keepSeen(store: Memory, modelId: string, seen: ModelUsage): void {
  if (seen.calls > 0) store.addUsage?.(modelId, seen);
}
