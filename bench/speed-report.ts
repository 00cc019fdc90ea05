import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { table } from "../src/eval/report/table.ts";

/** What was measured of an engine at a size. */
export interface SpeedRow {
  readonly engine: string;
  readonly chunks: number;
  /** Load of the machine in the minute before the end; above the number of cores others were working too. */
  readonly load: number;
  readonly settings: string;
  readonly cells: Readonly<Record<string, string>>;
  /** Median milliseconds by kind of query; milliseconds of building and opening; bytes on disk and resident. */
  readonly medians?: Readonly<Record<string, number>>;
}

/** Columns of the table, with what their heads say. */
export const columns = [
  { name: "engine", head: "engine" },
  { name: "build", head: "build" },
  { name: "buildMemory", head: "resident while building" },
  { name: "disk", head: "on disk, × the text" },
  { name: "memory", head: "resident while asked" },
  { name: "open", head: "open" },
  { name: "text", head: "text" },
  { name: "vector", head: "vector" },
  { name: "hybrid", head: "hybrid" },
  { name: "filtered text", head: "text, 1 %" },
  { name: "filtered vector", head: "vector, 1 %" },
  { name: "filtered hybrid", head: "hybrid, 1 %" },
  { name: "upsert", head: "upsert of 100 chunks" },
  { name: "recall", head: "recall@20" },
  { name: "ratio", head: "text / hybrid ÷ konteks" },
] as const;

/** Rows with how many times konteks's median theirs is, for text and hybrid; konteks's own rows say 1. */
export function withRatios(rows: readonly SpeedRow[]): readonly SpeedRow[] {
  const own = rows.find(({ engine }) => engine === "konteks")?.medians;
  return rows.map((row) => {
    const ratios = ["text", "hybrid"].map((kind) => ratioOf(row.medians?.[kind], own?.[kind]));
    if (ratios.every((ratio) => ratio === "–")) return row;
    return { ...row, cells: { ...row.cells, ratio: ratios.join(" / ") } };
  });
}

/** Ratios of one run stay; engines that were run apart are compared where the machine did nothing else in either run. */
function comparable(rows: readonly SpeedRow[]): readonly SpeedRow[] {
  const quiet = ({ load }: SpeedRow) => load <= cpus().length;
  const own = rows.find(({ engine }) => engine === "konteks");
  const compared = withRatios(rows);
  return rows.map((row, i) => {
    const apart = row.cells.ratio === undefined && own !== undefined && quiet(own) && quiet(row);
    return apart ? (compared[i] ?? row) : row;
  });
}

function ratioOf(median: number | undefined, own: number | undefined): string {
  return median === undefined || own === undefined ? "–" : `${(median / own).toFixed(1)} ×`;
}

export function speedTable(rows: readonly SpeedRow[]): string {
  const lines = rows.map((row) => columns.map(({ name }) => row.cells[name] ?? ""));
  return table(
    columns.map(({ head }) => head),
    lines,
  );
}

/** Writes the page from the latest row of each engine at each size. */
export function writePerformance(rowsFile: string, page: string): void {
  const latest = new Map<string, SpeedRow>();
  for (const line of readFileSync(rowsFile, "utf8").trim().split("\n")) {
    const row = JSON.parse(line) as SpeedRow;
    latest.set(`${row.chunks} ${row.engine}`, row);
  }
  const all = [...latest.values()];
  // Rows of an engine stand together.
  const first = (row: SpeedRow) => all.findIndex(({ engine }) => engine === row.engine.split(",")[0]);
  const rows = all.toSorted((a, b) => first(a) - first(b));
  const sizes = [...new Set(rows.map(({ chunks }) => chunks))].sort((a, b) => a - b);
  const parts = sizes.map((size) => section(comparable(rows.filter(({ chunks }) => chunks === size))));
  writeFileSync(
    page,
    `${HEAD}\n${parts.join("\n")}\n${growth(rows, sizes)}\n${settings(rows)}${ingest(rowsFile)}`,
  );
}

/** What `--ingest` measured last, if it did. */
function ingest(rowsFile: string): string {
  const file = join(dirname(rowsFile), "ingest.md");
  return existsSync(file) ? `\n## Ingest\n\n${readFileSync(file, "utf8")}\n` : "";
}

const HEAD = `# Performance

Written by \`npm run bench:speed -- --write\`; not to be edited by hand.

The same chunks (real text of about 130 tokens), the same vectors (the built-in lexical embedding) and the same questions
for every engine, each in a process of its own, their queries taking turns. Query columns are milliseconds, p50 / p95 /
p99, for 20 results; hybrid is both searches at the same time, 100 deep, fused the same way for all. 1 % means a filter
that one document in a hundred passes. konteks searches text with all its fields and the document score on, analysis of the question
included. An upsert writes documents of 100 chunks in the place of the same ones (p50 / p95). Recall is against all
vectors in full precision; an engine that finds less than konteks as its documentation advises to set it up has a second
row, with settings that find as much, or as much as it can. The last column compares with konteks's medians of the same run, or of a run that had the machine to itself as well; rows
are the latest of each engine.
`;

function section(rows: readonly SpeedRow[]): string {
  const [first] = rows;
  const load = Math.max(...rows.map((row) => row.load));
  const cores = cpus().length;
  const note =
    load > cores
      ? ` The machine was busy with other work (load ${load.toFixed(0)} on ${cores} cores): ratios say more than times.`
      : "";
  return `## ${first?.chunks.toLocaleString("en")} chunks\n\n${first ? speedTable(rows) : ""}\n\n${cores} cores of ${cpus()[0]?.model.trim()}.${note}\n`;
}

/** Medians of konteks over the sizes, as bars on a scale of powers of ten. */
function growth(rows: readonly SpeedRow[], sizes: readonly number[]): string {
  const own = rows.filter(({ engine }) => engine === "konteks");
  const kinds = Object.keys(own[0]?.medians ?? {});
  const lines = kinds.flatMap((kind) => {
    const values = sizes.flatMap((size) => {
      const value = own.find(({ chunks }) => chunks === size)?.medians?.[kind];
      return value === undefined ? [] : [{ size, value }];
    });
    const least = Math.min(...values.map(({ value }) => value));
    return [
      kind,
      ...values.map(({ size, value }) => {
        const bar = "█".repeat(4 + Math.round(12 * Math.log10(value / least)));
        return `${size.toLocaleString("en").padStart(11)} ${bar} ${inUnits(kind, value)}`;
      }),
    ];
  });
  return `## How konteks grows\n\nMedians. Each twelve blocks more stand for ten times as much.\n\n\`\`\`text\n${lines.join("\n")}\n\`\`\`\n`;
}

function inUnits(kind: string, value: number): string {
  if (kind === "disk" || kind === "memory") return `${(value / 1e6).toFixed(0)} MB`;
  return value >= 10_000 ? `${(value / 1_000).toFixed(0)} s` : `${value.toFixed(value < 100 ? 2 : 0)} ms`;
}

/** A line for an engine, or for each of its sizes where they differ. */
function settings(rows: readonly SpeedRow[]): string {
  const engines = [...new Set(rows.map(({ engine }) => engine))];
  const lines = engines.flatMap((engine) => {
    const own = rows.filter((row) => row.engine === engine);
    if (new Set(own.map((row) => row.settings)).size === 1) return [`- ${engine}: ${own[0]?.settings}`];
    return own.map((row) => `- ${engine}, ${row.chunks.toLocaleString("en")} chunks: ${row.settings}`);
  });
  return `## Settings\n\n${lines.join("\n")}\n`;
}
