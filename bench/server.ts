/**
 * `npm run bench:server`: how long searches over HTTP take while nothing else happens, and while another process ingests a
 * folder into the same index. `--pages`: files of that folder (default 600); `--before`: those in the index already
 * (default 300).
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { table } from "../src/eval/report/table.ts";
import { dataFolder, loadSet } from "./sets.ts";

/** A search begins so long after the one before has ended: a person's pace, not a load test's. */
const PAUSE_MS = 20;
const QUIET_SEARCHES = 300;

const { values } = parseArgs({
  options: { pages: { type: "string", default: "600" }, before: { type: "string", default: "300" } },
});
const cli = join(import.meta.dirname, "..", "src", "cli", "bin.ts");
const folder = mkdtempSync(join(tmpdir(), "konteks-bench-server-"));
const index = join(folder, "index");
const { questions } = await loadSet("react-docs-id");
let server: ChildProcess | undefined;
try {
  spawnSync(process.execPath, ingestArgs(writePages("before", Number(values.before))));
  server = spawn(process.execPath, [cli, "serve", "--index", index, "--port", "0", "--json"]);
  const url = await urlOf(server);
  await measure(url, () => false, 20);
  const quiet = await measure(url, () => false, QUIET_SEARCHES);
  const more = ingestArgs(writePages("while", Number(values.pages)));
  const ingest = spawn(process.execPath, more, { stdio: "ignore" });
  let ended = false;
  ingest.on("exit", () => {
    ended = true;
  });
  const started = performance.now();
  const busy = await measure(url, () => ended);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const beside = `beside an ingest of ${values.pages} pages (${seconds} s)`;
  console.log(
    table(
      ["milliseconds", "requests", "p50", "p95", "p99", "most", "processor time of the server"],
      [...rows("alone", quiet), ...rows(beside, busy)],
    ),
  );
} finally {
  server?.kill("SIGINT");
  rmSync(folder, { recursive: true, force: true });
}

function ingestArgs(pages: string): readonly string[] {
  return [cli, "ingest", pages, "--index", index, "--quiet"];
}

function writePages(name: string, count: number): string {
  const lines = readFileSync(join(dataFolder, "react-docs-id", "corpus.jsonl"), "utf8")
    .trim()
    .split("\n");
  for (let i = 0; i < count; i++) {
    const { id, text } = JSON.parse(lines[i % lines.length] ?? "") as { id: string; text: string };
    const path = join(folder, name, String(Math.floor(i / lines.length)), `${id.replace(/\.md$/, "")}.md`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text}\n\nPage ${name} ${i}.\n`);
  }
  return join(folder, name);
}

async function urlOf(process: ChildProcess): Promise<string> {
  if (!process.stdout) throw new Error("The server has no output.");
  const [line] = await once(process.stdout, "data");
  return (JSON.parse(String(line)) as { url: string }).url;
}

interface Measured {
  /** Sorted. */
  readonly searches: readonly number[];
  /** Of requests that ask for next to nothing: what the machine itself adds. */
  readonly nothing: readonly number[];
  /** Processor time of the server for both, in milliseconds. */
  readonly each: number;
}

/** Times of searches, one after the other, until there are enough. */
async function measure(
  url: string,
  ended: () => boolean,
  count = Number.POSITIVE_INFINITY,
): Promise<Measured> {
  const searches: number[] = [];
  const nothing: number[] = [];
  const spent = processorMs(server);
  while (searches.length < count && !ended()) {
    const query = questions[searches.length % questions.length]?.text;
    const headers = { "content-type": "application/json" };
    nothing.push(await timed(`${url}/health`));
    await pause();
    searches.push(await timed(`${url}/search`, { method: "POST", headers, body: JSON.stringify({ query }) }));
    await pause();
  }
  const each = (processorMs(server) - spent) / searches.length;
  return { searches: searches.sort(ascending), nothing: nothing.sort(ascending), each };
}

async function timed(url: string, request?: RequestInit): Promise<number> {
  const before = performance.now();
  const response = await fetch(url, request);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`The server answered with status ${response.status}.`);
  return performance.now() - before;
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

function ascending(a: number, b: number): number {
  return a - b;
}

/** What a process has used so far; Linux counts in hundredths of a second. */
function processorMs(process: ChildProcess | undefined): number {
  const fields = readFileSync(`/proc/${process?.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

function rows(name: string, { searches, nothing, each }: Measured): string[][] {
  const figures = (times: readonly number[]) =>
    [0.5, 0.95, 0.99, 1].map((share) =>
      (times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0).toFixed(1),
    );
  return [
    [`POST /search, ${name}`, String(searches.length), ...figures(searches), `${each.toFixed(1)} a search`],
    [`GET /health, ${name}`, String(nothing.length), ...figures(nothing), ""],
  ];
}
