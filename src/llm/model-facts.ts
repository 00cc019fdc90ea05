/** What planning a run of calls needs to know of a model. */
export interface ModelFacts {
  /**
   * How the provider keeps the beginning of a prompt: up to places marked in the request, by itself, or not at all (or
   * nothing is known of it).
   */
  readonly caching: "breakpoints" | "automatic" | "none";
  /** Shortest beginning that is kept. Tokens. */
  readonly minCacheTokens: number;
  /** Longest prompt with its reply. Tokens. */
  readonly windowTokens: number;
  /** Thinks before it replies, in tokens that count against the limit of the reply. */
  readonly reasons: boolean;
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
  reasons: false,
  forcedTools: true,
  batch: undefined,
};

/** Anthropic, "Batch processing", on limitations: 100,000 requests or 256 MB. */
const anthropicBatch = { requests: 100_000, bytes: 256_000_000 };
/** OpenAI, "Batch API", on `input_file_id`: 50,000 requests, 200 MB. */
const openaiBatch = { requests: 50_000, bytes: 200_000_000 };

/**
 * By provider and model; the first match holds. Sources: Anthropic, "Prompt caching" (cache limitations: shortest
 * cacheable prompt by model), "Models overview" (context windows), "Migration guide" of the newest models (forcing a
 * tool call is an error); OpenAI, "Prompt caching" (from 1,024 tokens; from GPT-5.6 on at breakpoints) and the models'
 * own pages (context windows).
 */
const known: readonly (readonly [pattern: RegExp, facts: Partial<ModelFacts>])[] = [
  [/^anthropic.*claude-(?:sonnet|opus)-5-5/, { minCacheTokens: 1_024, ...claude5(), forcedTools: false }],
  [/^anthropic.*claude-haiku-5/, { minCacheTokens: 4_096, ...claude5() }],
  [/^anthropic.*claude-(?:fable|mythos)-5-[12]/, { minCacheTokens: 512, ...claude5(), forcedTools: false }],
  [/^anthropic.*claude-(?:opus|fable|mythos)-5/, { minCacheTokens: 512, ...claude5() }],
  [/^anthropic.*claude-sonnet-5/, { minCacheTokens: 1_024, ...claude5() }],
  // The documentation says 1,024; users measured twice as much.
  [/^anthropic.*claude-sonnet-4-6/, { minCacheTokens: 2_048 }],
  [/^anthropic.*claude-opus-4-8/, { minCacheTokens: 1_024, windowTokens: 1_000_000 }],
  [/^anthropic.*claude-opus-4-7/, { minCacheTokens: 2_048, windowTokens: 1_000_000 }],
  [/^anthropic.*claude-opus-4-[56]/, { minCacheTokens: 4_096 }],
  [/^anthropic.*claude-haiku-4-5/, { minCacheTokens: 4_096 }],
  [/^anthropic.*haiku/, { minCacheTokens: 2_048 }],
  [/^anthropic/, { minCacheTokens: 1_024 }],
  [
    /^openai\b(?!-).*gpt-(?:5\.[6-9]|[6-9])/,
    { caching: "breakpoints", windowTokens: 400_000, reasons: true },
  ],
  [/^openai\b(?!-).*(?:gpt-5|o\d)/, { windowTokens: 272_000, reasons: true }],
  [/^openai\b(?!-).*gpt-4\.1/, { windowTokens: 1_000_000 }],
  [/^openai\b(?!-)/, {}],
];

function claude5(): Partial<ModelFacts> {
  return { windowTokens: 1_000_000, reasons: true };
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
