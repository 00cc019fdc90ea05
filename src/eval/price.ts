import { costOf, priceOf } from "../llm/prices.ts";
import type { TokenPrices } from "../spec/index.ts";
import { countTokens } from "../text/count-tokens.ts";
import type { Price } from "./ladder/ladder.ts";

export interface PriceOptions {
  /** "provider:model" that writes contexts; undefined: none. */
  readonly contextModel?: string | undefined;
  /** "lexical", "none", "given" or "provider:model". Default "lexical". */
  readonly embedding?: string | undefined;
  /** Prices that go before the table's, by "provider:model". */
  readonly prices?: Readonly<Record<string, TokenPrices>> | undefined;
}

/**
 * Prices by the table of models, in US dollars. An index costs what its calls used in this run: contexts and vectors
 * that were there already are not counted again. Undefined where a model that was called has no price.
 */
export function tablePrices({ contextModel, embedding = "lexical", prices }: PriceOptions): Price {
  const ofModel = (model: string | undefined) => (model === undefined ? undefined : priceOf(model, prices));
  const cost = (usage: Parameters<typeof costOf>[0], model: string | undefined) =>
    usage.calls === 0 ? 0 : costOf(usage, ofModel(model));
  return {
    index: ({ usage }) => {
      const parts = [cost(usage.contexts, contextModel), cost(usage.embeddings, embedding)];
      return parts.reduce(
        (sum, part) => (sum === undefined || part === undefined ? undefined : sum + part),
        0,
      );
    },
    thousandQueries: (rows) => {
      if (["lexical", "none", "given"].includes(embedding)) return 0;
      const price = ofModel(embedding);
      const tokens = rows.reduce((sum, { text }) => sum + countTokens(text), 0);
      return price && rows.length > 0 ? ((tokens / rows.length) * 1000 * price.input) / 1e6 : undefined;
    },
  };
}
