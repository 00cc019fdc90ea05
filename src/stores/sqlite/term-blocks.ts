import {
  type ByteReader,
  byteWriter,
  readBytes,
  readVarint,
  writeBytes,
  writeVarint,
  written,
} from "./bytes.ts";
import { readFirstForm } from "./first-form.ts";
import { bytesToText, textToBytes } from "./text-bytes.ts";

/**
 * A segment's terms lie in blocks, sorted by code units. A block begins with a zero; one entry:
 * `varint(bytes shared with the term before) varint(further bytes) bytes varint(entries) varint(bytes of the list) list`.
 * A block ends before the entry that would make it longer than fits a page of the file (but for what the page keeps for
 * itself), so a block is one read, and a long list has a block of its own.
 */
const BLOCK_BYTES = 4_000;

/** Blocks of format 1 begin with the length of a term, which has at least one byte. */
const MARK = 0;
/** Bytes of an entry's four numbers, in nearly every case. */
const ENTRY_HEAD = 8;

/** A term's list as it is stored. */
export interface TermEntry {
  readonly term: string;
  readonly count: number;
  readonly list: Uint8Array;
}

/** Takes entries in order of their terms; hands each full block with its first term to `save`. */
export function blockWriter(save: (first: string, data: Uint8Array) => void) {
  const block = byteWriter(BLOCK_BYTES * 2);
  let first: string | undefined;
  let before: Uint8Array = NO_TERM;

  function flush(): void {
    if (first !== undefined) save(first, written(block).slice());
    first = undefined;
    before = NO_TERM;
    block.length = 0;
  }

  return {
    add({ term, count, list }: TermEntry): void {
      const name = textToBytes(term);
      if (block.length + name.length + list.length + ENTRY_HEAD > BLOCK_BYTES) flush();
      if (first === undefined) writeVarint(block, MARK);
      first ??= term;
      const shared = sharedBytes(before, name);
      writeVarint(block, shared);
      writeVarint(block, name.length - shared);
      writeBytes(block, name.subarray(shared));
      writeVarint(block, count);
      writeVarint(block, list.length);
      writeBytes(block, list);
      before = name;
    },
    end: flush,
  };
}

/** Entries of a block; a list is valid until the next entry is asked for. */
export function* readBlock(data: Uint8Array): Generator<TermEntry> {
  if (data[0] !== MARK) {
    yield* readFirstForm(data);
    return;
  }
  const reader = blockReader(data);
  const name = byteWriter();
  while (reader.at < data.length) {
    name.length = Math.min(readVarint(reader), name.length);
    writeBytes(name, readBytes(reader, readVarint(reader)));
    const count = readVarint(reader);
    yield { term: bytesToText(written(name)), count, list: readBytes(reader, readVarint(reader)) };
  }
}

/** The one term of a block, without decoding the others. */
export function findInBlock(data: Uint8Array, term: string): Omit<TermEntry, "term"> | undefined {
  if (data[0] !== MARK) return [...readFirstForm(data)].find((entry) => entry.term === term);
  const wanted = textToBytes(term);
  const reader = blockReader(data);
  /** Bytes that the wanted term shares with the one read last. */
  let same = 0;
  while (reader.at < data.length) {
    const shared = readVarint(reader);
    const length = readVarint(reader);
    const from = reader.at;
    reader.at += length;
    if (shared <= same) same = shared + sharedBytesAt(data, from, length, wanted, shared);
    const count = readVarint(reader);
    const bytes = readVarint(reader);
    if (same === wanted.length && shared + length === same) return { count, list: readBytes(reader, bytes) };
    reader.at += bytes;
  }
  return undefined;
}

const NO_TERM = new Uint8Array(0);

function blockReader(data: Uint8Array): ByteReader {
  return { bytes: data, at: 1 };
}

function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  return sharedBytesAt(a, 0, a.length, b, 0);
}

/** How many bytes of `a` from `from` on, at most `length`, are those of `b` from `start` on. */
function sharedBytesAt(a: Uint8Array, from: number, length: number, b: Uint8Array, start: number): number {
  const most = Math.min(length, b.length - start);
  let same = 0;
  while (same < most && a[from + same] === b[start + same]) same++;
  return same;
}
