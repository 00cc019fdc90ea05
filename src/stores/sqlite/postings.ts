import { type ByteReader, type ByteWriter, readVarint, writeBytes, writeVarint } from "./bytes.ts";
import { DamagedPart } from "./damaged-part.ts";

/**
 * Which chunks of a segment hold a term, and how often in each field, decoded.
 * `chunks` ascends; `frequencies[field][i]` belongs to `chunks[i]`, a field without the term is left out.
 */
export interface Postings {
  readonly chunks: Uint32Array;
  readonly frequencies: readonly (Frequencies | undefined)[];
}

/** In bytes, unless a term stands more than 255 times in a chunk's field. */
export type Frequencies = Uint8Array | Uint32Array;

export const NO_POSTINGS: Postings = { chunks: new Uint32Array(0), frequencies: [] };

/** More would not fit the bits that say which fields hold a term. */
export const MAX_FIELDS = 30;

/** Once in the first field: the most frequent entry by far, which needs no bytes beyond its chunk. */
const ONCE_IN_FIRST_FIELD = 1;

/**
 * One entry: `varint(gap to the chunk before · 2 + simple)`, and unless simple what `writeFields` writes. About two bytes
 * on real text, where the first field is the longest (`numberFields`).
 */
export function writePosting(writer: ByteWriter, gap: number, frequencies: readonly number[]): void {
  const simple = fieldBits(frequencies) === ONCE_IN_FIRST_FIELD && frequencies[0] === 1;
  writeVarint(writer, gap * 2 + (simple ? 1 : 0));
  if (!simple) writeFields(writer, frequencies);
}

/** `varint(frequency · 2)` for the first field alone, else `varint(fields as bits · 2 + 1)` and each one's frequency. */
export function writeFields(writer: ByteWriter, frequencies: readonly number[]): void {
  const fields = fieldBits(frequencies);
  if (fields === ONCE_IN_FIRST_FIELD) {
    writeVarint(writer, (frequencies[0] as number) * 2);
    return;
  }
  writeVarint(writer, fields * 2 + 1);
  for (const frequency of frequencies) if (frequency > 0) writeVarint(writer, frequency);
}

/** Copies one entry with another gap before it; returns the number of its chunk, counted from `chunk`. */
export function copyPosting(
  reader: ByteReader,
  writer: ByteWriter,
  chunk: number,
  gapOf: (chunk: number) => number,
): number {
  const head = readVarint(reader);
  const simple = head % 2 === 1;
  const found = chunk + (simple ? (head - 1) / 2 : head / 2);
  const from = reader.at;
  if (!simple) skipFields(reader);
  const gap = gapOf(found);
  if (gap < 0) return found;
  writeVarint(writer, gap * 2 + (simple ? 1 : 0));
  if (!simple) writeBytes(writer, reader.bytes.subarray(from, reader.at));
  return found;
}

/** Passes `count` entries; returns the number of the last chunk, counted from `chunk`. */
export function skipPostings(reader: ByteReader, count: number, chunk: number): number {
  let last = chunk;
  for (let left = count; left > 0; left--) {
    const head = readVarint(reader);
    if (head % 2 === 1) last += (head - 1) / 2;
    else {
      last += head / 2;
      skipFields(reader);
    }
  }
  return last;
}

function skipFields(reader: ByteReader): void {
  const code = readVarint(reader);
  if (code % 2 === 0) return;
  for (let fields = Math.floor(code / 2); fields > 0; fields &= fields - 1) readVarint(reader);
}

/** Decodes a list of `count` entries. */
export function readPostings(reader: ByteReader, count: number): Postings {
  if (count > reader.bytes.length - reader.at) throw new DamagedPart("a posting list ends too early");
  const chunks = new Uint32Array(count);
  const byField: (Frequencies | undefined)[] = [];
  let first: Frequencies | undefined;
  let chunk = 0;
  for (let i = 0; i < count; i++) {
    const head = readVarint(reader);
    if (head % 2 === 1) {
      chunk += (head - 1) / 2;
      first ??= column(byField, 0, count, 1);
      first[i] = 1;
    } else {
      chunk += head / 2;
      readFields(reader, byField, i, count);
      first = byField[0];
    }
    chunks[i] = chunk;
  }
  return { chunks, frequencies: byField };
}

function readFields(
  reader: ByteReader,
  byField: (Frequencies | undefined)[],
  i: number,
  count: number,
): void {
  const code = readVarint(reader);
  if (code % 2 === 0) {
    const frequency = code / 2;
    column(byField, 0, count, frequency)[i] = frequency;
    return;
  }
  let fields = Math.floor(code / 2);
  for (let field = 0; fields > 0; field++, fields >>>= 1) {
    if (!(fields & 1)) continue;
    const frequency = readVarint(reader);
    column(byField, field, count, frequency)[i] = frequency;
  }
}

/** The field's column, wide enough for `frequency`. */
function column(
  columns: (Frequencies | undefined)[],
  field: number,
  count: number,
  frequency: number,
): Frequencies {
  const present = columns[field];
  if (present && (frequency <= 255 || present instanceof Uint32Array)) return present;
  const made = frequency <= 255 ? new Uint8Array(count) : Uint32Array.from(present ?? new Uint8Array(count));
  columns[field] = made;
  return made;
}

function fieldBits(frequencies: readonly number[]): number {
  let bits = 0;
  for (let field = 0; field < frequencies.length; field++) {
    if ((frequencies[field] ?? 0) > 0) bits |= 1 << field;
  }
  return bits;
}
