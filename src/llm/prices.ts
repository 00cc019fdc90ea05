import type { TokenPrices, Usage } from "../spec/index.ts";
import { PRICES } from "./price-table.ts";

/** Anthropic, "Batch processing", and OpenAI, "Batch API": half of the usual price for every kind of token. */
export const BATCH_FACTOR = 0.5;

export interface CostOptions {
  /** Called through the batch endpoint. Default false. */
  readonly batch?: boolean | undefined;
  /** Lifetime the cache was written with. Default "5m". */
  readonly lifetime?: "5m" | "1h" | undefined;
}

/** The user's price for a model, else the table's, else undefined. A name with a date at its end has the price without. */
export function priceOf(
  modelId: string,
  own: Readonly<Record<string, TokenPrices>> = {},
): TokenPrices | undefined {
  return longestMatch(own, plainName(modelId)) ?? longestMatch(PRICES, plainName(modelId));
}

/** US dollars for what was used; undefined without a price. */
export function costOf(
  usage: Usage,
  price: TokenPrices | undefined,
  { batch = false, lifetime = "5m" }: CostOptions = {},
): number | undefined {
  if (price === undefined) return undefined;
  const plain = usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens;
  const write =
    lifetime === "1h" ? (price.cacheWriteLong ?? price.cacheWrite) : (price.cacheWrite ?? price.input);
  const sum =
    plain * price.input +
    usage.cacheReadTokens * (price.cacheRead ?? price.input) +
    usage.cacheWriteTokens * (write ?? price.input) +
    usage.outputTokens * price.output;
  return (sum / 1_000_000) * (batch ? BATCH_FACTOR : 1);
}

/** Provider packages call themselves "anthropic.messages" and "openai.responses"; snapshots carry their date. */
function plainName(modelId: string): string {
  return modelId.replace(/^([\w-]+)\.[\w.-]*:/, (_, provider: string) => `${provider}:`);
}

function longestMatch(
  table: Readonly<Record<string, TokenPrices>>,
  modelId: string,
): TokenPrices | undefined {
  const names = Object.keys(table).filter((name) => isModelOrSnapshot(modelId, name));
  const longest = names.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : table[longest];
}

/** "gpt-4o-2024-08-06" is gpt-4o; "gpt-4o-audio" is another model. */
function isModelOrSnapshot(modelId: string, name: string): boolean {
  return (
    modelId.startsWith(name) && /^(?:[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-latest)?$/.test(modelId.slice(name.length))
  );
}
