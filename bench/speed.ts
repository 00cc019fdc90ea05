/**
 * Speed of the default store beside other embedded stores, on the same chunks, vectors and questions.
 *
 *   npm run bench:speed                      10,000 and 100,000 chunks
 *     --chunks 10000,1000000                 other sizes
 *     --engines konteks,fts5                 only these; "konteks" alone installs nothing
 *     --queries 200                          questions asked of each engine, in each way
 *     --write                                also write docs/performance.md from all rows kept
 *
 * Other engines are installed into .bench/peers/. Each runs in a process of its own; their queries take turns, one at a
 * time. Rows are added to .bench/speed/rows.jsonl.
 */
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createLexicalEmbedder } from "../src/models/lexical/index.ts";
import { analysisTable } from "./analysis.ts";
import { speedDocuments, speedQueries } from "./speed-corpus.ts";
import type { SpeedQuery } from "./speed-engines/engine.ts";
import { type EngineProcess, startEngine } from "./speed-process.ts";
import { type SpeedRow, speedTable, withRatios, writePerformance } from "./speed-report.ts";
import type { QueryKind } from "./speed-worker.ts";

const PEERS = [
  "@lancedb/lancedb@0.39",
  "apache-arrow@18.1",
  "@electric-sql/pglite@0.5.14",
  "@electric-sql/pglite-pgvector@0.0.15",
  "sqlite-vec@0.1",
  "@orama/orama@3",
  "minisearch@7",
];
const ENGINES = ["konteks", "fts5", "lancedb", "pglite", "orama", "minisearch"];
const KINDS: readonly QueryKind[] = ["text", "vector", "hybrid"];
const LIMIT = 20;

const { values: flags } = parseArgs({
  options: {
    chunks: { type: "string", default: "10000,100000" },
    engines: { type: "string", default: ENGINES.join(",") },
    queries: { type: "string", default: "200" },
    write: { type: "boolean", default: false },
  },
});
const embedder = createLexicalEmbedder();
const dimensions = embedder.dimensions ?? 0;
const engines = flags.engines.split(",");
const bench = resolve(".bench");
const rowsFile = join(bench, "speed", "rows.jsonl");

console.log(`Analysis of text, one thread\n\n${await analysisTable()}`);
if (engines.some((name) => name !== "konteks")) installPeers();
for (const size of flags.chunks.split(",").map(Number)) {
  const rows = await measure(size);
  await appendFile(rowsFile, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  console.log(`\n${size} chunks\n\n${speedTable(rows)}`);
}
if (flags.write) writePerformance(rowsFile, resolve("docs", "performance.md"));

function installPeers(): void {
  const folder = join(bench, "peers");
  if (existsSync(join(folder, "node_modules", "minisearch"))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const { status } = spawnSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--legacy-peer-deps", ...PEERS],
    {
      cwd: folder,
      stdio: "inherit",
    },
  );
  if (status !== 0) throw new Error("The other engines could not be installed. Use --engines konteks.");
}

async function measure(chunks: number): Promise<readonly SpeedRow[]> {
  const vectors = await vectorFile(chunks);
  const questions = await questionsOf(Number(flags.queries));
  const running: EngineProcess[] = [];
  for (const name of engines) {
    const engine = startEngine(name, join(bench, "speed", `${name}-${chunks}`), join(bench, "peers"));
    await engine.build({ chunks, vectors, dimensions });
    console.error(`${name}: built ${chunks} chunks in ${((engine.built?.ms ?? 0) / 1_000).toFixed(1)} s`);
    running.push(engine);
  }
  for (const engine of running) await engine.open();
  for (const filtered of [false, true]) await takeTurns(running, questions, filtered);
  // sqlite-vec compares all vectors in full precision.
  const exact = running.find(({ name }) => name === "fts5");
  const load = loadavg()[0] ?? 0;
  const rows = await Promise.all(running.map((engine) => engine.row({ chunks, exact, load })));
  for (const engine of running) await engine.close();
  return withRatios(rows);
}

/** A warm-up round, then every question of every engine in each way; who begins changes with the question. */
async function takeTurns(
  running: readonly EngineProcess[],
  questions: readonly SpeedQuery[],
  filtered: boolean,
): Promise<void> {
  for (const round of [0, 1]) {
    for (const [i, question] of questions.entries()) {
      const query = filtered ? { ...question, group: i % 100 } : question;
      for (let turn = 0; turn < running.length; turn++) {
        const engine = running[(turn + i) % running.length];
        for (const kind of KINDS) await engine?.ask(kind, query, LIMIT, filtered, round > 0);
      }
    }
  }
}

async function questionsOf(count: number): Promise<readonly SpeedQuery[]> {
  return Promise.all(
    speedQueries(count).map(async (text) => ({ text, vector: [...(await embedder.embedQuery(text))] })),
  );
}

/** Vectors of all chunks as 32-bit floats, made once for a size. */
async function vectorFile(chunks: number): Promise<string> {
  const path = join(bench, "speed", `vectors-${chunks}.f32`);
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(`${path}.part`, "w");
  for (const { title, chunks: texts } of speedDocuments(chunks)) {
    const made = await embedder.embedDocuments(texts.map((text) => `${title}\n${text}`));
    for (const vector of made) writeSync(file, new Uint8Array(vector.buffer));
  }
  closeSync(file);
  renameSync(`${path}.part`, path);
  console.error(`vectors of ${chunks} chunks made (${availableParallelism()} cores)`);
  return path;
}
