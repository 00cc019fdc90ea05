import { KonteksError, type Metadata, type MetadataValue, type RecordFields } from "../../spec/index.ts";
import { decodeText } from "../../util/encoding.ts";
import { ending } from "./paths.ts";
import { csvRecords } from "./table-text.ts";
import type { FileFacts, FoundFile, Member } from "./types.ts";

/**
 * The records of JSON (a list, or an object that holds one), JSON lines and CSV as documents of their own. A record
 * without text is left out.
 *
 * @throws KonteksError "unreadable" when the file is not what its ending says
 */
export async function recordsOf(
  bytes: Uint8Array,
  file: FoundFile,
  fields: RecordFields,
): Promise<readonly Member[]> {
  const decoded = await decodeText(bytes);
  if (decoded === undefined) throw unreadable(file, "it is a binary file");
  const records = await readRecords(decoded.text, file);
  return records.flatMap((record, index) => memberOf(record, index, fields) ?? []);
}

async function readRecords(text: string, file: FoundFile): Promise<readonly unknown[]> {
  const kind = ending(file.id);
  if (kind === "csv" || kind === "tsv") return csvRecords(text, file.id);
  try {
    return kind === "json" ? listIn(JSON.parse(text)) : lines(text);
  } catch (cause) {
    throw unreadable(file, cause instanceof Error ? cause.message : String(cause));
  }
}

function lines(text: string): readonly unknown[] {
  return text
    .split(/\r\n|\r|\n/)
    .flatMap((line) => (line.trim() === "" ? [] : [JSON.parse(line) as unknown]));
}

/** A list, or the longest list among the values of an object ("items", "data", …), else the one value. */
function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return [value];
  const lists = Object.values(value).filter((each) => Array.isArray(each));
  return lists.sort((a, b) => b.length - a.length)[0] ?? [value];
}

function memberOf(record: unknown, index: number, fields: RecordFields): Member | undefined {
  const names = typeof fields.text === "string" ? [fields.text] : fields.text;
  const text = names
    .map((name) => asText(valueAt(record, name)))
    .filter((part) => part.trim() !== "")
    .join("\n\n");
  if (text === "") return undefined;
  const id = fields.id === undefined ? "" : asText(valueAt(record, fields.id)).trim();
  const bytes = new TextEncoder().encode(text);
  return {
    name: id === "" ? String(index + 1) : id,
    size: bytes.length,
    facts: factsOf(record, fields, names),
    read: async () => bytes,
  };
}

function factsOf(record: unknown, fields: RecordFields, textFields: readonly string[]): FileFacts {
  const title = fields.title === undefined ? "" : asText(valueAt(record, fields.title)).trim();
  const uri = fields.uri === undefined ? "" : asText(valueAt(record, fields.uri)).trim();
  const used = new Set([...textFields, fields.title]);
  const own = typeof record === "object" && record !== null ? Object.keys(record) : [];
  const keys = fields.metadata ?? own.filter((key) => !used.has(key));
  const metadata: Record<string, MetadataValue> = {};
  for (const key of keys) {
    const value = metadataValue(valueAt(record, key));
    if (value !== undefined) metadata[key] = value;
  }
  return {
    ...(title !== "" && { title }),
    ...(uri !== "" && { uri }),
    metadata: metadata satisfies Metadata,
  };
}

function valueAt(record: unknown, path: string): unknown {
  if (typeof record === "object" && record !== null && path in record)
    return (record as Record<string, unknown>)[path];
  return path
    .split(".")
    .reduce<unknown>(
      (value, key) =>
        typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined,
      record,
    );
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(asText).join("\n");
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}

function metadataValue(value: unknown): MetadataValue | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  if (value.every((each) => typeof each === "string")) return value;
  return value.every((each) => Number.isFinite(each)) ? (value as number[]) : undefined;
}

function unreadable(file: FoundFile, reason: string): KonteksError {
  return new KonteksError(
    "unreadable",
    `No records can be read from "${file.id}": ${reason}. Mend the file, or ingest it without fields for records.`,
    { facts: { path: file.path } },
  );
}
