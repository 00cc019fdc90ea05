import type { PendingDocument } from "./pending.ts";

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
  let failure: { readonly error: unknown } | undefined;
  const begin = (pending: PendingDocument): void => {
    bytes += pending.size;
    const work = run(pending)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        bytes -= pending.size;
        inWork.delete(work);
      });
    inWork.add(work);
  };
  for (const pending of documents) {
    while (inWork.size >= concurrency || (inWork.size > 0 && bytes + pending.size > MOST_BYTES))
      await Promise.race(inWork);
    if (failure) break;
    begin(pending);
  }
  await Promise.all(inWork);
  if (failure) throw failure.error;
}
