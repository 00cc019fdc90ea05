import type { QueryTerm } from "../spec/index.ts";
import { idf } from "./bm25.ts";

/**
 * How much the score of a chunk's whole document counts beside the chunk's own: from 0 for a query of words that stand
 * everywhere to 1 for one of words that stand in a single chunk. It is the mean rarity of the query's terms, each
 * counted by what it adds to the score:
 *
 *     Σ weight(t) · idf(t) · rarity(t)  /  Σ weight(t) · idf(t),    rarity(t) = idf(t) / (idf of a term in one chunk)
 *
 * A query that names a document (a party, a product, a place) is mostly rare words, and then the document must decide;
 * a query about what every document speaks of has to be settled by the chunks. `frequency`: in how many of the index's
 * `chunks` a term stands. 0 when it knows none of the terms.
 */
export function documentWeight(
  terms: readonly QueryTerm[],
  chunks: number,
  frequency: (term: string) => number,
): number {
  const rarest = idf(chunks, 1);
  let sum = 0;
  let total = 0;
  for (const { term, weight } of terms) {
    const found = frequency(term);
    if (found <= 0) continue;
    const share = weight * idf(chunks, found);
    total += share;
    sum += (share * idf(chunks, found)) / rarest;
  }
  // Rounding of the smallest numbers there are can make the mean larger than all it is the mean of.
  return total > 0 ? Math.min(1, sum / total) : 0;
}
