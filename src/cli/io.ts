import pc from "picocolors";
import { type Environment, wantsColors } from "../config/environment.ts";
import { visible } from "./visible.ts";

/** What the command line needs of a stream; `process.stdout` fits. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export type Paint = ReturnType<typeof pc.createColors>;

/** How results are shown: plain data, so that printing is a function of a result and a view. */
export interface View {
  readonly paint: Paint;
  /** Width of the terminal in columns. */
  readonly columns: number;
  /** Rows of a list stay one line each, for the program behind a pipe. */
  readonly isPiped?: boolean;
  /** Paths below it are shown relative to it. */
  readonly cwd: string;
}

export interface Io {
  /** For results, on stdout. */
  readonly view: View;
  /** For notes, on stderr. */
  readonly notes: View;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Writes to stdout as it is, but for signs of control; as the two below. */
  write(text: string): void;
  /** Writes a result to stdout, with a line end. */
  print(text: string): void;
  /** Writes a line for people to stderr. */
  note(text: string): void;
}

export interface IoOptions {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Environment;
  readonly cwd: string;
}

export function createIo({ stdout, stderr, env, cwd }: IoOptions): Io {
  const view = viewOf(stdout, env, cwd);
  const notes = viewOf(stderr, env, cwd);
  return {
    view,
    notes,
    stdoutIsTerminal: stdout.isTTY === true,
    stderrIsTerminal: stderr.isTTY === true,
    write: (text) => void stdout.write(visible(text, view.paint.isColorSupported)),
    print: (text) => void stdout.write(`${visible(text, view.paint.isColorSupported)}\n`),
    note: (text) => void stderr.write(`${visible(text, notes.paint.isColorSupported)}\n`),
  };
}

function viewOf(stream: Output, env: Environment, cwd: string): View {
  const isTerminal = stream.isTTY === true;
  // A pipe has no width; long lines are for the program behind it, but people read the log.
  const columns = isTerminal ? Math.max(40, stream.columns ?? 80) : 100;
  return { paint: pc.createColors(wantsColors(env, isTerminal)), columns, isPiped: !isTerminal, cwd };
}

/** Columns that a row of a list may take. */
export function rowWidth({ columns, isPiped = false }: View): number {
  return isPiped ? Number.POSITIVE_INFINITY : columns;
}
