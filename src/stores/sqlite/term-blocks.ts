import {
  type ByteReader,
  byteReader,
  byteWriter,
  readBytes,
  readVarint,
  writeBytes,
  writeVarint,
  written,
} from "./bytes.ts";
import { bytesToText, textToBytes } from "./text-bytes.ts";

/**
 * A segment's terms lie in blocks, sorted by code units. One entry:
 * `varint(bytes of the term) term varint(entries) varint(bytes of the list) list`.
 * A block ends before the entry that would make it longer than fits a page of the file (but for what the page keeps for
 * itself), so a block is one read, and a long list has a block of its own.
 */
const BLOCK_BYTES = 4_000;

/** Bytes of an entry's three numbers, in nearly every case. */
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

  function flush(): void {
    if (first !== undefined) save(first, written(block).slice());
    first = undefined;
    block.length = 0;
  }

  return {
    add({ term, count, list }: TermEntry): void {
      const name = textToBytes(term);
      if (block.length + name.length + list.length + ENTRY_HEAD > BLOCK_BYTES) flush();
      first ??= term;
      writeVarint(block, name.length);
      writeBytes(block, name);
      writeVarint(block, count);
      writeVarint(block, list.length);
      writeBytes(block, list);
    },
    end: flush,
  };
}

export function* readBlock(data: Uint8Array): Generator<TermEntry> {
  const reader = byteReader(data);
  while (reader.at < data.length) {
    const term = bytesToText(readBytes(reader, readVarint(reader)));
    const count = readVarint(reader);
    yield { term, count, list: readBytes(reader, readVarint(reader)) };
  }
}

/** The one term of a block, without decoding the others. */
export function findInBlock(data: Uint8Array, term: string): Omit<TermEntry, "term"> | undefined {
  const wanted = textToBytes(term);
  const reader = byteReader(data);
  while (reader.at < data.length) {
    const found = matches(reader, wanted);
    const count = readVarint(reader);
    const length = readVarint(reader);
    if (found) return { count, list: readBytes(reader, length) };
    reader.at += length;
  }
  return undefined;
}

function matches(reader: ByteReader, wanted: Uint8Array): boolean {
  const length = readVarint(reader);
  const { bytes, at } = reader;
  reader.at += length;
  if (length !== wanted.length) return false;
  for (let i = 0; i < length; i++) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}
