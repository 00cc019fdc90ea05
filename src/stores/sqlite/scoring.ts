import type { Bm25Options } from "../../spec/index.ts";
import { DEFAULT_BM25, normalisedFrequency, REPEATED_FIELDS, saturate } from "../../text/bm25.ts";
import type { LiveIndex } from "./live-index.ts";
import type { Postings } from "./postings.ts";
import type { Gains, TermList } from "./term-lists.ts";

/** How entries of posting lists score: the options, with averages over the whole index. */
export interface Scoring {
  readonly k1: number;
  readonly fields: readonly ScoredField[];
  /** Scorings with equal keys give equal gains. */
  readonly key: string;
}

interface ScoredField {
  readonly number: number;
  readonly averageLength: number;
  readonly options: NonNullable<Bm25Options["fields"]>[string];
  /** Whether a document has the mean of its chunks, not their sum. */
  readonly mean: boolean;
}

/** Chunk numbers that are scored together: their scores fit the processor's cache. */
export const WINDOW_SHIFT = 12;
export const WINDOW_CHUNKS = 2 ** WINDOW_SHIFT;

/** Scoring of chunks, or of documents where `units` is their number. */
export function scoringOf(live: LiveIndex, bm25: Bm25Options | undefined, units = live.chunks): Scoring {
  const k1 = bm25?.k1 ?? DEFAULT_BM25.k1;
  const fields = Object.entries(bm25?.fields ?? DEFAULT_BM25.fields).flatMap(([name, options]) => {
    const number = live.fields.get(name);
    if (number === undefined) return [];
    const mean = units !== live.chunks && REPEATED_FIELDS.has(name);
    return [
      { number, averageLength: (live.lengths[number] ?? 0) / (mean ? live.chunks : units), options, mean },
    ];
  });
  return { k1, fields, key: JSON.stringify([k1, fields]) };
}

/**
 * BM25F of entry `i` of a list, without weight and inverse document frequency; `at` is its place in `lengths`, `chunks` how
 * many it is summed over.
 */
export function gainAt(
  { k1, fields }: Scoring,
  { frequencies }: Postings,
  i: number,
  lengths: readonly ArrayLike<number>[],
  at: number,
  chunks = 1,
): number {
  let tfn = 0;
  for (const { number, averageLength, options, mean } of fields) {
    const tf = frequencies[number]?.[i] ?? 0;
    if (tf === 0) continue;
    const over = mean ? chunks : 1;
    tfn += normalisedFrequency(tf / over, (lengths[number]?.[at] ?? 0) / over, averageLength, options);
  }
  if (!(tfn > 0)) return 0;
  // Infinite for a field of no length under b = 1.
  return tfn === Number.POSITIVE_INFINITY ? k1 + 1 : saturate(tfn, k1);
}

/** All gains of a list. */
export function gainsOf(list: TermList, scoring: Scoring): Gains {
  if (list.gains?.key === scoring.key) return list.gains;
  const { segment, postings } = list;
  const { chunks } = postings;
  const values = new Float32Array(chunks.length);
  const most = new Float32Array((segment.size >>> WINDOW_SHIFT) + 1);
  for (const field of scoring.fields) addField(values, list, field);
  const { k1 } = scoring;
  for (let i = 0; i < values.length; i++) {
    const tfn = values[i] as number;
    const gain = tfn > 0 ? (tfn === Number.POSITIVE_INFINITY ? k1 + 1 : saturate(tfn, k1)) : 0;
    values[i] = gain;
    const window = (chunks[i] as number) >>> WINDOW_SHIFT;
    if (gain > (most[window] as number)) most[window] = gain;
  }
  list.gains = { key: scoring.key, values, most };
  return list.gains;
}

function addField(values: Float32Array, { segment, postings }: TermList, field: ScoredField): void {
  const column = postings.frequencies[field.number];
  const lengths = segment.lengths[field.number];
  if (!column || !lengths) return;
  const { weight = 1, b = 0.75 } = field.options;
  const base = 1 - b;
  const slope = b / (field.averageLength || 1);
  const { chunks } = postings;
  for (let i = 0; i < chunks.length; i++) {
    const tf = column[i] as number;
    if (tf > 0) {
      values[i] =
        (values[i] as number) + (weight * tf) / (base + slope * (lengths[chunks[i] as number] as number));
    }
  }
}
