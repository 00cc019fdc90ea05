import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";

export const ROOT = join(import.meta.dirname, "..", "..");

export interface Ran {
  readonly ok: boolean;
  readonly status: number | null;
  readonly stdout: string;
  /** Both streams and what the system said, for messages. */
  readonly output: string;
}

export interface RunOptions {
  readonly cwd: string;
  /** Added to the environment. Keys of model providers never reach what is run. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the program reads. Default: nothing. */
  readonly input?: string;
  /** Default 120,000. */
  readonly timeoutMs?: number;
}

/** Runs a program to its end, without a terminal and without keys. The project's own Node comes first in PATH. */
export function run(program: string, args: readonly string[], options: RunOptions): Ran {
  const inherited = Object.entries(process.env).filter(([name]) => !/_API_KEY$|^KONTEKS_|^npm_/.test(name));
  const path = [join(ROOT, "node_modules", ".bin"), process.env.PATH ?? ""].join(delimiter);
  const result = spawnSync(program, args, {
    cwd: options.cwd,
    env: { ...Object.fromEntries(inherited), PATH: path, NO_COLOR: "1", ...options.env },
    encoding: "utf8",
    input: options.input ?? "",
    timeout: options.timeoutMs ?? 120_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  const output = [result.stdout, result.stderr, result.error?.message].filter(Boolean).join("\n").trim();
  return { ok: result.status === 0, status: result.status, stdout: result.stdout ?? "", output };
}

/** A generated page in the form that the linter wants. */
export function formatted(path: string, text: string): string {
  const ran = run("biome", ["format", `--stdin-file-path=${path}`], { cwd: ROOT, input: text });
  if (!ran.ok) throw new Error(`${path} could not be formatted: ${ran.output}`);
  return ran.stdout;
}

/** Collects failures; each is one clear line, with what the program said below it. */
export function createChecks(name: string) {
  let passed = 0;
  let failed = 0;
  return {
    check(what: string, ok: boolean, detail = ""): boolean {
      if (ok) {
        passed++;
        return true;
      }
      failed++;
      console.error(`FAILED ${what}`);
      if (detail !== "") console.error(detail.slice(-4000).replace(/^/gm, "  "));
      return false;
    },
    /** Prints the totals and sets the exit code. */
    end(): void {
      console.log(`${name}: ${passed} passed, ${failed} failed`);
      if (failed > 0) process.exitCode = 1;
    },
  };
}

export type Checks = ReturnType<typeof createChecks>;
