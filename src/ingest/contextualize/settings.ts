import type { GenerateReply } from "../../llm/ai.ts";
import { createBudget } from "../../llm/budget.ts";
import { type ModelFacts, modelFacts } from "../../llm/model-facts.ts";
import { priceOf } from "../../llm/prices.ts";
import type { Retrier } from "../../llm/retry.ts";
import type {
  ContextOptions,
  ContextPlan,
  ContextStore,
  LanguageModel,
  TokenPrices,
} from "../../spec/index.ts";
import { countTokens } from "../../text/count-tokens.ts";
import type { ContextRun } from "./contextualize.ts";
import { type Expectation, expectationOf } from "./expectation.ts";
import type { PlanSettings } from "./plan.ts";
import { type Recipe, recipeOf } from "./recipe.ts";

/** Where contexts are kept and looked up. The second part is what an index's store has beyond a plain one. */
export type ContextKeeper = Pick<ContextStore, "get" | "put"> &
  Partial<
    Pick<
      ContextStore,
      "find" | "putAll" | "use" | "batches" | "putBatch" | "deleteBatch" | "usageOf" | "addUsage"
    >
  >;

export interface LlmContextualizerOptions extends ContextOptions {
  /** Or what loads it, when the first call is to be made: nothing else needs it. */
  readonly model: LanguageModel | (() => Promise<LanguageModel>);
  /** Part of every context's identity, e.g. "anthropic:claude-haiku-4-5". */
  readonly modelId: string;
  /** Where contexts are kept; what is there is not asked for again. */
  readonly contextStore: ContextKeeper;
  /** Calls in flight, over all documents. Default 10. */
  readonly concurrency?: number | undefined;
  /** Longest context, in the model's tokens; scripts that take more tokens and models that think get more. Default 200. */
  readonly maxTokens?: number | undefined;
  /** Default "auto". */
  readonly plan?: ContextPlan | undefined;
  /** Most chunks in one call of a grouped plan. Default 12. */
  readonly groupSize?: number | undefined;
  /** Longest document that is sent whole, in tokens. Default: nine tenths of what the model reads. */
  readonly windowTokens?: number | undefined;
  /** Prices that go before the table's, by model. */
  readonly prices?: Readonly<Record<string, TokenPrices>> | undefined;
  /** The AI SDK provider that runs batches; without one there are none. */
  readonly batchProvider?: (() => Promise<object | undefined>) | undefined;
  /** First wait between two looks at a batch; it grows to a minute. Milliseconds, default 5,000. */
  readonly pollMs?: number | undefined;
  /** How old a batch must be that no listing shows, to count as never started. Milliseconds, default 15,000. */
  readonly settleMs?: number | undefined;
  /** How long calls under way may go on after the run was stopped. Milliseconds, default 30,000. */
  readonly graceMs?: number | undefined;
  readonly retrier?: Retrier | undefined;
  /** Where the text goes, for people. Default: the provider's own host, where it is known. */
  readonly host?: string | undefined;
}

/** The options with everything worked out. */
export interface Settings extends Omit<LlmContextualizerOptions, "plan" | "model"> {
  /** Errors: as those of loading it. */
  readonly loadModel: () => Promise<LanguageModel>;
  readonly recipe: Recipe;
  readonly facts: ModelFacts;
  readonly price: TokenPrices | undefined;
  readonly planning: PlanSettings;
  readonly expected: Expectation;
  /** Set once a reply shows that the model thinks before it replies: from then on replies get more room. */
  readonly thinking: { seen: boolean };
  /** Largest group that is asked for, and how many in a row came back in a form that cannot be told apart. */
  readonly groups: { most: number; strikes: number };
}

const defaultMaxTokens = 200;
const defaultGroupSize = 12;
/** Room for the chunk, the request and the reply behind the longest front. Tokens. */
const room = 6_000;

export function settingsOf({ model, plan = "auto", ...options }: LlmContextualizerOptions): Settings {
  const { modelId, groupSize = defaultGroupSize, windowTokens } = options;
  const facts = modelFacts(modelId);
  const recipe = recipeOf(modelId, options);
  const frontLimit = windowTokens ?? Math.max(4_000, Math.floor(facts.windowTokens * 0.9) - room);
  const price = priceOf(modelId, options.prices);
  const expected = expectationOf(facts, modelId, options.contextStore);
  return {
    ...options,
    loadModel: typeof model === "function" ? model : async () => model,
    recipe,
    facts,
    price,
    planning: { plan, groupSize, facts, frontLimit, batch: false, recipe, ...planningBy(expected, price) },
    expected,
    thinking: { seen: facts.reasons },
    groups: { most: groupSize, strikes: 0 },
  };
}

/** The same, with what calls have shown since. */
export function informed(settings: Settings): Settings {
  const { facts, modelId, contextStore, planning, price, groups } = settings;
  const expected = expectationOf(facts, modelId, contextStore);
  const groupSize = Math.min(planning.groupSize, groups.most);
  return { ...settings, expected, planning: { ...planning, ...planningBy(expected, price), groupSize } };
}

/** Wrong forms until groups are made smaller. */
const STRIKES = 2;

/** A model that cannot keep to the form is not asked for such groups again, document after document. */
export function noteForm({ groups }: Pick<Settings, "groups">, size: number, isRight: boolean): void {
  groups.strikes = isRight ? 0 : groups.strikes + 1;
  if (groups.strikes < STRIKES) return;
  groups.most = Math.min(groups.most, Math.floor(size / 2));
  groups.strikes = 0;
}

function planningBy({ tokenFactor, batchHitRate }: Expectation, price: TokenPrices | undefined) {
  return { tokenFactor, leastInBatch: leastInBatch(batchHitRate, price) };
}

/**
 * Of n calls over one front the first writes it, and of the others a share h reads it while the rest writes it again:
 * w + (n − 1)((1 − h)w + hr) against n, with the prices w of writing and r of reading over that of plain input.
 */
export function leastInBatch(hitRate: number, price: TokenPrices | undefined): number {
  const { input, cacheWrite = input, cacheWriteLong = cacheWrite, cacheRead = input } = price ?? CLAUDE_LIKE;
  const write = cacheWriteLong / input;
  const saved = 1 - (1 - hitRate) * write - (hitRate * cacheRead) / input;
  return saved <= 0 ? Number.POSITIVE_INFINITY : Math.max(2, Math.floor((write - 1) / saved) + 2);
}

const CLAUDE_LIKE: TokenPrices = { input: 1, output: 5, cacheWriteLong: 2, cacheRead: 0.1 };

const denseLatin: ReadonlySet<string> = new Set(["en", "id", "ms", "es", "pt", "fr", "it", "de", "nl"]);
/** Thinking counts against the limit of a reply. */
const thinkingTokens = 1_500;

type Limits = Pick<Settings, "maxTokens" | "thinking">;

/** Longest context. Tokens. */
export function contextLimit(
  { maxTokens = defaultMaxTokens }: Pick<Settings, "maxTokens">,
  language: string | undefined,
): number {
  const dense = language === undefined || denseLatin.has(language);
  return Math.ceil(dense ? maxTokens : maxTokens * 1.6);
}

/** Longest reply about so many chunks, with what is thought before it. Tokens. */
export function replyLimit(settings: Limits, language: string | undefined, chunks: number): number {
  const one = contextLimit(settings, language);
  return (chunks === 1 ? one : chunks * (one + 15)) + (settings.thinking.seen ? thinkingTokens : 0);
}

/** A reply that was cut off long before its words came to the limit: the model spent it on thinking. */
export function noteThinking(
  settings: Pick<Settings, "thinking">,
  reply: GenerateReply,
  limit: number,
): void {
  if (reply.finishReason === "length" && countTokens(reply.text) < limit / 2) settings.thinking.seen = true;
}

/** A run that nothing limits. */
export function freeRun(): ContextRun {
  return { budget: createBudget(Number.POSITIVE_INFINITY), stopped: undefined };
}
