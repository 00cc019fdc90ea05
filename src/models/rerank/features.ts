import type { RerankCandidate, RerankRequest } from "../../spec/index.ts";
import { type Occurrence, occurrenceFinder } from "./occurrences.ts";
import { type QueryUnits, queryUnits } from "./query-units.ts";

/**
 * What the built-in reranker looks at; every value lies between 0 and 1. The rest that was tried, and why it is not here, is
 * in docs/decisions/0012-built-in-reranker.md.
 */
export const FEATURES = ["fused score", "words together"] as const;

/** The features of each candidate, in the order of `FEATURES`. */
export function featuresOf(request: RerankRequest): readonly (readonly number[])[] {
  const query = queryUnits(request.query, request.languages, request.idf);
  const find = occurrenceFinder(query);
  const best = Math.max(0, ...request.candidates.map(({ score }) => score));
  return request.candidates.map(({ score, stored }) => [
    best > 0 ? Math.max(0, score) / best : 0,
    together(stored, query, find),
  ]);
}

/** Characters from the beginning of one word to that of the other. */
const SPAN = 40;

/** Share of the query's pairs of words, by weight, that stand close to each other in chunk, context or title. */
function together(
  { chunk, context, title, language }: RerankCandidate["stored"],
  query: QueryUnits,
  find: ReturnType<typeof occurrenceFinder>,
): number {
  if (query.pairs === 0) return 0;
  const pairs = new Set<number>();
  for (const text of [chunk.repeated, chunk.text, context.text, title])
    if (text !== undefined && text !== "") addPairs(pairs, find(text, language), query.weights.length);
  let sum = 0;
  for (const pair of pairs)
    sum += query.pairWeight(Math.floor(pair / query.weights.length), pair % query.weights.length);
  return sum / query.pairs;
}

/** A pair is kept as one number: the smaller unit × the number of units + the larger. */
function addPairs(pairs: Set<number>, occurrences: readonly Occurrence[], units: number): void {
  occurrences.forEach(({ unit, at }, i) => {
    for (let j = i + 1; j < occurrences.length; j++) {
      const next = occurrences[j];
      if (next === undefined || next.at - at > SPAN) return;
      if (next.unit !== unit) pairs.add(Math.min(unit, next.unit) * units + Math.max(unit, next.unit));
    }
  });
}
