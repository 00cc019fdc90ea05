import { analyzeQuery } from "../../text/analyze.ts";
import { type RunKind, scan } from "../../text/scan.ts";
import { PAIR, PIECE } from "../../text/terms.ts";

/** A word of the query (in scripts without spaces, a piece of it), with what its forms are worth. */
export interface QueryUnit {
  /** Place in the query, in UTF-16 units. */
  readonly at: number;
  /** Weight × idf of its best form. */
  readonly weight: number;
  /** Share of the weight, 0 to 1, by term. */
  readonly terms: ReadonlyMap<string, number>;
  /** Looked for as a string, for lack of spaces to find its words by. */
  readonly unspaced: boolean;
}

/** The query as a reranker reads it. */
export interface QueryUnits {
  readonly units: readonly QueryUnit[];
  /** Sum of the units' weights. */
  readonly total: number;
  /** Units by term, for words; those without spaces are in `unspaced`. */
  readonly byTerm: ReadonlyMap<string, readonly { readonly unit: number; readonly share: number }[]>;
  readonly unspaced: readonly { readonly unit: number; readonly term: string }[];
  /** Names and codes, lower case, as written. */
  readonly identifiers: readonly string[];
}

/** Takes a query apart into the units whose presence is judged. Words that stand nowhere in the index weigh nothing. */
export function queryUnits(
  query: string,
  languages: readonly string[],
  idf: (term: string) => number,
): QueryUnits {
  const analyzed = analyzeQuery(query, { languages });
  const weights = new Map(analyzed.terms.map(({ term, weight }) => [term, weight * idf(term)]));
  const kinds = kindsOf(query);
  const units = analyzed.words.flatMap((word, i) =>
    kinds[i] === "word" ? wordUnit(word, weights) : pieceUnits(word, weights),
  );
  return {
    units,
    total: units.reduce((sum, unit) => sum + unit.weight, 0),
    byTerm: indexOf(units),
    unspaced: units.flatMap(({ unspaced, terms }, unit) =>
      unspaced ? [...terms.keys()].map((term) => ({ unit, term })) : [],
    ),
    identifiers: [...new Set(analyzed.identifiers.map((identifier) => identifier.toLowerCase()))],
  };
}

interface Word {
  readonly start: number;
  readonly terms: readonly string[];
}

function kindsOf(query: string): readonly RunKind[] {
  const kinds: RunKind[] = [];
  scan(query, (_start, _end, kind) => kinds.push(kind));
  return kinds;
}

function wordUnit({ start, terms }: Word, weights: ReadonlyMap<string, number>): readonly QueryUnit[] {
  const weighed = terms.filter((term) => !term.startsWith(PAIR));
  const weight = Math.max(0, ...weighed.map((term) => weights.get(term) ?? 0));
  if (weight === 0) return [];
  const shares = weighed.map((term) => [term, (weights.get(term) ?? 0) / weight] as const);
  return [{ at: start, weight, terms: new Map(shares), unspaced: false }];
}

function pieceUnits({ start, terms }: Word, weights: ReadonlyMap<string, number>): readonly QueryUnit[] {
  return terms.flatMap((term, i) => {
    const weight = weights.get(term) ?? 0;
    if (weight === 0 || term.startsWith(PIECE)) return [];
    return [{ at: start + i, weight, terms: new Map([[term, 1]]), unspaced: true }];
  });
}

function indexOf(units: readonly QueryUnit[]): QueryUnits["byTerm"] {
  const found = new Map<string, { unit: number; share: number }[]>();
  units.forEach(({ terms, unspaced }, unit) => {
    if (unspaced) return;
    for (const [term, share] of terms) {
      const list = found.get(term);
      if (list === undefined) found.set(term, [{ unit, share }]);
      else list.push({ unit, share });
    }
  });
  return found;
}
