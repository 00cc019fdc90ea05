import type { Bm25Options, IndexedChunk, QueryTerm, ScoredChunk } from "../../spec/index.ts";
import { idf, normalisedFrequency, REPEATED_FIELDS, saturate } from "../../text/bm25.ts";

/** Documents by id. */
export type Written = ReadonlyMap<string, readonly IndexedChunk[]>;

export type Rules = Required<Bm25Options>;

/** A chunk, or a document as one long chunk. */
interface Unit {
  readonly fields: Readonly<
    Record<string, { readonly length: number; readonly terms: ReadonlyMap<string, number> }>
  >;
}

/**
 * Scores of all chunks by the formula of `text/bm25.ts`: every chunk is looked at, and lists, blocks and bounds are
 * unknown here. Sums are made in the order of the query's terms and the rules' fields, so that they are equal to the last bit.
 */
export function exhaustive(
  documents: Written,
  terms: readonly QueryTerm[],
  rules: Rules,
): Map<string, number> {
  const filled = [...documents.values()].filter((chunks) => chunks.length > 0);
  const all = filled.flat();
  const wholes = filled.map(wholeOf);
  const scoreOfChunk = scorer(all, all, terms, rules);
  const scoreOfDocument = scorer(wholes, all, terms, rules);
  const scores = new Map<string, number>();
  for (const [i, chunks] of filled.entries()) {
    const ofDocument = scoreOfDocument(wholes[i] as Unit, rules.documentWeight);
    for (const chunk of chunks) {
      const own = scoreOfChunk(chunk, 1);
      if (own > 0) scores.set(chunk.chunk.id, own + ofDocument);
    }
  }
  return scores;
}

/** Frequencies and lengths are summed; of fields that stand with every chunk a document has the mean. */
function wholeOf(chunks: readonly IndexedChunk[]): Unit {
  const fields: Record<string, { length: number; terms: Map<string, number> }> = {};
  for (const [name, { length, terms }] of chunks.flatMap((chunk) => Object.entries(chunk.fields))) {
    fields[name] ??= { length: 0, terms: new Map() };
    const whole = fields[name];
    whole.length += length;
    for (const [term, tf] of terms) whole.terms.set(term, (whole.terms.get(term) ?? 0) + tf);
  }
  for (const [name, whole] of Object.entries(fields)) {
    if (!REPEATED_FIELDS.has(name)) continue;
    whole.length /= chunks.length;
    for (const [term, tf] of whole.terms) whole.terms.set(term, tf / chunks.length);
  }
  return { fields };
}

function scorer(
  units: readonly Unit[],
  chunks: readonly Unit[],
  terms: readonly QueryTerm[],
  { k1, fields }: Rules,
): (unit: Unit, weight: number) => number {
  const averages = new Map(
    Object.keys(fields).map((name) => {
      const over = REPEATED_FIELDS.has(name) ? chunks.length : units.length;
      return [name, sum(chunks.map((unit) => unit.fields[name]?.length ?? 0)) / over];
    }),
  );
  const asked = terms.map(({ term, weight }) => {
    const df = units.filter((unit) => holds(unit, term)).length;
    return { term, weight: df === 0 ? 0 : weight * idf(units.length, df) };
  });
  const rules = Object.entries(fields);
  function gain(unit: Unit, term: string): number {
    let tfn = 0;
    for (const [name, options] of rules) {
      const field = unit.fields[name];
      const tf = field?.terms.get(term);
      if (!field || !tf) continue;
      tfn += normalisedFrequency(tf, field.length, averages.get(name) ?? 0, options);
    }
    // The limit: a field of no length under b = 1.
    if (tfn === Number.POSITIVE_INFINITY) return k1 + 1;
    return tfn > 0 ? saturate(tfn, k1) : 0;
  }
  return (unit, weight) => {
    let score = 0;
    for (const one of asked) score += weight * one.weight * gain(unit, one.term);
    return score;
  };
}

/** Best first; ties by document id, then ordinal. */
export function ranked(scores: ReadonlyMap<string, number>, limit: number): ScoredChunk[] {
  const place = (id: string) =>
    [id.slice(0, id.indexOf("#")), Number(id.slice(id.indexOf("#") + 1))] as const;
  return [...scores]
    .map(([chunkId, score]) => ({ chunkId, score }))
    .sort((a, b) => {
      const [[first, i], [second, j]] = [place(a.chunkId), place(b.chunkId)];
      return b.score - a.score || (first < second ? -1 : first > second ? 1 : i - j);
    })
    .slice(0, limit);
}

export function holds({ fields }: Unit, term: string): boolean {
  for (const name in fields) if (fields[name]?.terms.has(term)) return true;
  return false;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
