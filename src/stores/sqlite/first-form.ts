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
import { writeFields } from "./postings.ts";
import { bytesToText } from "./text-bytes.ts";

/**
 * Blocks as format 1 wrote them, each list turned into the present form. A merge writes it anew, so old blocks leave
 * an index by and by. One entry: `varint(bytes of the term) term varint(entries) varint(bytes of the list) list`; in a
 * list, `varint(gap · 2 + simple)` and unless simple `varint(fields as bits) varint(frequency)…`.
 */
export function* readFirstForm(
  data: Uint8Array,
): Generator<{ readonly term: string; readonly count: number; readonly list: Uint8Array }> {
  const reader = byteReader(data);
  while (reader.at < data.length) {
    const term = bytesToText(readBytes(reader, readVarint(reader)));
    const count = readVarint(reader);
    const list = readBytes(reader, readVarint(reader));
    yield { term, count, list: inPresentForm(byteReader(list), count) };
  }
}

function inPresentForm(reader: ByteReader, count: number): Uint8Array {
  const writer = byteWriter(reader.bytes.length + 16);
  const frequencies: number[] = [];
  for (let left = count; left > 0; left--) {
    const head = readVarint(reader);
    writeVarint(writer, head);
    if (head % 2 === 1) continue;
    frequencies.length = 0;
    let fields = readVarint(reader);
    for (let field = 0; fields > 0; field++, fields >>>= 1)
      frequencies[field] = fields & 1 ? readVarint(reader) : 0;
    writeFields(writer, frequencies);
  }
  writeBytes(writer, reader.bytes.subarray(reader.at));
  return written(writer);
}
