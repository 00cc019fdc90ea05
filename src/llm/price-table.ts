import type { TokenPrices } from "../spec/index.ts";

/** When the prices below were looked up; prices change, and `contextPrices` goes before them. */
export const PRICES_AS_OF = "2026-11-30";

/**
 * US dollars for a million tokens, by "provider:model", without the date of a snapshot. Sources:
 * Anthropic, "Pricing"; OpenAI, "Pricing" and the models' own pages. Where a long prompt costs more (Claude Haiku 5.5
 * above 100,000 tokens, GPT-5.6 and later above 272,000), the price of the shorter one stands here, and longer documents
 * are read in windows.
 */
export const PRICES: Readonly<Record<string, TokenPrices>> = {
  "anthropic:claude-3-haiku": { ...claude(0.25, 1.25), cacheWrite: 0.3, cacheRead: 0.03 },
  "anthropic:claude-3-5-haiku": claude(0.8, 4),
  "anthropic:claude-haiku-4-5": claude(1, 5),
  "anthropic:claude-haiku-5-5": claude(0.1, 0.5),
  "anthropic:claude-sonnet-4": claude(3, 15),
  "anthropic:claude-sonnet-4-5": claude(3, 15),
  "anthropic:claude-sonnet-4-6": claude(3, 15),
  "anthropic:claude-sonnet-5": claude(2, 10),
  "anthropic:claude-sonnet-5-5": { ...claude(2, 10), cacheRead: 0.1 },
  "anthropic:claude-opus-4": claude(15, 75),
  "anthropic:claude-opus-4-1": claude(15, 75),
  "anthropic:claude-opus-4-5": claude(5, 25),
  "anthropic:claude-opus-4-6": claude(5, 25),
  "anthropic:claude-opus-4-7": claude(5, 25),
  "anthropic:claude-opus-4-8": claude(5, 25),
  "anthropic:claude-opus-5": claude(5, 25),
  "anthropic:claude-opus-5-5": { ...claude(4, 20), cacheRead: 0.2 },
  "anthropic:claude-fable-5": claude(10, 50),
  "anthropic:claude-fable-5-1": { ...claude(10, 50), cacheRead: 0.25 },
  "anthropic:claude-mythos-5": claude(10, 50),
  "anthropic:claude-mythos-5-1": { ...claude(10, 50), cacheRead: 0.25 },
  "openai:gpt-4o": openai(2.5, 1.25, 10),
  "openai:gpt-4o-mini": openai(0.15, 0.075, 0.6),
  "openai:gpt-4.1": openai(2, 0.5, 8),
  "openai:gpt-4.1-mini": openai(0.4, 0.1, 1.6),
  "openai:gpt-4.1-nano": openai(0.1, 0.025, 0.4),
  "openai:gpt-5": openai(1.25, 0.125, 10),
  "openai:gpt-5-mini": openai(0.25, 0.025, 2),
  "openai:gpt-5-nano": openai(0.05, 0.005, 0.4),
  "openai:gpt-5.4": openai(2.5, 0.25, 15),
  "openai:gpt-5.4-mini": openai(0.75, 0.075, 4.5),
  "openai:gpt-5.6-terra": { ...openai(2, 0.2, 12), cacheWrite: 2.5 },
  "openai:gpt-5.6-luna": { ...openai(0.2, 0.02, 1.2), cacheWrite: 0.25 },
  "openai:gpt-6-sol": { ...openai(2, 0.2, 10), cacheWrite: 2.5 },
  "openai:gpt-6-luna": { ...openai(0.1, 0.01, 0.5), cacheWrite: 0.125 },
  "openai:gpt-6-astra": openai(10, 1, 50),
  "openai:text-embedding-3-small": embedding(0.02),
  "openai:text-embedding-3-large": embedding(0.13),
  "openai:text-embedding-ada-002": embedding(0.1),
  "cohere:embed-v4.0": embedding(0.12),
  "cohere:embed-english-v3.0": embedding(0.1),
  "cohere:embed-multilingual-v3.0": embedding(0.1),
  "voyage:voyage-3.5": embedding(0.06),
  "voyage:voyage-3.5-lite": embedding(0.02),
  "voyage:voyage-3-large": embedding(0.18),
  "voyage:voyage-4": embedding(0.06),
  "voyage:voyage-4-large": embedding(0.12),
  "openai:gpt-6.1-sol": { ...openai(2, 0.1, 10), cacheWrite: 2.5 },
  "openai:gpt-6.1-terra": { ...openai(1, 0.05, 5), cacheWrite: 1.25 },
  "openai:gpt-6.2-sol": { ...openai(2, 0.1, 10), cacheWrite: 2.5 },
};

/** "Pricing", on prompt caching: writes 1.25 times the input for five minutes, twice for an hour; reads a tenth. */
function claude(input: number, output: number): TokenPrices {
  return { input, output, cacheWrite: input * 1.25, cacheWriteLong: input * 2, cacheRead: input / 10 };
}

/** Vectors have no tokens. OpenAI, "Pricing"; of Cohere and Voyage as gateways list them. */
function embedding(input: number): TokenPrices {
  return { input, output: 0 };
}

/** Before GPT-5.6 writing to the cache costs nothing beyond the input. */
function openai(input: number, cacheRead: number, output: number): TokenPrices {
  return { input, output, cacheWrite: input, cacheRead };
}
