import { BLOCK_SHIFT, blocksOf, hasBlockGains } from "./chunk-blocks.ts";
import { type ScoredField, type Scoring, saturateAll } from "./scoring.ts";
import type { BlockGains, Gains, TermList } from "./term-lists.ts";

/** All gains of a list: BM25F (`text/bm25.ts`) without weight and inverse document frequency. */
export function gainsOf(list: TermList, scoring: Scoring): Gains {
  if (list.gains?.scoring === scoring) return list.gains;
  const { chunks } = list.postings;
  const values = new Float64Array(chunks.length);
  for (const field of scoring.fields) addField(values, list, field);
  const best = saturateAll(values, scoring.k1);
  const { size } = list.segment;
  const blocks = hasBlockGains(chunks.length, size) ? blockGains(chunks, values, blocksOf(size)) : undefined;
  list.gains = { scoring, values, best, blocks };
  return list.gains;
}

function blockGains(chunks: Uint32Array, values: Float64Array, blocks: number): BlockGains {
  const most = new Float32Array(blocks);
  const starts = new Uint32Array(blocks + 1);
  for (let i = 0; i < values.length; i++) {
    const block = (chunks[i] as number) >>> BLOCK_SHIFT;
    const gain = values[i] as number;
    if (gain > (most[block] as number)) most[block] = gain;
    starts[block + 1] = i + 1;
  }
  for (let block = 1; block <= blocks; block++) {
    if (starts[block] === 0) starts[block] = starts[block - 1] as number;
  }
  return { most, starts };
}

function addField(values: Float64Array, { segment, postings }: TermList, field: ScoredField): void {
  const column = postings.frequencies[field.number];
  const lengths = segment.lengths[field.number];
  if (!column || !lengths) return;
  const { weight = 1, b = 0.75 } = field.options;
  if (weight === 0) return;
  const average = field.averageLength || 1;
  const { chunks } = postings;
  for (let i = 0; i < chunks.length; i++) {
    const tf = column[i] as number;
    if (tf > 0) {
      values[i] =
        (values[i] as number) +
        (weight * tf) / (1 - b + (b * (lengths[chunks[i] as number] as number)) / average);
    }
  }
}
