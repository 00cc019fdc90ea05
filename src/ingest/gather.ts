import type { DocumentRecord, IndexedChunk, Store } from "../spec/index.ts";

/** Chunks that are written together. */
const CHUNKS = 100;
/** How long a document waits for others, in milliseconds. */
const WAIT_MS = 20;

interface Waiting {
  readonly record: DocumentRecord;
  readonly chunks: readonly IndexedChunk[];
  readonly resolve: (done: Promise<void>) => void;
}

/**
 * Writes documents that are ready at about the same time together: a store that makes one commit of what it is asked for
 * in one turn has less to do. Each is answered once it is written, as before.
 */
export function gatherWrites(store: Pick<Store, "replaceDocument">): Store["replaceDocument"] {
  let waiting: Waiting[] = [];
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const taken = waiting;
    waiting = [];
    count = 0;
    for (const { record, chunks, resolve } of taken) resolve(store.replaceDocument(record, chunks));
  };
  return (record, chunks) =>
    new Promise<void>((resolve) => {
      waiting.push({ record, chunks, resolve });
      count += chunks.length;
      if (count >= CHUNKS) write();
      else timer ??= setTimeout(write, WAIT_MS);
    });
}
