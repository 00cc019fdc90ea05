import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { SpeedQuery } from "./speed-engines/engine.ts";
import type { SpeedRow } from "./speed-report.ts";
import type { QueryKind, SpeedReply, SpeedTask } from "./speed-worker.ts";

/** An engine in its own process, and what was measured of it. */
export interface EngineProcess {
  readonly name: string;
  readonly built: SpeedReply | undefined;
  build(task: Omit<Extract<SpeedTask, { do: "build" }>, "do">): Promise<void>;
  open(): Promise<void>;
  ask(kind: QueryKind, query: SpeedQuery, limit: number, filtered: boolean, counts: boolean): Promise<void>;
  /** Vector lists by question, for recall against the engine that is exact. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  row(facts: {
    readonly chunks: number;
    readonly exact: EngineProcess | undefined;
    readonly load: number;
  }): Promise<SpeedRow>;
  close(): Promise<void>;
}

export function startEngine(name: string, folder: string, peers: string): EngineProcess {
  const worker = fileURLToPath(new URL("./speed-worker.ts", import.meta.url));
  const start = () => fork(worker, [name, folder, peers], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  let child = start();
  const times = new Map<string, number[]>();
  const lists = new Map<string, readonly string[]>();
  let built: SpeedReply | undefined;
  let opened: SpeedReply | undefined;
  let rss = 0;
  let failure: string | undefined;

  async function tell(task: SpeedTask): Promise<SpeedReply> {
    const reply = await send(child, task);
    if (reply.error !== undefined) failure ??= `${task.do}: ${reply.error.split("\n")[0]}`;
    return reply;
  }

  return {
    name,
    lists,
    get built() {
      return built;
    },
    async build(task) {
      built = await tell({ do: "build", ...task });
    },
    /** In a new process, unless the engine keeps nothing on disk. */
    async open() {
      if (built && built.bytes > 0 && failure === undefined) {
        child.kill();
        child = start();
      }
      opened = await tell({ do: "open" });
    },
    async ask(kind, query, limit, filtered, counts) {
      if (failure !== undefined) return;
      const { ms, ids, rss: now } = await tell({ do: "ask", kind, query, limit });
      rss = Math.max(rss, now);
      if (!counts || ids === undefined) return;
      const key = filtered ? `filtered ${kind}` : kind;
      times.set(key, [...(times.get(key) ?? []), ms]);
      if (key === "vector") lists.set(query.text, ids);
    },
    async row({ chunks, exact, load }) {
      const cells: Record<string, string> = { engine: name };
      if (failure !== undefined)
        return { engine: name, chunks, load, settings: failure, cells: { ...cells, build: failure } };
      cells.build = `${((built?.ms ?? 0) / 1_000).toFixed(1)} s`;
      cells.disk = `${((built?.bytes ?? 0) / 1e6).toFixed(0)} MB`;
      cells.memory = `${(rss / 1e6).toFixed(0)} MB`;
      cells.open = `${(opened?.ms ?? 0).toFixed(0)} ms`;
      const medians: Record<string, number> = {};
      for (const [kind, list] of times) {
        const sorted = list.toSorted((a, b) => a - b);
        const at = (share: number) =>
          sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
        medians[kind] = at(0.5);
        cells[kind] = [0.5, 0.95, 0.99].map((share) => at(share).toFixed(1)).join(" / ");
      }
      cells.recall = exact ? recall(lists, exact.lists) : "";
      return { engine: name, chunks, load, settings: built?.settings ?? "", cells, medians };
    },
    async close() {
      await tell({ do: "close" });
      child.kill();
    },
  };
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
    return { ms: 0, cpuMs: 0, rss: 0, bytes: 0, settings: "", error: message };
  } finally {
    ended.abort();
    exit.catch(() => {});
    reply.catch(() => {});
  }
}

/** Share of the reference's nearest that the engine found as well. */
function recall(
  own: ReadonlyMap<string, readonly string[]>,
  reference: ReadonlyMap<string, readonly string[]>,
): string {
  let hits = 0;
  let all = 0;
  for (const [question, wanted] of reference) {
    const found = new Set(own.get(question));
    hits += wanted.filter((id) => found.has(id)).length;
    all += wanted.length;
  }
  return all === 0 || own.size === 0 ? "" : (hits / all).toFixed(3);
}
