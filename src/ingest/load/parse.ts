import { KonteksError } from "../../spec/index.ts";
import { decodeText } from "../../util/encoding.ts";
import { declaredEncoding } from "./html.ts";
import { formatOfName, READ_KINDS, unsupportedName } from "./kinds.ts";
import { ending } from "./paths.ts";
import { type SniffedFormat, sniff } from "./sniff.ts";
import type { FoundFile, LoadOptions, Parsed } from "./types.ts";

/** By content first, then by name: files are renamed, and bytes do not lie. */
export async function parseBytes(bytes: Uint8Array, file: FoundFile, options: LoadOptions): Promise<Parsed> {
  const sniffed = sniff(bytes);
  if (sniffed === undefined) return parseText(bytes, file, options);
  if ("encrypted" in sniffed) throw encrypted(file, sniffed.encrypted);
  if ("unsupported" in sniffed) {
    const named = formatOfName(file.id);
    throw named !== undefined && isBinary(named) ? mislabelled(file) : unsupported(file, sniffed.unsupported);
  }
  return parseBinary(bytes, file, sniffed.format, options);
}

async function parseBinary(
  bytes: Uint8Array,
  file: FoundFile,
  format: SniffedFormat,
  options: LoadOptions,
): Promise<Parsed> {
  if (format === "pdf") return (await import("./pdf.ts")).loadPdf(bytes, file, options);
  if (format === "rtf") return (await import("./rtf.ts")).loadRtf(bytes, file);
  try {
    return await parseOffice(bytes, file, format);
  } catch (cause) {
    if (cause instanceof KonteksError) throw cause;
    throw damaged(file, format, cause);
  }
}

async function parseOffice(
  bytes: Uint8Array,
  file: FoundFile,
  format: Exclude<SniffedFormat, "pdf" | "rtf">,
): Promise<Parsed> {
  if (format === "docx") return (await import("./docx.ts")).loadDocx(bytes, file);
  if (format === "xlsx") return (await import("./xlsx.ts")).loadXlsx(bytes, file);
  if (format === "pptx") return (await import("./pptx.ts")).loadPptx(bytes, file);
  if (format === "epub") return (await import("./epub.ts")).loadEpub(bytes, file);
  return (await import("./opendocument.ts")).loadOpenDocument(bytes, file, format);
}

async function parseText(bytes: Uint8Array, file: FoundFile, options: LoadOptions): Promise<Parsed> {
  const wrapped = unsupportedName(file.id);
  if (wrapped !== undefined) throw unsupported(file, wrapped);
  const named = file.format ?? formatOfName(file.id);
  if (bytes.length > 0 && named !== undefined && isBinary(named)) throw mislabelled(file);
  // Each part of a mail has an encoding of its own.
  if (named === "email" || (named === undefined && looksLikeMail(bytes)))
    return (await import("./email.ts")).loadEmail(bytes, file);
  const decoded = await decodeText(bytes, { declared: declaredEncoding(bytes) });
  if (decoded === undefined) throw unsupported(file, "a binary file");
  const format = named ?? (looksLikeHtml(decoded.text) ? "html" : "text");
  const parsed =
    format === "notebook"
      ? await (await import("./notebook.ts")).loadNotebook(decoded.text, file)
      : await parseDecoded(decoded.text, format, file.id, options);
  return decoded.warning === undefined
    ? parsed
    : { ...parsed, warnings: [decoded.warning, ...parsed.warnings] };
}

/** Decoded text as its format reads it; text that came out of a file of another kind elsewhere is read as plain text. */
export async function parseDecoded(
  text: string,
  format: Parsed["format"],
  id: string,
  options: LoadOptions,
): Promise<Parsed> {
  if (format === "html") return (await import("./html.ts")).loadHtml(text, options.html);
  if (format === "csv") return (await import("./table-text.ts")).loadCsv(text, id, options.csv);
  if (format === "json") return (await import("./json-text.ts")).loadJson(text);
  const { loadWritten } = await import("./written.ts");
  if (format === "markdown" || format === "code" || format === "text") return loadWritten(text, format, id);
  return { ...(await loadWritten(text, "text", id)), format };
}

function isBinary(format: Parsed["format"]): boolean {
  return /^(pdf|docx|xlsx|pptx|od[tsp]|rtf|epub)$/.test(format);
}

/** Two of the headers that every mail has, at its very beginning. */
function looksLikeMail(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 4000)).toString("latin1");
  if (!/^(From .*\r?\n)?[A-Za-z-]+: /.test(start)) return false;
  const headers = start.split(/\r?\n\r?\n/)[0] ?? "";
  const found = headers.match(/^(From|Date|Subject|Message-ID|MIME-Version|Received|Return-Path):/gim);
  return new Set(found?.map((name) => name.toLowerCase())).size >= 3;
}

function looksLikeHtml(text: string): boolean {
  return /^\s*(<!--.*?-->\s*)*<(!doctype html|html[\s>])/is.test(text.slice(0, 2000));
}

function unsupported(file: FoundFile, kind: string): KonteksError {
  return new KonteksError(
    "unsupported-format",
    `"${file.id}" is ${kind}, which is not supported yet. ${adviceFor(kind)}, or list it in .konteksignore.`,
    { facts: { path: file.path, kind } },
  );
}

function adviceFor(kind: string): string {
  if (kind.endsWith(" archive")) return "Unpack it and ingest the folder";
  return `Save it as one of the formats that are read (${READ_KINDS})`;
}

function encrypted(file: FoundFile, kind: string): KonteksError {
  return new KonteksError(
    "encrypted",
    `"${file.id}" is ${kind}. Save a copy without the password and ingest that.`,
    { facts: { path: file.path } },
  );
}

function damaged(file: FoundFile, format: SniffedFormat, cause: unknown): KonteksError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new KonteksError(
    "unreadable",
    `"${file.id}" is damaged: it cannot be read as ${format.toUpperCase()} (${reason}). Open it in its program and save it anew.`,
    { facts: { path: file.path }, cause },
  );
}

function mislabelled(file: FoundFile): KonteksError {
  return new KonteksError(
    "unreadable",
    `"${file.id}" is named .${ending(file.id)} but holds something else, or is damaged from its start. Open it to see what it is, and save it anew.`,
    { facts: { path: file.path } },
  );
}
