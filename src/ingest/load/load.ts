import { readFile, stat } from "node:fs/promises";
import { type Document, KonteksError } from "../../spec/index.ts";
import { sha256 } from "../../util/hash.ts";
import { finishDocument } from "./finish.ts";
import { parseApart } from "./parse-apart.ts";
import type { FoundFile, LoadedFile, LoadOptions } from "./types.ts";

/** Raised whenever a reader learns to read what it refused before: files that were refused are tried again then. */
export const READERS = "3";

const defaultMaxBytes = 100 * 1024 * 1024;

/**
 * A file's bytes.
 *
 * @throws KonteksError "unreadable" when it cannot be read, is gone, or is larger than `maxBytes`
 */
export async function readBytes(file: FoundFile, options: LoadOptions = {}): Promise<Uint8Array> {
  const limit = options.maxBytes ?? defaultMaxBytes;
  if (file.read !== undefined) return file.read({ ...options, maxBytes: limit });
  try {
    const { size } = await stat(file.path);
    if (size > limit) throw tooLarge(file, size, limit);
    return await readFile(file.path, options.signal === undefined ? {} : { signal: options.signal });
  } catch (cause) {
    if (cause instanceof KonteksError) throw cause;
    if (options.signal?.aborted) throw aborted(file, cause);
    throw new KonteksError(
      "unreadable",
      `"${file.id}" cannot be read (${reasonOf(cause)}). Check its permissions, or list it in .konteksignore.`,
      { facts: { path: file.path }, cause },
    );
  }
}

/** SHA-256 of a file's bytes: equal hashes mean that there is nothing to load anew. */
export async function hashFile(file: FoundFile, options: LoadOptions = {}): Promise<string> {
  return sha256(await readBytes(file, options));
}

/**
 * A file as a document. Pass `bytes` when they were read before.
 *
 * @throws KonteksError "unsupported-format", "unreadable", "encrypted", "no-text", "aborted"
 */
export async function loadFile(
  file: FoundFile,
  options: LoadOptions & { readonly bytes?: Uint8Array } = {},
): Promise<LoadedFile> {
  const bytes = options.bytes ?? (await readBytes(file, options));
  const parsed = await parseApart(bytes, file, options);
  const { uri = file.path, facts = {} } = file;
  const document: Document = finishDocument(parsed, { id: file.id, uri, ...facts });
  return { document, contentHash: sha256(bytes) };
}

function tooLarge(file: FoundFile, size: number, limit: number): KonteksError {
  const mib = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MiB`;
  return new KonteksError(
    "unreadable",
    `"${file.id}" has ${mib(size)}, more than the limit of ${mib(limit)}. Split it, or raise maxBytes.`,
    { facts: { path: file.path, size, limit } },
  );
}

function aborted(file: FoundFile, cause: unknown): KonteksError {
  return new KonteksError("aborted", `Reading "${file.id}" was stopped. Run it again to go on.`, {
    facts: { path: file.path },
    cause,
  });
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = "code" in cause ? cause.code : undefined;
  if (code === "ENOENT") return "it is gone";
  if (code === "EACCES" || code === "EPERM") return "no permission";
  return cause.message;
}
