import { availableParallelism } from "node:os";
import type { PendingDocument } from "./pending.ts";

/** Bytes from which a file may take hundreds of megabytes to read; one at a time for two processors. */
const LARGE = 256 * 1024;
const MOST_LARGE = Math.max(1, Math.floor(availableParallelism() / 2));
/** Bytes of the files that are held at the same time; one that is larger goes alone. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Runs the documents in their order, so many at a time, and no more at once than memory is meant for. An error stops the
 * ones that wait; those in work end first, so that nothing writes after the lock is given back.
 */
export async function eachDocument(
  documents: readonly PendingDocument[],
  concurrency: number,
  run: (pending: PendingDocument) => Promise<void>,
): Promise<void> {
  const inWork = new Set<Promise<void>>();
  let bytes = 0;
  let large = 0;
  const hasRoom = ({ size }: PendingDocument) =>
    inWork.size === 0 ||
    (inWork.size < concurrency && bytes + size <= MOST_BYTES && (size < LARGE || large < MOST_LARGE));
  let failure: { readonly error: unknown } | undefined;
  const begin = (pending: PendingDocument): void => {
    bytes += pending.size;
    if (pending.size >= LARGE) large++;
    const work = run(pending)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        bytes -= pending.size;
        if (pending.size >= LARGE) large--;
        inWork.delete(work);
      });
    inWork.add(work);
  };
  for (const pending of documents) {
    while (!hasRoom(pending)) await Promise.race(inWork);
    if (failure) break;
    begin(pending);
  }
  await Promise.all(inWork);
  if (failure) throw failure.error;
}
