import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Connection } from "./connection.ts";

const MOST_FOUND = 10;

const url = new URL(`./integrity-thread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** SQLite's own check of a file, in sentences of its own; none when it finds nothing wrong. One long statement. */
export function integrity(db: Connection): string[] {
  const rows = db.all<{ integrity_check: string }>(`PRAGMA integrity_check(${MOST_FOUND})`);
  return rows.map((row) => row.integrity_check).filter((found) => found !== "ok");
}

/** The same in a thread of its own, over the state of the file that it finds; here, where no thread can be had. */
export async function integrityAside(db: Connection): Promise<string[]> {
  // Bundled into one file, there is none to run.
  if (!existsSync(fileURLToPath(url))) return integrity(db);
  const thread = new Worker(url, {
    workerData: db.path,
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const found = await new Promise<string[] | undefined>((resolve) => {
    const nothing = () => resolve(undefined);
    thread.on("message", resolve).on("error", nothing).on("exit", nothing);
  });
  return found ?? integrity(db);
}
