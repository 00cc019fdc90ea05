import { readFile, stat } from "node:fs/promises";
import { type Document, KonteksError } from "../../spec/index.ts";
import { decodeText } from "../../util/encoding.ts";
import { sha256 } from "../../util/hash.ts";
import { finishDocument } from "./finish.ts";
import { declaredEncoding } from "./html.ts";
import { formatOfName, READ_KINDS, unsupportedName } from "./kinds.ts";
import { ending } from "./paths.ts";
import { sniff } from "./sniff.ts";
import type { FoundFile, LoadedFile, LoadOptions, Parsed } from "./types.ts";

const defaultMaxBytes = 100 * 1024 * 1024;

/**
 * A file's bytes.
 *
 * @throws KonteksError "unreadable" when it cannot be read, is gone, or is larger than `maxBytes`
 */
export async function readBytes(file: FoundFile, options: LoadOptions = {}): Promise<Uint8Array> {
  const limit = options.maxBytes ?? defaultMaxBytes;
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
  const parsed = await parseBytes(bytes, file, options);
  const document: Document = finishDocument(parsed, { id: file.id, uri: file.path });
  return { document, contentHash: sha256(bytes) };
}

/** By content first, then by name: files are renamed, and bytes do not lie. */
async function parseBytes(bytes: Uint8Array, file: FoundFile, options: LoadOptions): Promise<Parsed> {
  const sniffed = sniff(bytes);
  if (sniffed !== undefined) {
    if ("encrypted" in sniffed) throw encrypted(file, sniffed.encrypted);
    if ("unsupported" in sniffed) throw unsupported(file, sniffed.unsupported);
    if (sniffed.format === "pdf") return (await import("./pdf.ts")).loadPdf(bytes, file, options);
    return (await import("./docx.ts")).loadDocx(bytes, file);
  }
  return parseText(bytes, file, options);
}

async function parseText(bytes: Uint8Array, file: FoundFile, options: LoadOptions): Promise<Parsed> {
  const wrapped = unsupportedName(file.id);
  if (wrapped !== undefined) throw unsupported(file, wrapped);
  const named = formatOfName(file.id);
  if (bytes.length > 0 && (named === "pdf" || named === "docx")) throw mislabelled(file);
  const decoded = await decodeText(bytes, { declared: declaredEncoding(bytes) });
  if (decoded === undefined) throw unsupported(file, "a binary file");
  const format = named ?? (looksLikeHtml(decoded.text) ? "html" : "text");
  const parsed = await parseDecoded(decoded.text, format, file.id, options);
  return decoded.warning === undefined
    ? parsed
    : { ...parsed, warnings: [decoded.warning, ...parsed.warnings] };
}

/** Decoded text as its format reads it; text that came out of a PDF or DOCX elsewhere is read as plain text. */
export async function parseDecoded(
  text: string,
  format: Parsed["format"],
  id: string,
  options: LoadOptions,
): Promise<Parsed> {
  if (format === "html") return (await import("./html.ts")).loadHtml(text, options.html);
  const { loadWritten } = await import("./written.ts");
  if (format === "pdf" || format === "docx") return { ...(await loadWritten(text, "text", id)), format };
  return loadWritten(text, format, id);
}

function looksLikeHtml(text: string): boolean {
  return /^\s*(<!--.*?-->\s*)*<(!doctype html|html[\s>])/is.test(text.slice(0, 2000));
}

function unsupported(file: FoundFile, kind: string): KonteksError {
  return new KonteksError(
    "unsupported-format",
    `"${file.id}" is ${kind}, which is not supported yet. Save it as one of the formats that are read (${READ_KINDS}), or list it in .konteksignore.`,
    { facts: { path: file.path, kind } },
  );
}

function encrypted(file: FoundFile, kind: string): KonteksError {
  return new KonteksError(
    "encrypted",
    `"${file.id}" is ${kind}. Save a copy without the password and ingest that.`,
    { facts: { path: file.path } },
  );
}

function mislabelled(file: FoundFile): KonteksError {
  return new KonteksError(
    "unreadable",
    `"${file.id}" is named .${ending(file.id)} but holds something else, or is damaged from its start. Open it to see what it is, and save it anew.`,
    { facts: { path: file.path } },
  );
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
