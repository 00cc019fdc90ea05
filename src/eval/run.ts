import type { Hit, Konteks, SearchOptions } from "../spec/index.ts";
import { type Judged, judge } from "./judge.ts";
import { type Metric, metric } from "./metrics/metrics.ts";
import type { QuestionRow } from "./rows.ts";
import { refuseSkipped } from "./skipped.ts";
import type { Question } from "./types.ts";

/** What every run computes. */
export const defaultMetrics: readonly string[] = [
  "recall@5",
  "recall@10",
  "recall@20",
  "failure@20",
  "hit@5",
  "mrr@10",
  "ndcg@10",
  "map@20",
  "precision@5",
  "token-efficiency@5",
  "token-efficiency@20",
  "coverage@20",
  "recall-tokens@4000",
  "empty",
  "top-score-right",
  "top-score-wrong",
  "top-score-unanswerable",
];

export interface RunOptions {
  readonly search?: SearchOptions;
  /** Hits that are fetched and judged; at least the deepest metric. Default 20. */
  readonly depth?: number;
  /** Default: `defaultMetrics`. */
  readonly metrics?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Asks every question of an index, one after the other so that the times are a single user's, and judges what comes back. */
export async function runQuestions(
  konteks: Konteks,
  questions: readonly Question[],
  options: RunOptions = {},
): Promise<readonly QuestionRow[]> {
  const { depth = 20, metrics = defaultMetrics, signal } = options;
  const search: SearchOptions = { candidates: Math.max(150, depth), ...options.search, k: depth };
  const measured = metrics.map(metric);
  const tokensOf = tokenLookup(konteks);
  const rows: QuestionRow[] = [];
  for (const question of questions) {
    signal?.throwIfAborted();
    const begun = performance.now();
    const { hits, notes = [] } = await konteks.search(question.text, search);
    const ms = performance.now() - begun;
    refuseSkipped(question.id, notes);
    const tokens = await Promise.all(hits.map(tokensOf));
    rows.push(toRow(question, hits, tokens, ms, measured));
  }
  return rows;
}

function toRow(
  question: Question,
  hits: readonly Hit[],
  tokens: readonly number[],
  ms: number,
  metrics: readonly Metric[],
): QuestionRow {
  const { id, text, tags, gold } = question;
  const judged = judge(
    hits.map((hit, index) => ({ ...placeOf(hit), score: hit.score, tokens: tokens[index] ?? 0 })),
    gold,
  );
  return {
    id,
    text,
    tags,
    ms,
    values: valuesOf(judged, metrics),
    places: judged.places,
    hits: hits.map((hit, index) => ({
      chunkId: hit.chunkId,
      ...placeOf(hit),
      ...(judged.hits[index] ?? unjudged),
    })),
  };
}

const unjudged = { score: 0, tokens: 0, goldTokens: 0, finds: [], covers: {} };

function placeOf({ documentId, start, end }: Hit) {
  return { documentId, start, end };
}

function valuesOf(judged: Judged, metrics: readonly Metric[]): Readonly<Record<string, number>> {
  const values = metrics.map(({ name, of }) => [name, of(judged)] as const);
  return Object.fromEntries(values.filter((entry): entry is [string, number] => entry[1] !== undefined));
}

/** Tokens of a hit's chunk; a document's chunks are read once. */
function tokenLookup(konteks: Konteks): (hit: Hit) => Promise<number> {
  const documents = new Map<string, Promise<ReadonlyMap<string, number>>>();
  const read = async (documentId: string) => {
    const chunks = await konteks.chunks(documentId);
    return new Map(chunks.map(({ chunk }) => [chunk.id, chunk.tokens]));
  };
  return async ({ documentId, chunkId }) => {
    const known = documents.get(documentId) ?? read(documentId);
    documents.set(documentId, known);
    return (await known).get(chunkId) ?? 0;
  };
}
