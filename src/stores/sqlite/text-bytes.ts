import { deflateRawSync, inflateRawSync } from "node:zlib";
import { DamagedPart } from "./damaged-part.ts";

/** Mark what follows as UTF-16, as UTF-8 cannot hold the text, or as compressed; the bytes never stand in UTF-8. */
const UTF16_MARK = 0xff;
const DEFLATE_MARK = 0xfe;
/** Shorter text gains nothing. */
const LEAST_COMPRESSED = 200;
/** A window of 8 kB holds most pieces of a text; the default's memory would be the most that a write allocates. */
const DEFLATE = { windowBits: 13, memLevel: 6 };
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Text as bytes, without loss: UTF-8, or UTF-16 where the text holds half a surrogate pair. Kept as a blob because
 * SQLite's text type ends at a NUL character in some versions of Node.
 */
export function textToBytes(text: string): Uint8Array {
  if (text.isWellFormed()) return Buffer.from(text, "utf8");
  return Buffer.concat([Buffer.of(UTF16_MARK), Buffer.from(text, "utf16le")]);
}

export function bytesToText(bytes: Uint8Array): string {
  if (bytes[0] !== UTF16_MARK) return decoder.decode(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf16le", 1);
}

/** The same, compressed (RFC 1951) where that makes it shorter. */
export function textToShortBytes(text: string): Uint8Array {
  const bytes = textToBytes(text);
  if (bytes.length < LEAST_COMPRESSED) return bytes;
  const packed = deflateRawSync(bytes, DEFLATE);
  return packed.length + 1 < bytes.length ? Buffer.concat([Buffer.of(DEFLATE_MARK), packed]) : bytes;
}

export function shortBytesToText(bytes: Uint8Array): string {
  return bytesToText(bytes[0] === DEFLATE_MARK ? inflated(bytes.subarray(1)) : bytes);
}

function inflated(bytes: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(bytes);
  } catch {
    throw new DamagedPart("a piece of text cannot be unpacked");
  }
}
