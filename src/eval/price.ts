import { costOf, priceOf } from "../llm/prices.ts";
import type { SearchOptions, TokenPrices, Usage } from "../spec/index.ts";
import { countTokens } from "../text/count-tokens.ts";
import { sumKnown } from "./cost.ts";
import { rerankCost, rerankPriceOf } from "./rerank-prices.ts";
import type { IndexFacts, QuestionRow } from "./rows.ts";

/** What an index cost, and what a thousand queries cost, in US dollars; undefined without a price. */
export interface Price {
  index(facts: IndexFacts): number | undefined;
  thousandQueries(
    rows: readonly Pick<QuestionRow, "text">[],
    search: SearchOptions,
    facts: Pick<IndexFacts, "chunks" | "tokens">,
  ): number | undefined;
}

export interface PriceOptions {
  /** "provider:model" that writes contexts; undefined: none. */
  readonly contextModel?: string | undefined;
  /** "lexical", "none", "given", "local:model" or "provider:model". Default "lexical". */
  readonly embedding?: string | undefined;
  /** Prices that go before the table's, by "provider:model". */
  readonly prices?: Readonly<Record<string, TokenPrices>> | undefined;
}

/**
 * Prices by the tables of models, in US dollars. An index costs what its calls used in this run: contexts and vectors
 * that were there already are not counted again. A query costs its embedding, where it is searched by vector, and its
 * reranking: candidates of the mean size of a chunk. What runs on this machine costs nothing. Undefined where a model that
 * was called has no price.
 */
export function tablePrices({ contextModel, embedding = "lexical", prices }: PriceOptions): Price {
  const cost = (usage: Usage, model: string | undefined) => {
    if (usage.calls === 0 || isFree(model)) return 0;
    return model === undefined ? undefined : costOf(usage, priceOf(model, prices));
  };
  return {
    index: ({ usage }) => sumKnown([cost(usage.contexts, contextModel), cost(usage.embeddings, embedding)]),
    thousandQueries(rows, search, facts) {
      if (rows.length === 0) return undefined;
      const tokens = rows.reduce((sum, { text }) => sum + countTokens(text), 0) / rows.length;
      const embedded = isFree(embedding) || search.mode === "text" ? 0 : priceOf(embedding, prices)?.input;
      const one = sumKnown([
        embedded === undefined ? undefined : (tokens * embedded) / 1e6,
        rerankingOf(search, tokens, facts),
      ]);
      return one === undefined ? undefined : 1000 * one;
    },
  };
}

/** Whether what makes vectors runs on this machine, or there is nothing that does. */
export function isFree(model: string | undefined): boolean {
  return model !== undefined && (["lexical", "none", "given"].includes(model) || /^local(:|$)/.test(model));
}

/** Candidates that a hosted reranker judges unless told otherwise. */
const HOSTED_DEPTH = 150;

/** Of one query. */
function rerankingOf(
  { rerank = false, candidates = HOSTED_DEPTH }: SearchOptions,
  queryTokens: number,
  { chunks, tokens }: Pick<IndexFacts, "chunks" | "tokens">,
): number | undefined {
  const model = rerankerName(rerank);
  if (model === undefined) return 0;
  const price = rerankPriceOf(model);
  const depth =
    typeof rerank === "object" && "depth" in rerank ? (rerank.depth ?? HOSTED_DEPTH) : HOSTED_DEPTH;
  const texts = Math.min(depth, candidates, chunks);
  const mean = chunks === 0 ? 0 : tokens / chunks;
  return price && rerankCost([{ texts, tokens: texts * (mean + queryTokens) }], price);
}

/** Undefined: nothing is reranked. */
function rerankerName(rerank: NonNullable<SearchOptions["rerank"]>): string | undefined {
  if (typeof rerank === "boolean") return rerank ? "built-in" : undefined;
  if (typeof rerank === "string") return rerank;
  if ("rerank" in rerank) return rerank.id;
  return rerank.model === undefined ? "built-in" : rerankerName(rerank.model);
}
