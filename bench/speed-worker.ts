/** One engine of the speed benchmark in a process of its own, told what to do by messages (speed.ts). */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EmbeddedDocument, OpenEngine, SpeedEngine, SpeedQuery } from "./speed-engines/engine.ts";
import { embeddedDocuments, type SpeedInput } from "./speed-prepare.ts";

export type SpeedTask =
  | { readonly do: "build"; readonly input: SpeedInput; readonly anew: boolean }
  | { readonly do: "load" }
  | { readonly do: "open" }
  | { readonly do: "ask"; readonly kind: QueryKind; readonly query: SpeedQuery; readonly limit: number }
  | { readonly do: "effort"; readonly effort: number }
  | { readonly do: "upsert"; readonly input: SpeedInput; readonly round: number }
  | { readonly do: "close" };

export type QueryKind = "text" | "vector" | "hybrid";

export interface SpeedReply {
  readonly ms: number;
  readonly cpuMs: number;
  /** Bytes resident now, and at most so far. */
  readonly rss: number;
  readonly mostRss: number;
  readonly bytes: number;
  readonly settings: string;
  readonly ids?: readonly string[] | undefined;
  readonly analysisMs?: number | undefined;
  /** How many efforts the engine knows. */
  readonly efforts?: number | undefined;
  readonly error?: string;
}

const [name = "", folder = "", peers = ""] = process.argv.slice(2);
/** Depth of the lists that are fused. */
const DEPTH = 100;
/** Chunks of an upsert. */
const UPSERT_CHUNKS = 100;
const BUILT = join(folder, "built.json");

let engine: SpeedEngine | undefined;
let effort = 0;
/** Documents that upserts write, read before their time is taken. */
let spare: EmbeddedDocument[] = [];

process.on("message", async (task: SpeedTask) => {
  if (task.do === "upsert") spare = await documentsOf(task.input, task.round);
  const cpu = process.cpuUsage();
  const start = performance.now();
  let ids: readonly string[] | undefined;
  let error: string | undefined;
  try {
    ids = await run(task);
  } catch (caught) {
    error = caught instanceof Error ? caught.message : String(caught);
  }
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  const measured: SpeedReply = {
    ms,
    cpuMs: (user + system) / 1_000,
    rss: process.memoryUsage().rss,
    mostRss: process.resourceUsage().maxRSS * 1_024,
    bytes: task.do === "ask" ? 0 : bytesBelow(folder),
    settings: [engine?.settings ?? "", engine?.efforts?.[effort] ?? ""]
      .filter((text) => text !== "")
      .join(", "),
    efforts: engine?.efforts?.length ?? 0,
    analysisMs: engine?.analysisMs?.(),
    ids,
    ...(error !== undefined && { error }),
  };
  process.send?.(task.do === "build" && error === undefined ? kept(measured) : measured);
  if (task.do === "close") process.disconnect();
});

async function run(task: SpeedTask): Promise<readonly string[] | undefined> {
  switch (task.do) {
    case "build":
      return build(task);
    case "load":
      return load();
    case "open":
      return open();
    case "ask":
      return ask(task.kind, task.query, task.limit);
    case "effort":
      return useEffort(task.effort);
    case "upsert":
      return upsert();
    case "close":
      return close();
  }
}

async function load(): Promise<undefined> {
  const { openEngine } = (await import(`./speed-engines/${name}.ts`)) as { openEngine: OpenEngine };
  engine ??= await openEngine(folder, peers);
}

/** An index that is there from an earlier run is used as it is, with what was measured then. */
async function build({ input, anew }: Extract<SpeedTask, { do: "build" }>): Promise<undefined> {
  if (!anew && existsSync(BUILT)) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await load();
  await engine?.build(embeddedDocuments(input));
}

/** What a build measured is kept beside it; engines without files are built in every run. */
function kept(measured: SpeedReply): SpeedReply {
  if (existsSync(BUILT)) return JSON.parse(readFileSync(BUILT, "utf8")) as SpeedReply;
  if (measured.bytes > 0) writeFileSync(BUILT, JSON.stringify(measured));
  return measured;
}

async function open(): Promise<undefined> {
  await engine?.open();
}

async function useEffort(place: number): Promise<undefined> {
  await engine?.useEffort?.(place);
  effort = place;
}

async function close(): Promise<undefined> {
  await engine?.close();
}

async function upsert(): Promise<undefined> {
  await engine?.upsert?.(spare);
}

/** Documents of 100 chunks in all, others in each round. */
async function documentsOf(input: SpeedInput, round: number): Promise<EmbeddedDocument[]> {
  const documents: EmbeddedDocument[] = [];
  let passed = 0;
  let count = 0;
  for await (const document of embeddedDocuments(input)) {
    passed += document.chunks.length;
    if (passed <= round * 2 * UPSERT_CHUNKS) continue;
    const left = UPSERT_CHUNKS - count;
    if (document.chunks.length <= left) documents.push(document);
    count += Math.min(left, document.chunks.length);
    if (count === UPSERT_CHUNKS) break;
  }
  return documents;
}

async function ask(
  kind: QueryKind,
  query: SpeedQuery,
  limit: number,
): Promise<readonly string[] | undefined> {
  const { text, vector } = engine ?? {};
  if (kind === "text") return text?.(query, limit);
  if (kind === "vector") return vector?.(query, limit);
  if (!text || !vector) return undefined;
  // Both at once, the vectors first: engines that have threads of their own for one can do the other meanwhile.
  const [nearest, worded] = await Promise.all([vector(query, DEPTH), text(query, DEPTH)]);
  return fused([worded, nearest]).slice(0, limit);
}

/** Reciprocal rank fusion, k = 60, the same for every engine. */
function fused(lists: readonly (readonly string[])[]): readonly string[] {
  const scores = new Map<string, number>();
  for (const list of lists) {
    for (const [rank, id] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (61 + rank));
  }
  return [...scores].sort((a, b) => b[1] - a[1]).map(([id]) => id);
}

function bytesBelow(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return path === BUILT ? 0 : stat.size;
  return readdirSync(path).reduce((sum, entry) => sum + bytesBelow(join(path, entry)), 0);
}
