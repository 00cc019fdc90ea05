import type { Bm25Options } from "../../spec/index.ts";
import { DEFAULT_BM25, REPEATED_FIELDS, saturate } from "../../text/bm25.ts";
import type { LiveIndex } from "./live-index.ts";

/** How entries of posting lists score: the options, with averages over the whole index. */
export interface Scoring {
  readonly k1: number;
  readonly fields: readonly ScoredField[];
}

export interface ScoredField {
  readonly number: number;
  readonly averageLength: number;
  readonly options: NonNullable<Bm25Options["fields"]>[string];
  /** Whether a document has the mean of its chunks, not their sum. */
  readonly mean: boolean;
}

/** How a query scores. Queries with equal rules over the same state of an index have the same object. */
export interface QueryScoring {
  readonly chunks: Scoring;
  /** Undefined where documents do not count. */
  readonly documents: Scoring | undefined;
  /** Whether it follows from nothing but the index. */
  readonly byDefault: boolean;
}

/** What was asked last of an index, and at which state of it. */
const asked = new WeakMap<LiveIndex, { readonly changes: number; readonly scoring: QueryScoring }>();

export function queryScoring(live: LiveIndex, bm25: Bm25Options | undefined): QueryScoring {
  const { k1, fields, documentWeight = 0 } = bm25 ?? {};
  const { changes } = live;
  const before = asked.get(live);
  const byDefault = k1 === undefined && fields === undefined;
  if (byDefault && before?.changes === changes) {
    const { scoring } = before;
    if (scoring.byDefault && (scoring.documents !== undefined) === documentWeight > 0) return scoring;
  }
  const chunks = scoringOf(live, bm25, live.chunks);
  const documents = documentWeight > 0 ? scoringOf(live, bm25, Math.max(live.filled, 1)) : undefined;
  const same = before?.scoring.chunks === chunks && before.scoring.documents === documents;
  const scoring = same ? before.scoring : { chunks, documents, byDefault };
  asked.set(live, { changes, scoring });
  return scoring;
}

/** Scorings of late, by all that they follow from: equal ones are one object, so that gains are known by it. */
const known = new Map<string, Scoring>();
const REMEMBERED = 64;

/** Scoring of chunks, or of documents where `units` is their number. */
function scoringOf(live: LiveIndex, bm25: Bm25Options | undefined, units: number): Scoring {
  const k1 = bm25?.k1 ?? DEFAULT_BM25.k1;
  const fields = Object.entries(bm25?.fields ?? DEFAULT_BM25.fields).flatMap(([name, options]) => {
    const number = live.fields.get(name);
    if (number === undefined) return [];
    const mean = units !== live.chunks && REPEATED_FIELDS.has(name);
    return [
      { number, averageLength: (live.lengths[number] ?? 0) / (mean ? live.chunks : units), options, mean },
    ];
  });
  const key = JSON.stringify([k1, fields]);
  const same = known.get(key);
  if (same) return same;
  if (known.size >= REMEMBERED) known.clear();
  const scoring = { k1, fields };
  known.set(key, scoring);
  return scoring;
}

/** Turns normalised frequencies into gains; gives the largest. */
export function saturateAll(values: Float64Array, k1: number): number {
  let best = 0;
  for (let i = 0; i < values.length; i++) {
    const gain = gainOf(values[i] as number, k1);
    values[i] = gain;
    if (gain > best) best = gain;
  }
  return best;
}

/** What a normalised frequency adds; it is infinite for a field of no length under b = 1. */
export function gainOf(tfn: number, k1: number): number {
  if (tfn === Number.POSITIVE_INFINITY) return k1 + 1;
  return tfn > 0 ? saturate(tfn, k1) : 0;
}
