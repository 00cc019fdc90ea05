import { DamagedPart } from "./damaged-part.ts";

/** A growing run of bytes. */
export interface ByteWriter {
  bytes: Uint8Array;
  length: number;
}

/** A place in a run of bytes. */
export interface ByteReader {
  readonly bytes: Uint8Array;
  at: number;
}

export function byteWriter(capacity = 64): ByteWriter {
  return { bytes: new Uint8Array(capacity), length: 0 };
}

export function byteReader(bytes: Uint8Array): ByteReader {
  return { bytes, at: 0 };
}

export function written(writer: ByteWriter): Uint8Array {
  return writer.bytes.subarray(0, writer.length);
}

const CUT = "a stored list ends too early";

/** LEB128: seven bits a byte, low bits first. For integers from 0 to 2^53. */
export function writeVarint(writer: ByteWriter, value: number): void {
  if (writer.length + 8 > writer.bytes.length) reserve(writer, 8);
  let rest = value;
  while (rest >= 0x80) {
    writer.bytes[writer.length++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  writer.bytes[writer.length++] = rest;
}

export function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  reserve(writer, bytes.length);
  writer.bytes.set(bytes, writer.length);
  writer.length += bytes.length;
}

export function readVarint(reader: ByteReader): number {
  const { bytes } = reader;
  const first = bytes[reader.at++];
  if (first === undefined) throw new DamagedPart(CUT);
  if (first < 0x80) return first;
  let value = first & 0x7f;
  for (let scale = 0x80; ; scale *= 0x80) {
    const byte = bytes[reader.at++];
    if (byte === undefined) throw new DamagedPart(CUT);
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
  }
}

/** A number of things that follow, each of at least one byte. */
export function readCount(reader: ByteReader): number {
  const count = readVarint(reader);
  if (count > reader.bytes.length - reader.at) throw new DamagedPart(CUT);
  return count;
}

export function readBytes(reader: ByteReader, length: number): Uint8Array {
  const end = reader.at + length;
  if (end > reader.bytes.length) throw new DamagedPart(CUT);
  const bytes = reader.bytes.subarray(reader.at, end);
  reader.at = end;
  return bytes;
}

function reserve(writer: ByteWriter, more: number): void {
  const needed = writer.length + more;
  if (needed <= writer.bytes.length) return;
  const grown = new Uint8Array(Math.max(needed, writer.bytes.length * 2));
  grown.set(written(writer));
  writer.bytes = grown;
}
