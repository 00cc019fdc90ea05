import { processEnvironment } from "../config/environment.ts";
import { isKonteksError, KonteksError } from "../spec/errors.ts";
import { failure, isCommanderError } from "./failure.ts";
import { createIo, type IoOptions } from "./io.ts";
import { parseCommandLine, typedCommand } from "./program.ts";
import { EXIT, type Open, type Session } from "./session.ts";

export interface MainOptions extends IoOptions {
  /** What was typed after `konteks`. */
  readonly argv: readonly string[];
  readonly signal: AbortSignal;
  /** Default: `openKonteks`, loaded when it is needed. */
  readonly open?: Open;
  /** Where answers of the user come from. Default: the process's own. */
  readonly input?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
}

/** Runs one command and returns its exit code; never throws. */
export async function main(options: MainOptions): Promise<number> {
  const io = createIo(options);
  const { argv } = options;
  // Before parsing is done the flags are only words; an error in them must still be told in the form asked for.
  const command = typedCommand(argv);
  let told = { json: argv.includes("--json"), debug: argv.includes("--debug"), command };
  try {
    const { view } = io;
    const out = (text: string) => void options.stdout.write(text);
    const invocation = await parseCommandLine(argv, {
      out,
      columns: view.columns,
      colors: view.paint.isColorSupported,
    });
    if (invocation === undefined) return EXIT.done;
    const session = createSession(options, io, invocation.flags);
    told = { ...session, command };
    const { run } = await invocation.command.load();
    return await run(session, invocation.args);
  } catch (error) {
    if (isCommanderError(error) && error.exitCode === 0) return EXIT.done;
    const stopped = options.signal.aborted;
    const { text, exitCode } = failure(stopped ? asStopped(error) : error, told);
    io.note(text);
    return stopped ? EXIT.stopped : exitCode;
  }
}

/** Whatever broke off after Ctrl-C broke off because of it. */
function asStopped(cause: unknown): KonteksError {
  return isKonteksError(cause, "aborted") ? cause : new KonteksError("aborted", "stopped.", { cause });
}

function createSession(
  options: MainOptions,
  io: Session["io"],
  flags: Readonly<Record<string, unknown>>,
): Session {
  const { cwd, env, signal } = options;
  const open: Open = options.open ?? (async (settings) => (await import("../open.ts")).openKonteks(settings));
  const { json, quiet, debug } = flags;
  return {
    io,
    cwd,
    env,
    signal,
    open,
    input: options.input ?? process.stdin,
    flags,
    json: json === true,
    quiet: quiet === true,
    debug: debug === true,
  };
}

/** The process: its streams, its signals, its exit code. */
export async function run(): Promise<void> {
  quietWarnings(process.argv.includes("--debug"));
  endWithPipe();
  const { stdout, stderr, argv } = process;
  const env = processEnvironment();
  const isOver = toldWhenNothingComes(argv.includes("--json"));
  process.exitCode = await main({
    argv: argv.slice(2),
    signal: interrupted(argv.includes("--json") || argv.includes("--quiet")),
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
  });
  isOver();
}

/** Node ends with 0 and without a word when all that is left is waiting for something that can no longer come. */
function toldWhenNothingComes(json: boolean): () => void {
  const tell = () => {
    const error = new Error(
      "something that it waits for never came (a configuration file that does not end?)",
    );
    const { text, exitCode } = failure(error, { json, debug: false });
    process.stderr.write(`${text}\n`);
    process.exit(exitCode);
  };
  process.once("beforeExit", tell);
  return () => void process.off("beforeExit", tell);
}

/** The first Ctrl-C asks the work to stop at a safe place; the second one ends the process. */
function interrupted(silent: boolean): AbortSignal {
  const controller = new AbortController();
  let asked = false;
  const stop = () => {
    if (asked) process.exit(EXIT.stopped);
    asked = true;
    if (!silent) process.stderr.write("\nkonteks: stopping; once more to end at once\n");
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return controller.signal;
}

/** `konteks search … | head` closes the pipe; that is no error. */
function endWithPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(EXIT.done);
      throw error;
    });
  }
}

/** Node's notes on its own experimental parts say nothing to a user; other warnings pass. */
function quietWarnings(debug: boolean): void {
  if (debug) return;
  process.removeAllListeners("warning");
  process.on("warning", (warning: Error & { code?: string }) => {
    const ours = warning.name === "ExperimentalWarning" || warning.code === "MODULE_TYPELESS_PACKAGE_JSON";
    if (!ours) process.stderr.write(`${warning.name}: ${warning.message}\n`);
  });
}
