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
 * A block ends after the entry that fills it, so a long list has a block of its own.
 */
const BLOCK_BYTES = 16_384;

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
      first ??= term;
      const name = textToBytes(term);
      writeVarint(block, name.length);
      writeBytes(block, name);
      writeVarint(block, count);
      writeVarint(block, list.length);
      writeBytes(block, list);
      if (block.length >= BLOCK_BYTES) flush();
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
    const list = readBytes(reader, readVarint(reader));
    if (found) return { count, list };
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
