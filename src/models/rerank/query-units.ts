import { analyzeQuery } from "../../text/analyze.ts";
import { describeTerm } from "../../text/describe-term.ts";
import { type RunKind, scan } from "../../text/scan.ts";
import { PAIR } from "../../text/terms.ts";

/** A query as the built-in reranker reads it: its words, those that stand nowhere in the index left out. */
export interface QueryUnits {
  /** What each word weighs: rare ones more. */
  readonly weights: readonly number[];
  /** Words by the terms they are found under. */
  readonly byTerm: ReadonlyMap<string, readonly number[]>;
  /** In scripts without spaces: what has to stand in a run of the text. */
  readonly pieces: readonly { readonly unit: number; readonly text: string }[];
  /** What two words weigh together: the lesser of the two. */
  readonly pairWeight: (a: number, b: number) => number;
  /** Sum over all pairs of words. */
  readonly pairs: number;
}

/** A script without spaces has no words that could be told apart: each piece of it counts as one. */
export function queryUnits(
  query: string,
  languages: readonly string[],
  idf: (term: string) => number,
): QueryUnits {
  const analyzed = analyzeQuery(query, { languages });
  const rarity = new Map(analyzed.terms.map(({ term, weight }) => [term, weight * idf(term)]));
  const kinds = kindsOf(query);
  const known = analyzed.words.map(({ terms }) =>
    terms.filter((term) => !term.startsWith(PAIR) && (rarity.get(term) ?? 0) > 0),
  );
  const words = notOverAndOver(known.filter((terms, i) => kinds[i] === "word" && terms.length > 0));
  const single = notOverAndOver(
    known.flatMap((terms, i) => (kinds[i] === "word" ? [] : terms.map((term) => [term]))),
  );
  const weights = [...words, ...single].map((terms) =>
    Math.max(...terms.map((term) => rarity.get(term) ?? 0)),
  );
  const pairWeight = (a: number, b: number) => Math.min(weights[a] ?? 0, weights[b] ?? 0);
  return {
    weights,
    byTerm: indexOf(words),
    pieces: single.map(([term = ""], i) => ({ unit: words.length + i, text: describeTerm(term).text })),
    pairWeight,
    pairs: sumOfPairs(weights),
  };
}

/** Every word of a text makes pairs with all words of the query that it is: one that is said a thousand times, a million. */
const MOST_SAID = 16;

function notOverAndOver(words: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const said = new Map<string, number>();
  return words.filter((terms) => {
    const word = terms.join(" ");
    const times = (said.get(word) ?? 0) + 1;
    said.set(word, times);
    return times <= MOST_SAID;
  });
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

/** The k-th lightest of n is the lesser one of its pairs with all heavier ones. */
function sumOfPairs(weights: readonly number[]): number {
  const sorted = weights.toSorted((a, b) => a - b);
  return sorted.reduce((sum, weight, i) => sum + weight * (sorted.length - 1 - i), 0);
}
