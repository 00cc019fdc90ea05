import { normalisedFrequency } from "../../text/bm25.ts";
import { BLOCK_SHIFT, blocksOf, hasBlockGains } from "./chunk-blocks.ts";
import type { Frequencies } from "./postings.ts";
import { gainOf, type ScoredField, type Scoring, saturateAll } from "./scoring.ts";
import type { BlockGains, Gains, TermList } from "./term-lists.ts";

/** Frequencies and lengths that nearly all entries have: what these add is worked out once for each pair. */
const TABLE_FREQUENCIES = 4;
const LENGTH_BITS = 10;
const TABLE_LENGTHS = 2 ** LENGTH_BITS;

/** All gains of a list: BM25F (`text/bm25.ts`) without weight and inverse document frequency. */
export function gainsOf(list: TermList, scoring: Scoring): Gains {
  if (list.gains?.scoring === scoring) return list.gains;
  const { chunks } = list.postings;
  const values = new Float64Array(chunks.length);
  const columns = scoring.fields.flatMap((field) => columnOf(list, field) ?? []);
  const [only] = columns;
  let best = 0;
  if (only && columns.length === 1) best = setField(values, chunks, only, scoring.k1);
  else {
    for (const column of columns) addField(values, chunks, column);
    best = saturateAll(values, scoring.k1);
  }
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

/** A field in which some entries of a list have the term. */
interface Column {
  readonly field: ScoredField;
  readonly frequencies: Frequencies;
  readonly lengths: Uint32Array;
}

function columnOf({ segment, postings }: TermList, field: ScoredField): Column | undefined {
  const frequencies = postings.frequencies[field.number];
  const lengths = segment.lengths[field.number];
  return frequencies && lengths && field.options.weight !== 0 ? { field, frequencies, lengths } : undefined;
}

/** Gains of a list whose term stands in one field alone; gives the largest. */
function setField(
  values: Float64Array,
  chunks: Uint32Array,
  { field, frequencies, lengths }: Column,
  k1: number,
): number {
  const table = tableOf(gainTables, field, (tf, length) => saturatedGain(field, tf, length, k1));
  let best = 0;
  for (let i = 0; i < values.length; i++) {
    const tf = frequencies[i] as number;
    const length = lengths[chunks[i] as number] as number;
    const gain = isInTable(tf, length)
      ? (table[placeOf(tf, length)] as number)
      : saturatedGain(field, tf, length, k1);
    values[i] = gain;
    if (gain > best) best = gain;
  }
  return best;
}

function addField(values: Float64Array, chunks: Uint32Array, { field, frequencies, lengths }: Column): void {
  const table = tableOf(fieldTables, field, (tf, length) => frequencyIn(field, tf, length));
  for (let i = 0; i < values.length; i++) {
    const tf = frequencies[i] as number;
    if (tf === 0) continue;
    const length = lengths[chunks[i] as number] as number;
    const normalised = isInTable(tf, length)
      ? (table[placeOf(tf, length)] as number)
      : frequencyIn(field, tf, length);
    values[i] = (values[i] as number) + normalised;
  }
}

function frequencyIn({ averageLength, options }: ScoredField, tf: number, length: number): number {
  return normalisedFrequency(tf, length, averageLength, options);
}

function saturatedGain(field: ScoredField, tf: number, length: number, k1: number): number {
  return gainOf(frequencyIn(field, tf, length), k1);
}

function isInTable(tf: number, length: number): boolean {
  return tf <= TABLE_FREQUENCIES && length < TABLE_LENGTHS;
}

function placeOf(tf: number, length: number): number {
  return (tf << LENGTH_BITS) | length;
}

type Tables = WeakMap<ScoredField, Float64Array>;
/** A scored field belongs to one scoring, so what it adds follows from frequency and length. */
const fieldTables: Tables = new WeakMap();
const gainTables: Tables = new WeakMap();

function tableOf(
  tables: Tables,
  field: ScoredField,
  value: (tf: number, length: number) => number,
): Float64Array {
  const known = tables.get(field);
  if (known) return known;
  const table = new Float64Array((TABLE_FREQUENCIES + 1) << LENGTH_BITS);
  for (let tf = 1; tf <= TABLE_FREQUENCIES; tf++) {
    for (let length = 0; length < TABLE_LENGTHS; length++) table[placeOf(tf, length)] = value(tf, length);
  }
  tables.set(field, table);
  return table;
}
