import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { table } from "../src/eval/report/table.ts";
import { chunkDocument } from "../src/ingest/chunk/chunk.ts";
import { structurally } from "../src/ingest/contextualize/contextualize.ts";
import { embedChunks } from "../src/ingest/embed-chunks.ts";
import { listFiles, loadFile } from "../src/ingest/load/index.ts";
import { analyzeChunk } from "../src/ingest/write.ts";
import { createLexicalEmbedder } from "../src/models/lexical/index.ts";
import { dataFolder } from "./sets.ts";

/** What the stages of ingest take, and ingest as a whole, over Markdown pages. */
export async function ingestTables(files: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "konteks-ingest-"));
  try {
    const pages = makePages(join(folder, "pages"), files);
    const stages = await stageTable(pages);
    return `${stages}\n\n${wholeTable(pages, folder)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The pages of react-docs-id, again and again with every fortieth word changed. */
function makePages(folder: string, count: number): string {
  const lines = readFileSync(join(dataFolder, "react-docs-id", "corpus.jsonl"), "utf8")
    .trim()
    .split("\n");
  for (let number = 0; number < count; number++) {
    const { id, text } = JSON.parse(lines[number % lines.length] ?? "") as { id: string; text: string };
    const round = Math.floor(number / lines.length);
    const path = join(folder, String(round), id.endsWith(".md") ? id : `${id}.md`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, round === 0 ? text : changed(text, round));
  }
  return folder;
}

function changed(text: string, round: number): string {
  let words = 0;
  return text.replace(/(?<= )[a-z]{4,}(?= )/g, (word) => (++words % 40 === 0 ? word + round : word));
}

const STAGES = ["read and parse", "chunk", "contextualize", "embed", "analyse"] as const;

/** Processor time of each stage in one thread. */
async function stageTable(folder: string): Promise<string> {
  const spent = new Map<string, number>();
  const stage = async <T>(name: (typeof STAGES)[number], work: () => T | Promise<T>): Promise<T> => {
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    spent.set(name, (spent.get(name) ?? 0) + (user + system) / 1e6);
    return result;
  };
  const embedder = createLexicalEmbedder();
  let bytes = 0;
  let chunks = 0;
  for (const file of await listFiles(folder)) {
    const { document } = await stage("read and parse", () => loadFile(file, { apart: false }));
    const cut = await stage("chunk", () => chunkDocument(document));
    const { contexts } = await stage("contextualize", () => structurally()({ document, chunks: cut }));
    await stage("embed", () => embedChunks(document, cut, contexts, { embedder }));
    await stage("analyse", () =>
      cut.map((chunk, i) => analyzeChunk(document, chunk, contexts[i] ?? { kind: "none", text: "" })),
    );
    bytes += statSync(file.path).size;
    chunks += cut.length;
  }
  const seconds = (names: readonly string[]) => names.reduce((sum, name) => sum + (spent.get(name) ?? 0), 0);
  const row = (name: string, own: readonly string[]) => [
    name,
    seconds(own).toFixed(2),
    (bytes / 1e6 / seconds(own)).toFixed(1),
    (chunks / seconds(own)).toFixed(0),
  ];
  const rows = [
    ...STAGES.map((name) => row(name, [name])),
    row("read, parsed and chunked", STAGES.slice(0, 2)),
    row("all of these", STAGES),
  ];
  return `One thread, ${(bytes / 1e6).toFixed(1)} MB of Markdown\n\n${table(["stage", "processor s", "MB/s", "chunks/s"], rows)}`;
}

/** A whole run in a process of its own. */
function wholeTable(pages: string, folder: string): string {
  const worker = join(import.meta.dirname, "ingest-worker.ts");
  const { stdout, status, stderr } = spawnSync(process.execPath, [worker, pages, join(folder, "index")], {
    encoding: "utf8",
  });
  if (status !== 0 || !existsSync(folder)) throw new Error(`ingest failed: ${stderr}`);
  const run = JSON.parse(stdout) as Readonly<
    Record<"chunks" | "bytes" | "seconds" | "cpu" | "mib" | "p95", number>
  >;
  const row = [
    String(run.chunks),
    run.seconds.toFixed(1),
    run.cpu.toFixed(1),
    (run.chunks / run.seconds).toFixed(0),
    (run.chunks / run.cpu).toFixed(0),
    (run.bytes / 1e6 / run.seconds).toFixed(1),
    run.mib.toFixed(0),
    run.p95.toFixed(0),
    (loadavg()[0] ?? 0).toFixed(1),
  ];
  const head = [
    "chunks",
    "s",
    "processor s",
    "chunks/s",
    "chunks/processor s",
    "MB/s",
    "MiB",
    "search p95 ms meanwhile",
    "load",
  ];
  return `End to end without a model, processes as ingest starts them\n\n${table(head, [row])}`;
}
