import { scan } from "../../text/scan.ts";
import { wordTerms } from "../../text/terms.ts";
import type { QueryUnits } from "./query-units.ts";

/** Where a query unit stands in a text, in order of the places. */
export interface Occurrence {
  readonly unit: number;
  /** How good the match is, 0 to 1: an exact form above a stem above a form without marks. */
  readonly share: number;
  /** Offset in the text. */
  readonly at: number;
}

type Matches = readonly { readonly unit: number; readonly share: number }[];

/** Finds a query's units in texts; words are looked up once, however often they stand there. */
export function occurrenceFinder(
  query: QueryUnits,
): (text: string, language?: string) => readonly Occurrence[] {
  const known = new Map<string, Map<string, Matches>>();
  return (text, language) => {
    if (text === "") return [];
    const found: Occurrence[] = [];
    if (query.byTerm.size > 0) words(text, language, query, memoOf(known, language), found);
    if (query.unspaced.length === 0) return found;
    pieces(text, query, found);
    return found.sort((a, b) => a.at - b.at);
  };
}

function words(
  text: string,
  language: string | undefined,
  query: QueryUnits,
  memo: Map<string, Matches>,
  found: Occurrence[],
): void {
  scan(text, (start, end, kind) => {
    if (kind !== "word") return;
    const raw = text.slice(start, end);
    let matches = memo.get(raw);
    if (matches === undefined) {
      matches = matchesOf(raw, language, query);
      memo.set(raw, matches);
    }
    for (const { unit, share } of matches) found.push({ unit, share, at: start });
  });
}

function matchesOf(raw: string, language: string | undefined, { byTerm }: QueryUnits): Matches {
  const best = new Map<number, number>();
  for (const term of wordTerms(raw, language).terms) {
    for (const { unit, share } of byTerm.get(term) ?? [])
      best.set(unit, Math.max(best.get(unit) ?? 0, share));
  }
  return best.size === 0 ? NONE : [...best].map(([unit, share]) => ({ unit, share }));
}

const NONE: Matches = [];

/** Places of a piece beyond these say no more. */
const MOST_PLACES = 20;

function pieces(text: string, { unspaced }: QueryUnits, found: Occurrence[]): void {
  const lower = text.toLowerCase();
  for (const { unit, term } of unspaced) {
    let at = lower.indexOf(term);
    for (let n = 0; at >= 0 && n < MOST_PLACES; n++) {
      found.push({ unit, share: 1, at });
      at = lower.indexOf(term, at + term.length);
    }
  }
}

function memoOf(known: Map<string, Map<string, Matches>>, language = ""): Map<string, Matches> {
  const memo = known.get(language) ?? new Map<string, Matches>();
  known.set(language, memo);
  return memo;
}
