import type { RerankCandidate, RerankRequest } from "../../spec/index.ts";
import { type Occurrence, occurrenceFinder } from "./occurrences.ts";
import { type QueryUnits, queryUnits } from "./query-units.ts";

/**
 * What the built-in reranker looks at; every value lies between 0 and 1. The rest that was tried, and why it is not here, is
 * in docs/decisions/0012-built-in-reranker.md.
 */
export const FEATURES = ["fused score", "order", "order in context"] as const;

/** The features of each candidate, in the order of `FEATURES`. */
export function featuresOf(request: RerankRequest): readonly (readonly number[])[] {
  const query = queryUnits(request.query, request.languages, request.idf);
  const find = occurrenceFinder(query);
  const best = Math.max(0, ...request.candidates.map(({ score }) => score));
  return request.candidates.map(({ score, stored }) => [
    best > 0 ? Math.max(0, score) / best : 0,
    ...orderOf(stored, query, find),
  ]);
}

function orderOf(
  { chunk, context, language }: RerankCandidate["stored"],
  query: QueryUnits,
  find: ReturnType<typeof occurrenceFinder>,
): readonly number[] {
  if (query.pairs === 0) return [0, 0];
  const inChunk = isCode(chunk.text) ? 0 : order(query, find(chunk.text, language));
  return [inChunk, order(query, find(context.text, language))];
}

/** In code, words that follow each other are no phrase. */
function isCode(text: string): boolean {
  let signs = 0;
  for (let i = 0; i < text.length; i++) if (CODE_SIGNS.has(text.charCodeAt(i))) signs++;
  return signs > text.length * CODE_SHARE;
}

const CODE_SIGNS: ReadonlySet<number> = new Set([..."{}();=<>[]&"].map((sign) => sign.charCodeAt(0)));
const CODE_SHARE = 0.025;

/** Characters from the beginning of a word to that of its neighbour. */
const GAP = 24;
/** Found words that may stand between the two. */
const BETWEEN = 3;

/** Share of the query's neighbouring words that are neighbours in the text as well, in the same order. */
function order(query: QueryUnits, occurrences: readonly Occurrence[]): number {
  const pairs = new Set<number>();
  for (let i = 0; i + 1 < occurrences.length; i++) {
    const here = occurrences[i];
    for (let j = i + 1; here && j <= Math.min(i + BETWEEN, occurrences.length - 1); j++) {
      const next = occurrences[j];
      if (next?.unit === here.unit + 1 && next.at - here.at <= GAP) pairs.add(here.unit);
    }
  }
  return [...pairs].reduce((sum, unit) => sum + query.pairWeight(unit), 0) / query.pairs;
}
