/** Marks text that UTF-8 cannot hold; the byte never stands in UTF-8. */
const UTF16_MARK = 0xff;
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
