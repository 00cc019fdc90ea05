import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const children: ChildProcess[] = [];

export function endOtherProcesses(): void {
  for (const child of children) child.kill("SIGKILL");
}

/** Runs a script in another process; `store` is open there and `put` and `say` are at hand. Gives its lines. */
export function otherProcess(path: string, script: string) {
  return otherProgram(`
    const path = ${JSON.stringify(path)};
    const store = await openSqliteStore({ path });
    ${script}
    await store.close();
  `);
}

/** The same without an open store. */
export function otherProgram(script: string) {
  const url = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const program = `
    import { compactSqliteStore, openSqliteStore } from ${url("./index.ts")};
    import { analyzeBuilt, put } from ${url("../../testing/store/fixtures.ts")};
    const say = (line) => process.stdout.write(line + "\\n");
    ${script}
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  const lines: string[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  child.stderr.on("data", (data) => errors.push(String(data)));
  const ended = once(child, "close");
  async function said(line: string): Promise<void> {
    while (!lines.includes(line)) {
      if (child.exitCode !== null) throw new Error(`ended early: ${errors.join("")}`);
      await sleep(5);
    }
  }
  return { child, lines, errors, ended, said };
}
