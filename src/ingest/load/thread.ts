// Runs in a thread of its own: reads what it is sent, and answers with the document or with what is wrong with it.
import { getHeapStatistics } from "node:v8";
import { parentPort } from "node:worker_threads";
import { type ErrorCode, type ErrorFacts, isKonteksError } from "../../spec/errors.ts";
import { parseBytes } from "./parse.ts";
import type { FoundFile, LoadOptions, Parsed } from "./types.ts";

export interface Task {
  readonly bytes: Uint8Array;
  readonly file: FoundFile;
  readonly options: LoadOptions;
}

export type Reply =
  /** `heap`: bytes that the thread holds now. */
  | { readonly parsed: Parsed; readonly heap: number }
  | {
      readonly error: {
        readonly code: ErrorCode | undefined;
        readonly message: string;
        readonly facts: ErrorFacts;
      };
    };

parentPort?.on("message", async ({ bytes, file, options }: Task) => {
  parentPort?.postMessage(await reply(bytes, file, options));
});

async function reply(bytes: Uint8Array, file: FoundFile, options: LoadOptions): Promise<Reply> {
  try {
    const parsed = await parseBytes(bytes, file, options);
    return { parsed, heap: getHeapStatistics().total_heap_size };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!isKonteksError(error)) return { error: { code: undefined, message, facts: {} } };
    // Errors lose their class on the way; facts are plain.
    return { error: { code: error.code, message, facts: error.facts } };
  }
}
