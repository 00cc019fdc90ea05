/** One engine of the speed benchmark in a process of its own, told what to do by messages (speed.ts). */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type SpeedDocument, speedDocuments } from "./speed-corpus.ts";
import type { EmbeddedDocument, OpenEngine, SpeedEngine, SpeedQuery } from "./speed-engines/engine.ts";

export type SpeedTask =
  | { readonly do: "build"; readonly chunks: number; readonly vectors: string; readonly dimensions: number }
  | { readonly do: "open" }
  | { readonly do: "ask"; readonly kind: QueryKind; readonly query: SpeedQuery; readonly limit: number }
  | { readonly do: "close" };

export type QueryKind = "text" | "vector" | "hybrid";

export interface SpeedReply {
  readonly ms: number;
  readonly cpuMs: number;
  readonly rss: number;
  readonly bytes: number;
  readonly settings: string;
  readonly ids?: readonly string[] | undefined;
  readonly error?: string;
}

const [name = "", folder = "", peers = ""] = process.argv.slice(2);
/** Depth of the lists that are fused. */
const DEPTH = 100;

let engine: SpeedEngine | undefined;

process.on("message", async (task: SpeedTask) => {
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
  const reply: SpeedReply = {
    ms,
    cpuMs: (user + system) / 1_000,
    rss: process.memoryUsage().rss,
    bytes: task.do === "ask" ? 0 : bytesBelow(folder),
    settings: engine?.settings ?? "",
    ids,
    ...(error !== undefined && { error }),
  };
  process.send?.(reply);
  if (task.do === "close") process.disconnect();
});

async function run(task: SpeedTask): Promise<readonly string[] | undefined> {
  if (task.do === "build") return build(task);
  if (task.do === "open") return open();
  if (task.do === "close") return close();
  return ask(task.kind, task.query, task.limit);
}

async function load(): Promise<SpeedEngine> {
  const { openEngine } = (await import(`./speed-engines/${name}.ts`)) as { openEngine: OpenEngine };
  return openEngine(folder, peers);
}

async function build(task: Extract<SpeedTask, { do: "build" }>): Promise<undefined> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  engine = await load();
  await engine.build(embedded(speedDocuments(task.chunks), task.vectors, task.dimensions));
}

function* embedded(
  documents: Iterable<SpeedDocument>,
  file: string,
  dimensions: number,
): Generator<EmbeddedDocument> {
  const all = readFileSync(file);
  let at = 0;
  for (const document of documents) {
    const vectors = document.chunks.map(() => {
      const vector = new Float32Array(all.buffer, all.byteOffset + at, dimensions).slice();
      at += dimensions * 4;
      return vector;
    });
    yield { ...document, vectors };
  }
}

async function open(): Promise<undefined> {
  engine ??= await load();
  await engine.open();
}

async function close(): Promise<undefined> {
  await engine?.close();
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
  const lists = [await text(query, DEPTH), await vector(query, DEPTH)];
  return fused(lists).slice(0, limit);
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
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, entry) => sum + bytesBelow(join(path, entry)), 0);
}
