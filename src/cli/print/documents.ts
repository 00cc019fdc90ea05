import type { DocumentRecord, DocumentSummary, StoredChunk } from "../../spec/index.ts";
import type { View } from "../io.ts";
import { columns, count, indent, oneLine, shortPath, truncate, wrap } from "./layout.ts";
import { range } from "./place.ts";

/** One line a document: id, size, language, title. */
export function renderDocuments(documents: readonly DocumentSummary[], view: View): string {
  if (documents.length === 0) return "No documents. Add some with `konteks ingest <folder>`.";
  const rows = documents.map((document) => [
    view.paint.cyan(document.id),
    count(document.chunks, "chunk"),
    document.language ?? "",
    document.failures === 0
      ? document.title
      : `${document.title} ${view.paint.red(`(${document.failures} incomplete)`)}`,
  ]);
  return [...columns(rows), view.paint.dim(count(documents.length, "document"))].join("\n");
}

/** A document's facts, then its chunks: place, context, source text. */
export function renderDocument(record: DocumentRecord, chunks: readonly StoredChunk[], view: View): string {
  return [facts(record, chunks.length, view), ...chunks.map((chunk) => renderChunk(chunk, view))].join(
    "\n\n",
  );
}

function facts(
  { document, contentHash, indexedAt, source, failures }: DocumentRecord,
  chunks: number,
  view: View,
): string {
  const { paint } = view;
  const rows = [
    ["id", document.id],
    ["where", shortPath(document.uri, view)],
    ["format", document.format + (document.language === undefined ? "" : `, language ${document.language}`)],
    ["size", `${count(document.text.length, "character")}, ${count(chunks, "chunk")}`],
    ["indexed", `${indexedAt} from ${source === "api" ? source : shortPath(source, view)}`],
    ["hash", contentHash],
    ...Object.entries(document.metadata).map(([key, value]) => [`metadata ${key}`, JSON.stringify(value)]),
    ...(document.warnings ?? []).map((warning) => ["warning", warning]),
    ...Object.entries(failures ?? {}).map(([id, reason]) => ["incomplete", `${id}: ${reason}`]),
  ];
  return [paint.bold(document.title), ...columns(rows).map((line) => `  ${line}`)].join("\n");
}

export function renderChunk({ chunk, context }: StoredChunk, view: View): string {
  const { paint } = view;
  const place = [
    range("line", chunk.lines),
    ...(chunk.pages === undefined ? [] : [range("page", chunk.pages)]),
    `characters ${chunk.start}–${chunk.end}`,
    count(chunk.tokens, "token"),
  ].join(", ");
  const lines = [`${paint.bold(chunk.id)}  ${paint.dim(place)}`];
  if (chunk.headings.length > 0) lines.push(`  ${paint.cyan(chunk.headings.join(" > "))}`);
  if (chunk.repeated !== undefined) {
    lines.push(paint.dim(truncate(`  repeated for the index: ${oneLine(chunk.repeated)}`, view.columns)));
  }
  if (context.text !== "") {
    const text = wrap(`context (${context.kind}, not source): ${oneLine(context.text)}`, view.columns - 2);
    lines.push(paint.dim(indent(text, "  ")));
  }
  return [...lines, indent(chunk.text.split("\n"), "  ")].join("\n");
}
