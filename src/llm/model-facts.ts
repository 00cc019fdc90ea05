/** What planning a run of calls needs to know of a model. */
export interface ModelFacts {
  /**
   * How the provider keeps the beginning of a prompt: up to places marked in the request, by itself, or not at all (or
   * nothing is known of it).
   */
  readonly caching: "breakpoints" | "automatic" | "none";
  /** Shortest beginning that is kept. Tokens. */
  readonly minCacheTokens: number;
  /** Longest prompt with its reply; where a longer one costs more for each token, the longest at the lower price. Tokens. */
  readonly windowTokens: number;
  /** Its tokens for a text over those of o200k, where its makers publish how far they differ; else 1. */
  readonly tokenFactor: number;
  /** Thinks before it replies, in tokens that count against the limit of the reply. */
  readonly reasons: boolean;
  /** Whether it can be told how much to think. */
  readonly effort: boolean;
  /** Whether a tool call can be forced. */
  readonly forcedTools: boolean;
  /** Limits of one batch; undefined where there is no batch endpoint. */
  readonly batch: { readonly requests: number; readonly bytes: number } | undefined;
}

/** A model of which nothing is known: a server of one's own, mostly, whose window is what it was started with. */
const unknown: ModelFacts = {
  caching: "none",
  minCacheTokens: Number.POSITIVE_INFINITY,
  windowTokens: 32_000,
  tokenFactor: 1,
  reasons: false,
  effort: false,
  forcedTools: true,
  batch: undefined,
};

/** Anthropic, "Batch processing", on limitations: 100,000 requests or 256 MB. */
const anthropicBatch = { requests: 100_000, bytes: 256_000_000 };
/** OpenAI, "Batch API", on `input_file_id`: 50,000 requests, 200 MB. */
const openaiBatch = { requests: 50_000, bytes: 200_000_000 };

/** Claude 4.7 and later: "approximately 30 % more tokens" than Claude Haiku 4.5 ("What's new in Claude Haiku 5.5"). */
const newTokenizer = { tokenFactor: 1.3 } as const;
const thinks = { reasons: true, effort: true } as const;

/**
 * By provider and model; the first match holds. Sources: Anthropic, "Prompt caching" (cache limitations: shortest
 * cacheable prompt by model), "Models overview" (context windows), "Pricing" (long prompts), "What's new" and "Migration
 * guide" of the newest models (their tokenizer; thinking is on; forcing a tool call is an error), OpenRouter, "Claude 5.5
 * migration" (512 tokens for all three); OpenAI, "Prompt caching"
 * (from 1,024 tokens; from GPT-5.6 on at breakpoints), "Pricing" (prompts above 272,000 tokens) and the models' own pages.
 */
const known: readonly (readonly [pattern: RegExp, facts: Partial<ModelFacts>])[] = [
  [/^anthropic.*claude-(?:sonnet|opus)-5-5/, { minCacheTokens: 512, ...claude5(), forcedTools: false }],
  [/^anthropic.*claude-haiku-5-5/, { minCacheTokens: 512, ...claude5(), windowTokens: 100_000 }],
  [/^anthropic.*claude-(?:fable|mythos)-5-[12]/, { minCacheTokens: 512, ...claude5(), forcedTools: false }],
  [/^anthropic.*claude-(?:opus|fable|mythos)-5/, { minCacheTokens: 512, ...claude5() }],
  [/^anthropic.*claude-sonnet-5/, { minCacheTokens: 1_024, ...claude5() }],
  // The documentation says 1,024; users measured twice as much.
  [/^anthropic.*claude-sonnet-4-6/, { minCacheTokens: 2_048 }],
  [/^anthropic.*claude-opus-4-8/, { minCacheTokens: 1_024, ...newTokenizer, windowTokens: 1_000_000 }],
  [/^anthropic.*claude-opus-4-7/, { minCacheTokens: 2_048, ...newTokenizer, windowTokens: 1_000_000 }],
  [/^anthropic.*claude-opus-4-[56]/, { minCacheTokens: 4_096 }],
  [/^anthropic.*claude-haiku-4-5/, { minCacheTokens: 4_096 }],
  [/^anthropic.*haiku/, { minCacheTokens: 2_048 }],
  [/^anthropic/, { minCacheTokens: 1_024 }],
  [/^openai\b(?!-).*gpt-(?:5\.[6-9]|[6-9])/, { caching: "breakpoints", windowTokens: 272_000, ...thinks }],
  [/^openai\b(?!-).*(?:gpt-5|o\d)/, { windowTokens: 272_000, ...thinks }],
  [/^openai\b(?!-).*gpt-4\.1/, { windowTokens: 1_000_000 }],
  [/^openai\b(?!-)/, {}],
  // Open models that think before they reply, whoever runs them.
  [
    /[:/](?:.*[-/])?(?:qwen3(?!.*instruct)|qwq|deepseek-r\d|deepseek-reasoner|gpt-oss|magistral)/i,
    { reasons: true },
  ],
  [/[-:](?:thinking|reasoning|reasoner)\b/i, { reasons: true }],
];

function claude5(): Partial<ModelFacts> {
  return { windowTokens: 1_000_000, ...thinks, ...newTokenizer };
}

const byProvider: readonly (readonly [RegExp, ModelFacts])[] = [
  [/^anthropic/, { ...unknown, caching: "breakpoints", windowTokens: 200_000, batch: anthropicBatch }],
  [
    /^openai\b(?!-)/,
    { ...unknown, caching: "automatic", minCacheTokens: 1_024, windowTokens: 128_000, batch: openaiBatch },
  ],
];

/** What is known of "provider:model"; the cautious assumption where nothing is. */
export function modelFacts(modelId: string): ModelFacts {
  const provider = byProvider.find(([pattern]) => pattern.test(modelId))?.[1] ?? unknown;
  const model = known.find(([pattern]) => pattern.test(modelId))?.[1] ?? {};
  return { ...provider, ...model };
}
