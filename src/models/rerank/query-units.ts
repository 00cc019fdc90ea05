import { analyzeQuery } from "../../text/analyze.ts";
import { type RunKind, scan } from "../../text/scan.ts";
import { PAIR } from "../../text/terms.ts";

/** A query as the built-in reranker reads it: its words in order, those that stand nowhere in the index left out. */
export interface QueryUnits {
  /** Words by the terms they are found under. */
  readonly byTerm: ReadonlyMap<string, readonly number[]>;
  /** What a word and its neighbour behind it weigh together: the lesser of the two. */
  readonly pairWeight: (unit: number) => number;
  /** Sum over all neighbours. */
  readonly pairs: number;
}

/** Scripts without spaces have no words here: their pieces overlap, so that which follows which says nothing. */
export function queryUnits(
  query: string,
  languages: readonly string[],
  idf: (term: string) => number,
): QueryUnits {
  const analyzed = analyzeQuery(query, { languages });
  const weights = new Map(analyzed.terms.map(({ term, weight }) => [term, weight * idf(term)]));
  const kinds = kindsOf(query);
  const units = analyzed.words
    .filter((_, i) => kinds[i] === "word")
    .map(({ terms }) => terms.filter((term) => !term.startsWith(PAIR) && (weights.get(term) ?? 0) > 0))
    .filter((terms) => terms.length > 0);
  const unitWeights = units.map((terms) => Math.max(...terms.map((term) => weights.get(term) ?? 0)));
  const pairWeight = (unit: number) => Math.min(unitWeights[unit] ?? 0, unitWeights[unit + 1] ?? 0);
  return {
    byTerm: indexOf(units),
    pairWeight,
    pairs: units.reduce((sum, _, unit) => sum + pairWeight(unit), 0),
  };
}

function kindsOf(query: string): readonly RunKind[] {
  const kinds: RunKind[] = [];
  scan(query, (_start, _end, kind) => kinds.push(kind));
  return kinds;
}

function indexOf(units: readonly (readonly string[])[]): QueryUnits["byTerm"] {
  const found = new Map<string, number[]>();
  units.forEach((terms, unit) => {
    for (const term of terms) {
      const list = found.get(term);
      if (list === undefined) found.set(term, [unit]);
      else list.push(unit);
    }
  });
  return found;
}
