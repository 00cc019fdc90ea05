import { KonteksError } from "../../spec/index.ts";
import type { ModelInput } from "./encode.ts";
import type { ModelSessionOptions } from "./model-session.ts";
import { type ModelThread, startThread, type Waiting } from "./model-thread.ts";

export interface WorkersOptions extends ModelSessionOptions {
  /** Worker threads, each with the model in memory. */
  readonly workers: number;
  /** Most inputs in one run. */
  readonly batch: number;
  /** Told how long a thread took to load the model, in milliseconds. */
  readonly onLoad?: ((ms: number) => void) | undefined;
}

export interface ModelTask {
  /** Before everything that waits: someone is waiting for the answer. */
  readonly urgent?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A model in worker threads, so that the event loop stays free. */
export interface Workers {
  run(inputs: readonly ModelInput[], task?: ModelTask): Promise<readonly Float32Array[]>;
  /** Ends the threads; what waits fails with "closed". */
  close(): Promise<void>;
}

/**
 * Inputs wait in one line, and a free thread takes the first together with those of most like length, so that little of a
 * batch is padding. Threads begin with the first input.
 */
export function createWorkers(options: WorkersOptions): Workers {
  let line: readonly Waiting[] = [];
  let closed = false;
  const threads = new Set<ModelThread>();
  const closedError = () =>
    new KonteksError("closed", `The model ${options.card.name} was closed. Open it again.`);

  const next = () => {
    while (line.length > 0 && !closed) {
      const thread = [...threads].find((one) => !one.busy()) ?? start();
      if (thread === undefined) return;
      const batch = likeLength(line, options.batch);
      line = line.filter((waiting) => !batch.includes(waiting));
      thread.run(batch);
    }
  };
  const start = () => {
    if (threads.size >= options.workers) return undefined;
    const lost = (thread: ModelThread) => {
      threads.delete(thread);
      next();
    };
    const thread = startThread(options, { free: next, lost, loaded: options.onLoad });
    threads.add(thread);
    return thread;
  };

  return {
    async run(inputs, { urgent, signal } = {}) {
      signal?.throwIfAborted();
      if (closed) throw closedError();
      const entries = inputs.map((input) => ({ input, ...Promise.withResolvers<Float32Array>() }));
      line = urgent ? [...entries, ...line] : [...line, ...entries];
      const stop = () => {
        line = line.filter((waiting) => !entries.some((entry) => entry === waiting));
        for (const { reject } of entries) reject(signal?.reason);
      };
      signal?.addEventListener("abort", stop, { once: true });
      next();
      const results = Promise.all(entries.map(({ promise }) => promise));
      return results.finally(() => signal?.removeEventListener("abort", stop));
    },
    async close() {
      closed = true;
      for (const { reject } of line) reject(closedError());
      line = [];
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

/** The first of the line and those of most like length. */
function likeLength(line: readonly Waiting[], most: number): readonly Waiting[] {
  const [first] = line;
  if (first === undefined || most === 1) return line.slice(0, 1);
  const wanted = lengthOf(first);
  const distance = (waiting: Waiting) => Math.abs(lengthOf(waiting) - wanted);
  return [...line].sort((a, b) => distance(a) - distance(b)).slice(0, most);
}

function lengthOf({ input }: Waiting): number {
  return typeof input === "string" ? input.length : input[0].length + input[1].length;
}
