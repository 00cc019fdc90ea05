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
  const url = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const program = `
    import { openSqliteStore } from ${url("./index.ts")};
    import { put } from ${url("../../testing/store/fixtures.ts")};
    const say = (line) => process.stdout.write(line + "\\n");
    const store = await openSqliteStore({ path: ${JSON.stringify(path)} });
    ${script}
    await store.close();
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
