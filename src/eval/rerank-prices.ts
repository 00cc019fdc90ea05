/** What a hosted reranker asks for, in US dollars: by searches, or by tokens of query and texts. */
export interface RerankPrice {
  readonly perThousandSearches?: number;
  readonly perMillionTokens?: number;
}

/** From the providers' pages of prices, by the beginning of the name; the longest that fits holds. */
const PRICES: readonly (readonly [name: string, price: RerankPrice])[] = [
  ["cohere:rerank-", { perThousandSearches: 2 }],
  ["voyage:rerank-2.5", { perMillionTokens: 0.05 }],
  ["voyage:rerank-2.5-lite", { perMillionTokens: 0.02 }],
  ["voyage:rerank-2", { perMillionTokens: 0.05 }],
  ["voyage:rerank-2-lite", { perMillionTokens: 0.02 }],
];

/** The price of a reranker; nothing for what runs on this machine, undefined where it is not known. */
export function rerankPriceOf(name: string): RerankPrice | undefined {
  if (name === "built-in" || name.startsWith("local:")) return { perThousandSearches: 0 };
  const fitting = PRICES.filter(([start]) => name.startsWith(start));
  return fitting.toSorted((a, b) => b[0].length - a[0].length)[0]?.[1];
}

/** A hosted search takes so many texts; more are counted as further ones (Cohere, "How does Cohere's pricing work?"). */
const TEXTS_OF_A_SEARCH = 100;

/** Dollars for lists that were judged. */
export function rerankCost(
  lists: readonly { readonly texts: number; readonly tokens: number }[],
  { perThousandSearches = 0, perMillionTokens = 0 }: RerankPrice,
): number {
  const searches = lists.reduce((sum, { texts }) => sum + Math.ceil(texts / TEXTS_OF_A_SEARCH), 0);
  const tokens = lists.reduce((sum, { tokens: each }) => sum + each, 0);
  return (searches * perThousandSearches) / 1000 + (tokens * perMillionTokens) / 1e6;
}
