/**
 * Two single-byte encodings that general detectors do not know. Both put combining signs into single bytes, and text in
 * them puts those bytes where the script allows them; bytes of any other encoding would do that by chance only.
 */

/** "windows-874" (TIS-620 with a few more signs) if the bytes are Thai. */
export function detectThai(bytes: Uint8Array): string | undefined {
  const text = decode(bytes, "windows-874");
  if (text === undefined) return undefined;
  const signs = count(text, /[\u0E31\u0E34-\u0E3A\u0E47-\u0E4E\u0E40-\u0E44]/g);
  // Vowel signs and tones follow a consonant (or another sign); leading vowels stand before one.
  const placed = count(
    text,
    /(?<=[\u0E01-\u0E2E\u0E31\u0E34-\u0E3A\u0E47-\u0E4E])[\u0E31\u0E34-\u0E3A\u0E47-\u0E4E]|[\u0E40-\u0E44](?=[\u0E01-\u0E2E])/g,
  );
  const foreign = count(text, /[^\0-\x7F\u0E01-\u0E5B\u2013-\u201D\u2022\u2026\xA0]/g);
  return signs >= 3 && placed >= 0.98 * signs && foreign === 0 ? "windows-874" : undefined;
}

/** "windows-1258" if the bytes are Vietnamese. */
export function detectVietnamese(bytes: Uint8Array): string | undefined {
  const text = decode(bytes, "windows-1258");
  if (text === undefined) return undefined;
  const tones = count(text, /[\u0300\u0301\u0303\u0309\u0323]/g);
  const placed = count(text, /(?<=[aeiouyâêôăơưAEIOUYÂÊÔĂƠƯ])[\u0300\u0301\u0303\u0309\u0323]/g);
  const letters = count(text, /[đĐưƯơƠăĂ]/g);
  return tones >= 3 && placed >= 0.95 * tones && letters > 0 ? "windows-1258" : undefined;
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes.subarray(0, 200_000));
  } catch {
    return undefined;
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
