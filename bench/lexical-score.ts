import { judge, type Retrieved } from "../src/eval/judge.ts";
import { metric } from "../src/eval/metrics/metrics.ts";
import type { QuestionRow } from "../src/eval/rows.ts";
import type { Question } from "../src/eval/types.ts";
import type { Bm25Options, QueryTerm } from "../src/spec/index.ts";
import { DEFAULT_BM25, idf, normalisedFrequency, REPEATED_FIELDS, saturate } from "../src/text/bm25.ts";
import { documentWeight } from "../src/text/document-weight.ts";
import type { LexicalIndex, Posting } from "./lexical-index.ts";

/** How an index is scored. Only the named fields exist for the step: others count for nothing, not in `df` either. */
export interface Scoring {
  readonly bm25: Bm25Options;
  /** Whether the score of the whole document is added, weighted by the query. */
  readonly document: boolean;
}

/** What a term adds, idf and the query's weight left out: to chunks, or to documents. */
interface Gains {
  readonly units: readonly number[];
  readonly values: readonly number[];
}

interface TermGains {
  readonly chunks: Gains;
  readonly documents: Gains;
}

/** The best chunks of a query, by number, with their scores; best first, those of equal score in the set's order. */
export type Rank = (terms: readonly QueryTerm[], limit: number) => readonly (readonly [number, number])[];

/**
 * Exhaustive BM25 in memory: the formulas of `src/text/bm25.ts`, term by term, chunk by chunk. The stores compute the
 * same scores (`src/testing/` holds them against such a scorer); here it is quick for many settings over one analysis.
 */
export function ranker(index: LexicalIndex, { bm25, document }: Scoring): Rank {
  const gainsOf = cachedGains(index, bm25);
  const { owners, documents, chunks } = index;
  return (terms, limit) => {
    const scores = new Map<number, number>();
    const byDocument = new Map<number, number>();
    const frequency = (term: string) => gainsOf(term).chunks.units.length;
    const factor = document ? documentWeight(terms, chunks.length, frequency) : 0;
    for (const { term, weight } of terms) {
      const found = gainsOf(term);
      addGains(scores, found.chunks, weight * idf(chunks.length, found.chunks.units.length));
      if (factor === 0) continue;
      addGains(byDocument, found.documents, factor * weight * idf(documents, found.documents.units.length));
    }
    return [...scores]
      .map(([chunk, score]) => [chunk, score + (byDocument.get(owners[chunk] ?? -1) ?? 0)] as const)
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, limit);
  };
}

function addGains(scores: Map<number, number>, { units, values }: Gains, weight: number): void {
  for (const [i, unit] of units.entries()) {
    scores.set(unit, (scores.get(unit) ?? 0) + weight * (values[i] ?? 0));
  }
}

/** Terms come again from question to question, stop words above all. */
function cachedGains(index: LexicalIndex, bm25: Bm25Options): (term: string) => TermGains {
  const cache = new Map<string, TermGains>();
  const none = { units: [], values: [] };
  const chunks = unitsOf(index, bm25, index.lengths, index.chunks.length);
  const documents = unitsOf(index, bm25, documentLengths(index), index.documents, chunkCounts(index));
  return (term) => {
    const known = cache.get(term);
    if (known !== undefined) return known;
    const posting = index.postings.get(term);
    const found = posting
      ? { chunks: chunks(posting), documents: documents(summed(posting, index.owners)) }
      : { chunks: none, documents: none };
    cache.set(term, found);
    return found;
  };
}

function unitsOf(
  { fields, chunks: { length: chunks } }: LexicalIndex,
  bm25: Bm25Options,
  lengths: LexicalIndex["lengths"],
  count: number,
  chunksOf?: readonly number[],
): (posting: Posting) => Gains {
  const k1 = bm25.k1 ?? DEFAULT_BM25.k1;
  const scored = fields.flatMap((name, field) => {
    const options = bm25.fields?.[name];
    const sum = (lengths[field] ?? []).reduce((all, length) => all + length, 0);
    const mean = chunksOf !== undefined && REPEATED_FIELDS.has(name);
    return options === undefined ? [] : [{ field, options, mean, average: sum / (mean ? chunks : count) }];
  });
  return (posting) => {
    const { frequencies } = posting;
    const units: number[] = [];
    const values: number[] = [];
    for (const [i, unit] of posting.chunks.entries()) {
      let tfn = 0;
      for (const { field, options, mean, average } of scored) {
        const over = mean ? (chunksOf?.[unit] ?? 1) : 1;
        const tf = (frequencies[field]?.[i] ?? 0) / over;
        tfn += normalisedFrequency(tf, (lengths[field]?.[unit] ?? 0) / over, average, options);
      }
      if (tfn === 0) continue;
      units.push(unit);
      values.push(saturate(tfn, k1));
    }
    return { units, values };
  };
}

/** A posting with documents for chunks. */
function summed({ chunks, frequencies }: Posting, owners: readonly number[]): Posting {
  const documents: number[] = [];
  const sums = frequencies.map((): number[] => []);
  for (const [i, chunk] of chunks.entries()) {
    const document = owners[chunk] ?? 0;
    if (documents.at(-1) !== document) {
      documents.push(document);
      for (const column of sums) column.push(0);
    }
    for (const [field, column] of sums.entries()) {
      column[column.length - 1] = (column.at(-1) ?? 0) + (frequencies[field]?.[i] ?? 0);
    }
  }
  return { chunks: documents, frequencies: sums };
}

function documentLengths({ lengths, owners, documents }: LexicalIndex): LexicalIndex["lengths"] {
  return lengths.map((column) => {
    const sums = Array.from({ length: documents }, () => 0);
    for (const [chunk, length] of column.entries()) {
      const owner = owners[chunk] ?? 0;
      sums[owner] = (sums[owner] ?? 0) + length;
    }
    return sums;
  });
}

function chunkCounts({ owners, documents }: LexicalIndex): readonly number[] {
  const counts = Array.from({ length: documents }, () => 0);
  for (const owner of owners) counts[owner] = (counts[owner] ?? 0) + 1;
  return counts;
}

/** "recall@20" → 20. */
export function depthOf(name: string): number {
  return Number(name.split("@")[1]);
}

/** Asks every question and judges what is found. */
export function measure(
  index: LexicalIndex,
  rank: Rank,
  questions: readonly Question[],
  termsOf: (text: string) => readonly QueryTerm[],
  metrics: readonly string[],
): readonly QuestionRow[] {
  const depth = Math.max(...metrics.map(depthOf));
  return questions.map((question) => {
    const { id, text, tags, gold } = question;
    const begun = performance.now();
    const hits = rank(termsOf(text), depth);
    const ms = performance.now() - begun;
    const found = hits.flatMap(([at, score]): Retrieved[] => {
      const chunk = index.chunks[at];
      return chunk === undefined ? [] : [{ ...chunk, score }];
    });
    const judged = judge(found, gold);
    const values = metrics.flatMap((name) => {
      const value = metric(name).of(judged);
      return value === undefined ? [] : [[name, value] as const];
    });
    return { id, text, tags, ms, values: Object.fromEntries(values), places: judged.places, hits: [] };
  });
}
