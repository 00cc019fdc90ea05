import type { DocumentRecord, DocumentSummary, PendingVectors, StoredChunk } from "../../spec/index.ts";
import { rowWidth, type View } from "../io.ts";
import { columns, count, indent, oneLine, shortPath, truncate, widthOf, wrap } from "./layout.ts";
import { range } from "./place.ts";
import { wrappedColumns } from "./wrapped-columns.ts";

/** A row a document: id, size, language, title; where that is too wide, the id alone, uncut, and the rest below it. */
export function renderDocuments(documents: readonly DocumentSummary[], view: View): string {
  const { paint } = view;
  if (documents.length === 0) return "No documents. Add some with `konteks ingest <folder>`.";
  const rows = documents.map(({ id, chunks, language = "", title, failures, pending }) => {
    const missing = failures + pending;
    const name = missing === 0 ? title : `${title} (${missing} incomplete)`;
    return [id, count(chunks, "chunk"), language, name];
  });
  const width = rowWidth(view);
  const marked = (text: string) => text.replace(/\(\d+ incomplete\)$/u, paint.red);
  const beside = wrappedColumns(rows, Number.POSITIVE_INFINITY, marked, paint.cyan);
  const fits = columns(rows).every((line) => widthOf(line) <= width);
  const lines = fits
    ? beside
    : rows.flatMap(([id = "", ...facts]) => {
        const text = facts.filter((fact) => fact !== "").join(", ");
        return [paint.cyan(id), marked(indent(wrap(text, width - INDENT.length), INDENT))];
      });
  return [...lines, paint.dim(count(documents.length, "document"))].join("\n");
}

const INDENT = "    ";

/** A document's facts, then its chunks: place, context, source text. */
export function renderDocument(record: DocumentRecord, chunks: readonly StoredChunk[], view: View): string {
  return [facts(record, chunks.length, view), ...chunks.map((chunk) => renderChunk(chunk, view))].join(
    "\n\n",
  );
}

function facts(
  { document, contentHash, indexedAt, source, failures, pending }: DocumentRecord,
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
    ...(pending ? [["incomplete", withoutVectors(pending)]] : []),
  ];
  return [
    paint.bold(document.title),
    ...wrappedColumns(rows, rowWidth(view) - 2).map((line) => `  ${line}`),
  ].join("\n");
}

function withoutVectors({ chunks, reason }: PendingVectors): string {
  const [first = 0, ...others] = chunks;
  const which =
    others.length === 0 ? `chunk ${first}` : `${count(chunks.length, "chunk")}, the first is ${first}`;
  return `no vectors yet: ${which}${reason === undefined ? "" : ` (${reason})`}; konteks repair`;
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
