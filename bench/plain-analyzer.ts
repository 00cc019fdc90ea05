import type { FieldTerms, QueryTerm } from "../src/spec/index.ts";
import { stemEnglish } from "../src/text/stem/english.ts";

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
const PAIRED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{M}\u30fc]{2,}/gu;

/**
 * What a simple engine does, to hold the analyzer against: words of letters and digits in lower case, Porter's stems
 * whatever the language, pairs of characters for scripts without spaces.
 */
export function plainField(text: string): FieldTerms {
  const terms = new Map<string, number>();
  const found = plainTerms(text);
  for (const term of found) terms.set(term, (terms.get(term) ?? 0) + 1);
  return { length: found.length, terms };
}

export function plainQuery(text: string): readonly QueryTerm[] {
  const terms = [...new Set(plainTerms(text))].sort();
  return terms.map((term) => ({ term, weight: 1 }));
}

function plainTerms(text: string): readonly string[] {
  return (text.normalize("NFKC").toLowerCase().match(WORDS) ?? []).flatMap((word) => {
    const runs = word.match(PAIRED);
    if (runs === null) return [stemEnglish(word)];
    const rest = word.replace(PAIRED, " ").split(" ").filter(Boolean);
    return [...rest, ...runs.flatMap(pairs)];
  });
}

function pairs(run: string): readonly string[] {
  return Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2));
}
