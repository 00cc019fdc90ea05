import { resolve } from "node:path";
import type { Environment } from "../config/environment.ts";
import { loadConfig, type ResolvedConfig } from "../config/load.ts";
import type { Konteks, ModelLoad, OpenOptions } from "../spec/index.ts";
import type { Io } from "./io.ts";
import { jsonText } from "./json-text.ts";
import { loadingLines } from "./loading-lines.ts";

export type Open = (options: OpenOptions) => Promise<Konteks>;

/** What a command is given beside its arguments. */
export interface Session {
  readonly io: Io;
  readonly cwd: string;
  readonly env: Environment;
  readonly open: Open;
  /** For questions to the user. */
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** The flags as they were typed, by attribute (`chunkSize: "400"`). */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly debug: boolean;
}

/** A command: its arguments in, the exit code out. */
export type Run = (session: Session, args: readonly string[]) => Promise<number>;

export const EXIT = { done: 0, failed: 1, wrongUse: 2, stopped: 130 } as const;

export async function configOf({ cwd, env, flags }: Session): Promise<ResolvedConfig> {
  const named = typeof flags.config === "string" ? { configPath: flags.config } : {};
  return loadConfig({ cwd, env, flags, ...named });
}

/** Folder of the index: the one that was set, else `.konteks` in `folder`. */
export function indexPath(config: Pick<ResolvedConfig, "index">, folder: string): string {
  return config.index ?? resolve(folder, ".konteks");
}

/** Opens, works, and closes whatever happens. Says what loading a model took, where that was much of the wait. */
export async function withIndex<T>(
  session: Session,
  options: OpenOptions,
  work: (konteks: Konteks) => Promise<T>,
): Promise<T> {
  const begun = performance.now();
  const loads: ModelLoad[] = [];
  const konteks = await session.open({ ...options, onModelLoad: (load) => loads.push(load) });
  try {
    const result = await work(konteks);
    for (const line of loadingLines(loads, performance.now() - begun))
      note(session, session.io.notes.paint.dim(line));
    return result;
  } finally {
    await konteks.close();
  }
}

/** A result as one JSON value on stdout. */
export function printJson(session: Session, value: unknown): void {
  session.io.print(jsonText(value, 2));
}

/** A line for people on stderr; nothing with `--json` or `--quiet`. */
export function note(session: Session, text: string): void {
  if (!session.json && !session.quiet) session.io.note(text);
}
