import { detectThai, detectVietnamese } from "./legacy-encoding.ts";

/** Text of a file, with what had to be guessed to read it. */
export interface Decoded {
  readonly text: string;
  /** Label of the WHATWG Encoding Standard ("utf-8", "windows-1252", "shift_jis", …). */
  readonly encoding: string;
  /** What a person should know: the encoding was guessed, or some bytes could not be read. */
  readonly warning?: string;
}

export interface DecodeOptions {
  /** The encoding the file itself names (XML declaration, HTML meta). Asked after byte order mark and strict UTF-8. */
  readonly declared?: string | undefined;
}

/**
 * Bytes as text: byte order mark, then strict UTF-8, then UTF-16 without a mark, then the declared encoding, then
 * detection (reported in `warning`). Undefined when the bytes are not text. The byte order mark is not part of the text.
 */
export async function decodeText(
  bytes: Uint8Array,
  options: DecodeOptions = {},
): Promise<Decoded | undefined> {
  const marked = decodeUtf32(bytes) ?? decodeMarked(bytes);
  if (marked !== undefined) return marked;
  if (bytes.includes(0)) return decodeUtf16(bytes);
  if (looksBinary(bytes)) return decodeUtf16(bytes);
  const utf8 = decodeStrictly(bytes, "utf-8");
  if (utf8 !== undefined) return { text: utf8, encoding: "utf-8" };
  return decodeDeclared(bytes, options.declared) ?? decodeDamagedUtf8(bytes) ?? (await decodeDetected(bytes));
}

const marks: readonly { readonly mark: readonly number[]; readonly encoding: string }[] = [
  { mark: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { mark: [0xff, 0xfe], encoding: "utf-16le" },
  { mark: [0xfe, 0xff], encoding: "utf-16be" },
];

/** The platform has no decoder for it. Its mark begins with that of UTF-16, whose texts do not begin with a zero. */
function decodeUtf32(bytes: Uint8Array): Decoded | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || bytes.length % 4 !== 0) return undefined;
  const isLittle = view.getUint32(0, true) === 0xfeff;
  if (!isLittle && view.getUint32(0, false) !== 0xfeff) return undefined;
  const parts: string[] = [];
  for (let at = 4; at < bytes.length; at += 4) {
    const point = view.getUint32(at, isLittle);
    if (point > 0x10ffff) return undefined;
    parts.push(String.fromCodePoint(point));
  }
  return { text: parts.join(""), encoding: isLittle ? "utf-32le" : "utf-32be" };
}

function decodeMarked(bytes: Uint8Array): Decoded | undefined {
  const found = marks.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  if (found === undefined) return undefined;
  const body = bytes.subarray(found.mark.length);
  if (found.encoding === "utf-8" && body.includes(0)) return undefined;
  const strict = decodeStrictly(body, found.encoding);
  if (strict !== undefined) return { text: strict, encoding: found.encoding };
  return {
    text: new TextDecoder(found.encoding, { ignoreBOM: true }).decode(body),
    encoding: found.encoding,
    warning: `Some bytes are not valid ${found.encoding.toUpperCase()}; each was read as U+FFFD.`,
  };
}

function decodeStrictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** In the wrong order of bytes letters are scattered over all scripts; in the right one they stand in the common ones. */
function decodeUtf16(bytes: Uint8Array): Decoded | undefined {
  const [best, other] = (["utf-16le", "utf-16be"] as const)
    .map((encoding) => ({ encoding, common: commonShare(bytes, encoding) }))
    .sort((a, b) => b.common - a.common);
  if (best === undefined || best.common < 0.95 || best.common === other?.common) return undefined;
  const { encoding } = best;
  const text = decodeStrictly(bytes, encoding);
  if (text === undefined || !isPlausible(text)) return undefined;
  return {
    text,
    encoding,
    warning: `Read as ${encoding.toUpperCase()}: the file has no byte order mark, so this was guessed.`,
  };
}

/** Bytes by which the order of a text is told. */
const TOLD_BY = 20_000;

/** How many of the first letters are of the scripts, spaces and marks that texts are written in, from 0 to 1. */
function commonShare(bytes: Uint8Array, encoding: string): number {
  const sample = bytes.subarray(0, Math.min(bytes.length, TOLD_BY) & ~1);
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(sample);
  const common = text.match(
    /[\s!-~\u00a0-\u017f\u0370-\u045f\u05d0-\u06ff\u0900-\u097f\u0e00-\u0e5b\u1ea0-\u1ef9\p{P}\p{Script=Inherited}\p{Sc}\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef]/gu,
  );
  return (common?.length ?? 0) / Math.max(1, text.length);
}

/** Whether text has neither control characters nor code points that stand for nothing. */
function isPlausible(text: string): boolean {
  const sample = text.slice(0, 20_000);
  const strange = sample.match(/(?!\s)[\p{Cn}\p{Co}\p{Cc}]/gu)?.length ?? 0;
  return strange <= sample.length / 500;
}

/** Control characters that no text has (tab, line ends, form feed and escape are allowed). */
function looksBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 65_536);
  let strange = 0;
  for (const byte of sample) {
    if (byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b)) strange++;
  }
  return strange > Math.max(1, sample.length / 300);
}

function decodeDeclared(bytes: Uint8Array, declared: string | undefined): Decoded | undefined {
  if (declared === undefined) return undefined;
  try {
    const encoding = new TextDecoder(declared).encoding;
    const text = /^utf-/.test(encoding) ? undefined : decodeStrictly(bytes, encoding);
    return text === undefined ? undefined : { text, encoding };
  } catch {
    return undefined;
  }
}

/** A mostly right UTF-8 file with a few broken bytes is still UTF-8: reading it as anything else spoils every letter. */
function decodeDamagedUtf8(bytes: Uint8Array): Decoded | undefined {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const broken = text.match(/\uFFFD/g)?.length ?? 0;
  const whole = text.match(/[\u0080-\u{10FFFF}]/gu)?.length ?? 0;
  if (whole - broken < 4 * broken) return undefined;
  return { text, encoding: "utf-8", warning: `${broken} broken UTF-8 sequences were read as U+FFFD.` };
}

async function decodeDetected(bytes: Uint8Array): Promise<Decoded> {
  const encoding = detectThai(bytes) ?? detectVietnamese(bytes) ?? (await detect(bytes)) ?? "windows-1252";
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  return {
    // Windows-1258 writes tone marks as letters of their own; composed, the words are the ones people type.
    text: encoding === "windows-1258" ? text.normalize("NFC") : text,
    encoding,
    warning: `Read as ${encoding}: the file is not UTF-8 and names no encoding, so this was guessed. Save it as UTF-8 if letters look wrong.`,
  };
}

async function detect(bytes: Uint8Array): Promise<string | undefined> {
  const { analyse } = await import("chardet");
  return analyse(longestForeign(bytes))
    .map(({ name }) => labelOf(name))
    .find((label) => label !== undefined && decodeStrictly(bytes, label) !== undefined);
}

/** The detector judges by the letters beyond ASCII, and costs time by the byte: give it the lines that have some. */
function longestForeign(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= 65_536) return bytes;
  const first = bytes.findIndex((byte) => byte > 0x7f);
  return bytes.subarray(Math.max(0, first - 1024), first + 64_512);
}

function labelOf(name: string): string | undefined {
  if (/^(utf-|ascii)/i.test(name)) return undefined;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}
