import { posix } from "node:path";
import { buffer as collect } from "node:stream/consumers";
import type { Entry, ZipFile } from "yauzl";
import { KonteksError } from "../../spec/index.ts";
import { decodeText } from "../../util/encoding.ts";
import type { FoundFile } from "./types.ts";

/** A file in an archive; unpacked when it is read. */
export interface ZipEntry {
  /** Path inside the archive, with `/` between parts; never leads out of it. */
  readonly name: string;
  /** Bytes unpacked, as the archive states them. Reading gives exactly as many, or fails. */
  readonly size: number;
  readonly isEncrypted: boolean;
  read(): Promise<Uint8Array>;
}

export interface ZipLimits {
  readonly maxEntries: number;
  /** Bytes of all files, unpacked. */
  readonly maxBytes: number;
}

const MIB = 1024 * 1024;

/** What an office file may be: its pictures count, and text packs to a twentieth of its size. */
export const OFFICE_LIMITS: ZipLimits = { maxEntries: 50_000, maxBytes: 512 * MIB };

/** An archive, unpacked a thousand times its size or full of millions of files, is refused before anything is unpacked. */
export const ARCHIVE_LIMITS: ZipLimits = { maxEntries: 20_000, maxBytes: 2048 * MIB };

/**
 * The files of a zip archive, by its directory; nothing is unpacked yet.
 *
 * @throws KonteksError "unreadable" when the archive is damaged or beyond the limits
 */
export async function openZip(
  bytes: Uint8Array,
  file: FoundFile,
  limits: ZipLimits,
): Promise<readonly ZipEntry[]> {
  const { fromBufferPromise } = await import("yauzl");
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    // Names are decoded here: many archives hold them in the encoding of the system that made them.
    const zip = await fromBufferPromise(buffer, {
      lazyEntries: true,
      decodeStrings: false,
      autoClose: false,
    });
    return await listEntries(zip, file, limits);
  } catch (cause) {
    if (cause instanceof KonteksError) throw cause;
    throw damaged(file, cause);
  }
}

async function listEntries(zip: ZipFile, file: FoundFile, limits: ZipLimits): Promise<readonly ZipEntry[]> {
  const entries: ZipEntry[] = [];
  let size = 0;
  for await (const entry of zip.eachEntry()) {
    const name = tidyName(await decodeName(entry));
    if (name === "" || name.endsWith("/")) continue;
    size += entry.uncompressedSize;
    if (size > limits.maxBytes) throw tooLarge(file, `unpacks to more than ${limits.maxBytes / MIB} MiB`);
    if (entries.length === limits.maxEntries)
      throw tooLarge(file, `holds more than ${limits.maxEntries.toLocaleString("en")} files`);
    entries.push({
      name,
      size: entry.uncompressedSize,
      isEncrypted: entry.isEncrypted(),
      read: () => readEntry(zip, entry, file, name),
    });
  }
  return entries;
}

const UTF8_FLAG = 0x800;

async function decodeName({ fileNameRaw, generalPurposeBitFlag }: Entry): Promise<string> {
  const isUtf8 = (generalPurposeBitFlag & UTF8_FLAG) !== 0;
  const decoded = isUtf8 ? undefined : await decodeText(fileNameRaw);
  return decoded?.text ?? fileNameRaw.toString("utf8");
}

/** No name leads out of the archive: "../../etc/passwd" is "etc/passwd" here. */
function tidyName(name: string): string {
  const plain = name.replaceAll("\\", "/").replace(/^[a-z]:/i, "");
  return posix.normalize(`/${plain}`).slice(1);
}

async function readEntry(zip: ZipFile, entry: Entry, file: FoundFile, name: string): Promise<Uint8Array> {
  try {
    return await collect(await zip.openReadStreamPromise(entry));
  } catch (cause) {
    if (entry.isEncrypted()) {
      throw new KonteksError(
        "encrypted",
        `"${name}" in "${file.id}" is encrypted. Unpack the archive with its password and ingest the folder.`,
        { facts: { path: file.path, name }, cause },
      );
    }
    throw damaged(file, cause);
  }
}

function damaged(file: FoundFile, cause: unknown): KonteksError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new KonteksError(
    "unreadable",
    `"${file.id}" is damaged: it cannot be unpacked (${reason}). Make or download it anew.`,
    { facts: { path: file.path }, cause },
  );
}

function tooLarge(file: FoundFile, what: string): KonteksError {
  return new KonteksError(
    "unreadable",
    `"${file.id}" ${what}, which is beyond the limit. Unpack what you need of it and ingest that.`,
    { facts: { path: file.path } },
  );
}
