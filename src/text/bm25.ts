import type { Bm25Options } from "../spec/index.ts";

/**
 * BM25 with fields (Robertson, Zaragoza, Taylor 2004, "Simple BM25 extension to multiple weighted fields"), in the form
 * that Lucene computes (no `k1 + 1` is lost: it is kept, so that scores read like the textbook's).
 *
 *     score(chunk) = Σ over query terms t:  weight(t) · idf(t) · saturate(tfn(t, chunk), k1)
 *     tfn(t, chunk) = Σ over fields f:  weight(f) · tf(t, f) / (1 − b(f) + b(f) · length(f) / averageLength(f))
 *     idf(t) = ln(1 + (N − df + 0.5) / (df + 0.5)),  df = chunks that hold t in any field
 *     saturate(x, k1) = x · (k1 + 1) / (x + k1)
 *
 * Average length of a field: over all chunks of the index, also those where the field is empty. The weight of the
 * whole document has no fixed default here: it follows the query (`document-weight.ts`).
 */
export const DEFAULT_BM25: Required<Omit<Bm25Options, "documentWeight">> = {
  k1: 1.2,
  fields: {
    title: { weight: 1, b: 0.75 },
    context: { weight: 1, b: 0.75 },
    body: { weight: 1, b: 0.75 },
  },
};

/**
 * Fields that stand with every chunk of a document, alike or nearly so. A whole document has them once: their frequencies
 * and lengths there are the means over its chunks, where those of other fields are the sums.
 */
export const REPEATED_FIELDS: ReadonlySet<string> = new Set(["title", "context"]);

/** Lucene's inverse document frequency: above 0 for every term, also one that stands in all chunks. */
export function idf(chunks: number, frequency: number): number {
  return Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5));
}

/** A field's share of a term's normalised frequency. An index whose field is always empty has average length 0. */
export function normalisedFrequency(
  tf: number,
  length: number,
  averageLength: number,
  options: { readonly weight?: number; readonly b?: number } | undefined,
): number {
  const weight = options === undefined ? 0 : (options.weight ?? 1);
  if (weight === 0 || tf === 0) return 0;
  const b = options?.b ?? 0.75;
  return (weight * tf) / (1 - b + (b * length) / (averageLength || 1));
}

/** Term frequency with diminishing returns; 0 at 0, `k1 + 1` at most. */
export function saturate(tfn: number, k1: number): number {
  return (tfn * (k1 + 1)) / (tfn + k1);
}

/** Settings over settings: a field that the second names takes what it names, the others stay as they are. */
export function mergeBm25(
  base: Bm25Options | undefined,
  over: Bm25Options | undefined,
): Bm25Options | undefined {
  if (!over?.fields) return over ? { ...base, ...over } : base;
  const fields = { ...base?.fields };
  for (const [name, field] of Object.entries(over.fields)) fields[name] = { ...fields[name], ...field };
  return { ...base, ...over, fields };
}
