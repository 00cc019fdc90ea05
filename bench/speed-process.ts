import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { SpeedQuery } from "./speed-engines/engine.ts";
import { type ExactLists, recallOf, type SpeedInput } from "./speed-prepare.ts";
import type { SpeedRow } from "./speed-report.ts";
import type { QueryKind, SpeedReply, SpeedTask } from "./speed-worker.ts";

/** An engine in its own process, and what was measured of it. */
export interface EngineProcess {
  readonly name: string;
  readonly built: SpeedReply | undefined;
  build(task: Omit<Extract<SpeedTask, { do: "build" }>, "do">): Promise<void>;
  open(): Promise<void>;
  ask(kind: QueryKind, query: SpeedQuery, limit: number, filtered: boolean, counts: boolean): Promise<void>;
  upsert(input: SpeedInput, round: number): Promise<void>;
  /** How many settings of its vector search there are; known once it is open. */
  efforts(): number;
  /** The same engine with another setting of its vector search, under a name of its own. */
  withEffort(name: string, effort: number): EngineProcess;
  /** Share of the nearest that its vector search finds; not counted as asked. */
  recall(questions: readonly SpeedQuery[], exact: ExactLists, limit: number): Promise<number | undefined>;
  row(facts: RowFacts): SpeedRow;
  close(): Promise<void>;
}

interface RowFacts {
  readonly input: SpeedInput;
  readonly exact: ExactLists;
  readonly limit: number;
  readonly load: number;
}

/** Everything that was measured of one engine. */
interface Measured {
  readonly name: string;
  readonly times: Map<string, number[]>;
  /** Vector lists by question. */
  readonly lists: Map<string, readonly string[]>;
  built: SpeedReply | undefined;
  opened: SpeedReply | undefined;
  rss: number;
  settings: string;
  failure: string | undefined;
}

/** Starts an engine's process. */
export function startEngine(name: string, folder: string, peers: string): EngineProcess {
  return engineView(startChild(name, folder, peers), name, 0);
}

interface Child {
  tell(task: SpeedTask): Promise<SpeedReply>;
  /** In a new process. */
  restart(): void;
  end(): void;
  /** Setting of the vector search that is in force. */
  effort: number;
}

function startChild(name: string, folder: string, peers: string): Child {
  const worker = fileURLToPath(new URL("./speed-worker.ts", import.meta.url));
  // LanceDB tells of a coming change with every query.
  const env = { ...process.env, LANCE_LOG: "error", RUST_LOG: "error" };
  const start = () =>
    fork(worker, [name, folder, peers], { stdio: ["ignore", "ignore", "inherit", "ipc"], env });
  let child = start();
  return {
    tell: (task) => send(child, task),
    restart() {
      child.kill();
      child = start();
    },
    end: () => child.kill(),
    effort: 0,
  };
}

function engineView(child: Child, name: string, effort: number): EngineProcess {
  const measured: Measured = {
    name,
    times: new Map(),
    lists: new Map(),
    built: undefined,
    opened: undefined,
    rss: 0,
    settings: "",
    failure: undefined,
  };

  async function tell(task: SpeedTask): Promise<SpeedReply> {
    if (child.effort !== effort) await child.tell({ do: "effort", effort });
    child.effort = effort;
    const reply = await child.tell(task);
    if (reply.error !== undefined)
      measured.failure ??= `${task.do}: ${reply.error.split("\n")[0]?.slice(0, 100)}`;
    return reply;
  }

  function note(key: string, ms: number): void {
    const list = measured.times.get(key);
    if (list) list.push(ms);
    else measured.times.set(key, [ms]);
  }

  return {
    name,
    get built() {
      return measured.built;
    },
    async build(task) {
      measured.built = await tell({ do: "build", ...task });
    },
    /** In a new process, unless the engine keeps nothing on disk; its code is loaded before the time is taken. */
    async open() {
      if (measured.built && measured.built.bytes > 0 && measured.failure === undefined) {
        child.restart();
        await tell({ do: "load" });
      }
      measured.opened = await tell({ do: "open" });
    },
    async ask(kind, query, limit, filtered, counts) {
      if (measured.failure !== undefined) return;
      const { ms, ids, rss, settings } = await tell({ do: "ask", kind, query, limit });
      measured.rss = Math.max(measured.rss, rss);
      measured.settings = settings;
      if (!counts || ids === undefined) return;
      note(filtered ? `filtered ${kind}` : kind, ms);
      if (kind === "vector" && !filtered) measured.lists.set(query.text, ids);
    },
    /** The engine has to keep files, and to take writes. */
    async upsert(input, round) {
      if (measured.failure !== undefined || !measured.built?.bytes || effort > 0) return;
      const { ms, settings } = await tell({ do: "upsert", input, round });
      if (settings !== "" && ms > 0.2) note("upsert", ms);
    },
    efforts: () => measured.opened?.efforts ?? 0,
    withEffort: (other, place) => engineView(child, other, place),
    async recall(questions, exact, limit) {
      const found = new Map<string, readonly string[]>();
      for (const query of questions) {
        const { ids } = await tell({ do: "ask", kind: "vector", query, limit });
        if (ids) found.set(query.text, ids);
      }
      return recallOf(found, exact, limit);
    },
    row: (facts) => rowOf(measured, facts),
    async close() {
      if (effort > 0) return;
      await tell({ do: "close" });
      child.end();
    },
  };
}

function rowOf(measured: Measured, { input, exact, limit, load }: RowFacts): SpeedRow {
  const { name, failure, built, opened, times, lists, rss, settings } = measured;
  const { chunks, textBytes } = input;
  if (failure !== undefined) {
    return { engine: name, chunks, load, settings: failure, cells: { engine: name, build: failure } };
  }
  const recall = recallOf(lists, exact, limit);
  const cells: Record<string, string> = {
    engine: name,
    ...(built && builtCells(built, textBytes)),
    ...(opened && { open: `${opened.ms.toFixed(0)} ms` }),
    memory: megabytes(rss),
    recall: recall === undefined ? "" : recall.toFixed(3),
  };
  const medians: Record<string, number> = {
    ...(built && { build: built.ms, disk: built.bytes }),
    ...(opened && { open: opened.ms }),
    memory: rss,
  };
  for (const [kind, list] of times) {
    const sorted = list.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    medians[kind] = at(0.5);
    const shares = kind === "upsert" ? [0.5, 0.95] : [0.5, 0.95, 0.99];
    cells[kind] = shares.map((share) => at(share).toFixed(at(0.5) < 10 ? 1 : 0)).join(" / ");
  }
  return { engine: name, chunks, load, settings, cells, medians };
}

function builtCells({ ms, bytes, mostRss, analysisMs = 0 }: SpeedReply, textBytes: number) {
  return {
    build: seconds(ms) + (analysisMs > 0 ? `, ${seconds(analysisMs)} of it analysis` : ""),
    buildMemory: megabytes(mostRss),
    disk: bytes > 0 ? `${megabytes(bytes)}, ${(bytes / textBytes).toFixed(2)} ×` : "",
  };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

async function send(child: ChildProcess, task: SpeedTask): Promise<SpeedReply> {
  const ended = new AbortController();
  const reply = once(child, "message", { signal: ended.signal });
  const exit = once(child, "exit", { signal: ended.signal }).then(([code]) => {
    throw new Error(`the engine's process ended with ${code}`);
  });
  child.send(task);
  try {
    const [message] = (await Promise.race([reply, exit])) as [SpeedReply];
    return message;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ms: 0, cpuMs: 0, rss: 0, mostRss: 0, bytes: 0, settings: "", error: message };
  } finally {
    ended.abort();
    exit.catch(() => {});
    reply.catch(() => {});
  }
}
