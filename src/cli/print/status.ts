import type { SettingInForce } from "../../config/describe.ts";
import type { ResolvedConfig } from "../../config/load.ts";
import type { Status } from "../../spec/index.ts";
import { quoteArgument } from "../../util/quote-argument.ts";
import type { View } from "../io.ts";
import { bytes, count, indent, shortPath, wrap } from "./layout.ts";
import { wrappedColumns } from "./wrapped-columns.ts";

const SHOWN = 20;

export interface StatusReport {
  /** Undefined while there is no index yet. */
  readonly status: Status | undefined;
  readonly index: string;
  readonly settings: readonly SettingInForce[];
  readonly config: Pick<ResolvedConfig, "file" | "keys" | "warnings">;
}

export function renderStatus(report: StatusReport, view: View): string {
  const { paint } = view;
  return [
    paint.bold("Index"),
    ...indexLines(report, view),
    "",
    paint.bold("Settings in force"),
    ...rows(
      report.settings.map((setting) => settingRow(setting, view)),
      view,
      paint.dim,
    ),
    "",
    paint.bold("Keys"),
    ...report.config.keys.map(({ name, set }) => `  ${name}: ${set ? "set" : "not set"}`),
    ...warningLines(report, view),
  ].join("\n");
}

function indexLines({ status, index }: StatusReport, view: View): string[] {
  if (status === undefined) {
    return [`  ${shortPath(index, view)}: no index yet. Make one with \`konteks ingest <folder>\`.`];
  }
  const { counts, contextStore } = status;
  const { llm, structural, none } = counts.contexts;
  const facts = [
    ["path", `${shortPath(status.index, view)} (${bytes(counts.bytes)})`],
    [
      "holds",
      `${count(counts.documents, "document")}, ${count(counts.chunks, "chunk")}, ${count(counts.vectors, "vector")}`,
    ],
    ["contexts", `${llm} by a model, ${structural} structural, ${none} none`],
    ["vector side", status.embedding],
    ["paid work kept", keptLine(contextStore, view)],
    ...staleRows(contextStore),
    ...logRows(status, view),
    ["incomplete", incompleteLine(status, view)],
  ];
  return rows(facts, view);
}

/** What does not fit beside each other is broken between words. */
function rows(
  cells: readonly (readonly string[])[],
  { columns }: View,
  last?: (text: string) => string,
): string[] {
  return wrappedColumns(cells, columns - INDENT.length, last).map((line) => INDENT + line);
}

const INDENT = "  ";

function incompleteLine({ counts, unfinished = [] }: Status, view: View): string {
  const parts = [
    ...unfinished.map((source) => {
      const path = shortPath(source, view);
      return `the ingest of ${path} was stopped before its end (or still runs); konteks ingest ${quoteArgument(path)}`;
    }),
    ...(counts.pending === 0
      ? []
      : [
          `${counts.chunks - counts.pending} of ${count(counts.chunks, "chunk")} have vectors; konteks repair`,
        ]),
    ...(counts.failures === 0 ? [] : [`${count(counts.failures, "chunk")}; konteks repair`]),
  ];
  return parts.length === 0 ? "nothing" : parts.join("; ");
}

function logRows({ queryLog }: Status, view: View): string[][] {
  if (queryLog === undefined) return [];
  const { path, queries, empty, skipped } = queryLog;
  const found = queries === 0 ? "nothing asked yet" : `${empty} of ${queries} queries had no result`;
  const left = skipped === 0 ? "" : `, ${skipped} were not reranked as asked`;
  return [["query log", `${found}${left} (${shortPath(path, view)})`]];
}

function staleRows({ stale, batches }: Status["contextStore"]): string[][] {
  return [
    ...(stale > 0
      ? [["stale", `${count(stale, "context")} from an older state; konteks repair --stale`]]
      : []),
    ...(batches > 0
      ? [
          [
            "at the provider",
            `${batches === 1 ? "1 unfinished batch" : `${batches} unfinished batches`}; run the ingest again to fetch ${batches === 1 ? "it" : "them"}`,
          ],
        ]
      : []),
  ];
}

function keptLine({ contexts, vectors, path }: Status["contextStore"], view: View): string {
  return `${count(contexts, "context")}, ${count(vectors, "vector")} in ${shortPath(path, view)}`;
}

function settingRow({ name, value, origin, from }: SettingInForce, view: View): string[] {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const source = origin === "file" ? shortPath(from, view) : from;
  const shown = name === "index" ? shortPath(text, view) : text;
  return [name, shown, source === "" ? ORIGINS[origin] : `${ORIGINS[origin]} ${source}`];
}

const ORIGINS = {
  flag: "flag",
  environment: "environment",
  file: "file",
  index: "saved with the index",
  default: "default",
} as const;

function warningLines({ status, config }: StatusReport, { paint, columns }: View): string[] {
  const lines = [
    ...config.warnings,
    ...(status?.warnings ?? []).map(({ id, warning }) => `${id}: ${warning}`),
  ];
  if (lines.length === 0) return [];
  const more = lines.length > SHOWN ? [`  and ${lines.length - SHOWN} more; --json lists all`] : [];
  return [
    "",
    paint.yellow(`Warnings (${lines.length})`),
    ...lines.slice(0, SHOWN).map((line) => indent(wrap(line, columns - INDENT.length), INDENT)),
    ...more,
  ];
}
