import { type ErrorCode, type ErrorFacts, isKonteksError, KonteksError } from "../../spec/index.ts";
import { type ProcessTask, processPool } from "../../util/processes.ts";
import type { FoundFile, LoadOptions, Parsed } from "./types.ts";

const defaultLimitMs = 120_000;

export interface Task {
  readonly bytes: Uint8Array;
  readonly file: PlainFile;
  readonly options: PlainOptions;
}

/** What can be sent to another process. */
export type PlainFile = Omit<FoundFile, "read">;
export type PlainOptions = Omit<LoadOptions, "signal" | "parseLimitMs" | "records">;

const pool = processPool<Task, Parsed>("./process", import.meta.url);

/** Whether files can be read in other processes here. */
export const canRunApart = pool.available;

/**
 * Parses a file in a process of its own; as many at once as there are processors. One that takes too long, takes too
 * much memory or dies is ended, and the error names the file.
 *
 * @throws KonteksError whatever parsing throws; "unreadable" when the process was ended; "aborted"
 */
export async function runApart(bytes: Uint8Array, file: FoundFile, options: LoadOptions): Promise<Parsed> {
  const task = { bytes, file: plainFile(file), options: plainOptions(options) };
  try {
    return await pool.run({ task, ...guards(file, options) });
  } catch (error) {
    throw fromProcess(error);
  }
}

export function plainFile({ id, path, size, format, uri, facts }: FoundFile): PlainFile {
  return { id, path, size, ...(format && { format }), ...(uri && { uri }), ...(facts && { facts }) };
}

export function plainOptions({
  signal: _,
  parseLimitMs: __,
  records: ___,
  ...plain
}: LoadOptions): PlainOptions {
  return plain;
}

/** How long a file may be read, and the errors that name it when its process is ended. */
export function guards(
  file: Pick<FoundFile, "id" | "path">,
  { signal, parseLimitMs = defaultLimitMs }: Pick<LoadOptions, "signal" | "parseLimitMs">,
): Pick<ProcessTask<unknown>, "signal" | "limitMs" | "ended" | "aborted"> {
  const facts = { path: file.path };
  return {
    signal,
    limitMs: parseLimitMs,
    ended: (reason, cause) =>
      new KonteksError(
        "unreadable",
        `"${file.id}" cannot be read: ${reason}. Open it in its program and save it anew, or split it.`,
        { facts, ...(cause === undefined ? {} : { cause }) },
      ),
    aborted: () =>
      new KonteksError("aborted", `Reading "${file.id}" was stopped. Run it again to go on.`, { facts }),
  };
}

/** An error on its way out of a process, where it loses its class. */
interface SentError {
  readonly sent: true;
  readonly code: ErrorCode | undefined;
  readonly message: string;
  readonly facts: ErrorFacts;
}

export function toSend(error: unknown): SentError {
  const message = error instanceof Error ? error.message : String(error);
  if (!isKonteksError(error)) return { sent: true, code: undefined, message, facts: {} };
  return { sent: true, code: error.code, message, facts: error.facts };
}

export function fromProcess(error: unknown): unknown {
  if (typeof error !== "object" || error === null || !("sent" in error)) return error;
  const { code, message, facts } = error as SentError;
  return code === undefined ? new Error(message) : new KonteksError(code, message, { facts });
}
