import { normaliseWord } from "../../text/normalise.ts";
import { scan } from "../../text/scan.ts";
import { wordTerms } from "../../text/terms.ts";
import type { QueryUnits } from "./query-units.ts";

/** Where a word of the query stands in a text, in order of the places. */
export interface Occurrence {
  readonly unit: number;
  /** Offset in the text; in scripts without spaces that of the run which holds it. */
  readonly at: number;
}

/** Finds a query's words in texts; a word of the texts is looked up once, however often it stands there. */
export function occurrenceFinder({
  byTerm,
  pieces,
}: QueryUnits): (text: string, language?: string) => readonly Occurrence[] {
  const known = new Map<string, Map<string, readonly number[]>>();
  return (text, language = "") => {
    const memo = known.get(language) ?? new Map<string, readonly number[]>();
    known.set(language, memo);
    const found: Occurrence[] = [];
    scan(text, (start, end, kind) => {
      const raw = text.slice(start, end);
      let units = memo.get(raw);
      if (units === undefined) {
        units = kind === "word" ? unitsOf(raw, language, byTerm) : piecesIn(raw, pieces);
        memo.set(raw, units);
      }
      for (const unit of units) found.push({ unit, at: start });
    });
    return found;
  };
}

const NONE: readonly number[] = [];

function unitsOf(raw: string, language: string, byTerm: QueryUnits["byTerm"]): readonly number[] {
  if (byTerm.size === 0) return NONE;
  const units = new Set<number>();
  for (const term of termsOf(raw, language)) for (const unit of byTerm.get(term) ?? NONE) units.add(unit);
  return units.size === 0 ? NONE : [...units];
}

function piecesIn(raw: string, pieces: QueryUnits["pieces"]): readonly number[] {
  if (pieces.length === 0) return NONE;
  const run = normaliseWord(raw);
  return pieces.filter(({ text }) => run.includes(text)).map(({ unit }) => unit);
}

/** Words by language, so that the chunks of the next query are not stemmed anew. */
const caches = new Map<string, Map<string, readonly string[]>>();
const CACHED_WORDS = 50_000;
const LONGEST_CACHED = 40;

function termsOf(raw: string, language: string): readonly string[] {
  const cache = caches.get(language) ?? new Map<string, readonly string[]>();
  caches.set(language, cache);
  const known = cache.get(raw);
  if (known !== undefined) return known;
  const { terms } = wordTerms(raw, language === "" ? undefined : language);
  if (cache.size >= CACHED_WORDS) cache.clear();
  if (raw.length <= LONGEST_CACHED) cache.set(raw, terms);
  return terms;
}
