/**
 * Speed of the default store beside other embedded stores, on the same chunks, vectors and questions.
 *
 *   npm run bench:speed                      10,000 and 100,000 chunks
 *     --chunks 10000                         other sizes
 *     --million                              1,000,000 chunks as well, konteks alone
 *     --engines konteks,fts5                 only these; "konteks" alone installs nothing
 *     --queries 200                          questions asked of each engine, in each way; at most 400
 *     --upserts 20                           writes of 100 chunks each, to engines that keep files; 0 leaves them out
 *     --anew                                 build every index again; else one that is there is used
 *     --prepare                              only make texts and vectors, and build
 *     --no-analysis                          without the speed of analysing text
 *     --ingest 1000                          ingest of so many Markdown pages, stage by stage and as a whole; with
 *                                            --chunks "" nothing else is measured
 *     --local                                only models of this machine: chunks a second beside the runtime alone, queries,
 *                                            loading, memory, and agreement with another implementation
 *     --models multilingual-e5-small         with --local; the models must be here (npm run build:model)
 *     --texts 120                            with --local: chunks of 250 tokens; 0: only the agreement
 *     --rounds 2                             with --local: how often ours and the runtime alone take turns
 *     --write                                also write docs/performance.md from all rows kept
 *
 * Other engines are installed into .bench/peers/. Each runs in a process of its own; their queries take turns, one at a
 * time. Rows are added to .bench/speed/rows.jsonl; the page takes the latest of each engine at each size, so engines may
 * be run apart.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { analysisTable } from "./analysis.ts";
import { ingestTables } from "./ingest.ts";
import { localSpeed } from "./local-speed.ts";
import type { SpeedQuery } from "./speed-engines/engine.ts";
import { type ExactLists, exactLists, prepare, questionsOf } from "./speed-prepare.ts";
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
/** Questions by which settings are found that find as much as konteks. */
const TUNED_ON = 100;
const MILLION = 1_000_000;

const { values: flags } = parseArgs({
  allowNegative: true,
  options: {
    chunks: { type: "string", default: "10000,100000" },
    million: { type: "boolean", default: false },
    engines: { type: "string", default: ENGINES.join(",") },
    queries: { type: "string", default: "200" },
    upserts: { type: "string", default: "20" },
    anew: { type: "boolean", default: false },
    prepare: { type: "boolean", default: false },
    analysis: { type: "boolean", default: true },
    ingest: { type: "string" },
    write: { type: "boolean", default: false },
    local: { type: "boolean", default: false },
    models: { type: "string", default: "all-MiniLM-L6-v2,multilingual-e5-small" },
    texts: { type: "string", default: "120" },
    rounds: { type: "string", default: "2" },
  },
});
if (flags.local) {
  const { models, texts, rounds } = flags;
  await localSpeed({ models: models.split(","), texts: Number(texts), rounds: Number(rounds) });
  process.exit();
}
const bench = resolve(".bench");
const folder = join(bench, "speed");
const rowsFile = join(folder, "rows.jsonl");
const chosen = flags.engines.split(",").filter((name) => name !== "");

if (flags.analysis) console.log(`Analysis of text, one thread\n\n${await analysisTable()}`);
if (flags.ingest !== undefined) await measureIngest(Number(flags.ingest));
const sizes = flags.chunks.split(",").filter((size) => size !== "");
if (sizes.length > 0 && chosen.some((name) => name !== "konteks")) installPeers();
for (const size of sizes.map(Number)) await measureAndTell(size, chosen);
if (flags.million) await measureAndTell(MILLION, ["konteks"]);
if (flags.write) writePerformance(rowsFile, resolve("docs", "performance.md"));

async function measureIngest(files: number): Promise<void> {
  const tables = await ingestTables(files);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "ingest.md"), tables);
  console.log(tables);
}

function installPeers(): void {
  const home = join(bench, "peers");
  if (existsSync(join(home, "node_modules", "minisearch"))) return;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), '{"private":true}');
  const { status } = spawnSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--legacy-peer-deps", ...PEERS],
    { cwd: home, stdio: "inherit" },
  );
  if (status !== 0) throw new Error("The other engines could not be installed. Use --engines konteks.");
}

async function measureAndTell(chunks: number, engines: readonly string[]): Promise<void> {
  const rows = await measure(chunks, engines);
  if (rows.length === 0) return;
  await appendFile(rowsFile, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  console.log(`\n${chunks} chunks\n\n${speedTable(rows)}`);
}

async function measure(chunks: number, engines: readonly string[]): Promise<readonly SpeedRow[]> {
  const input = await prepare(folder, chunks);
  const questions = await questionsOf(folder, input, Number(flags.queries));
  const exact = await exactLists(folder, input, questions);
  const running: EngineProcess[] = [];
  for (const name of engines) {
    const engine = startEngine(name, join(folder, `${name}-${chunks}`), join(bench, "peers"));
    await engine.build({ input, anew: flags.anew });
    console.error(`${name}: ${chunks} chunks, built in ${((engine.built?.ms ?? 0) / 1_000).toFixed(1)} s`);
    running.push(engine);
  }
  if (!flags.prepare) {
    for (const engine of running) await engine.open();
    running.push(...(await atEqualRecall(running, questions, exact)));
    for (const filtered of [false, true]) await takeTurns(running, questions, filtered);
  }
  const load = loadavg()[0] ?? 0;
  for (let round = 0; round < Number(flags.upserts) && !flags.prepare; round++) {
    for (const engine of running) await engine.upsert(input, round);
  }
  const rows = running.map((engine) => engine.row({ input, exact, limit: LIMIT, load }));
  for (const engine of running) await engine.close();
  return flags.prepare ? [] : withRatios(rows);
}

/** Engines that find fewer of the nearest than konteks, once more, with settings that find as many, or as many as they can. */
async function atEqualRecall(
  running: readonly EngineProcess[],
  questions: readonly SpeedQuery[],
  exact: ExactLists,
): Promise<readonly EngineProcess[]> {
  const some = questions.slice(0, TUNED_ON);
  const recallOf = async (engine: EngineProcess) => (await engine.recall(some, exact, LIMIT)) ?? 1;
  const own = running.find(({ name }) => name === "konteks");
  if (!own) return [];
  const wanted = await recallOf(own);
  const more: EngineProcess[] = [];
  for (const engine of running) {
    if (engine.efforts() === 0 || (await recallOf(engine)) >= wanted) continue;
    const highest = engine.efforts() - 1;
    let least = 1;
    let enough = highest + 1;
    while (least < enough) {
      const effort = Math.floor((least + enough) / 2);
      if ((await recallOf(engine.withEffort(engine.name, effort))) >= wanted) enough = effort;
      else least = effort + 1;
    }
    const name = `${engine.name}, ${enough > highest ? "highest" : "equal"} recall`;
    more.push(engine.withEffort(name, Math.min(enough, highest)));
  }
  return more;
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
