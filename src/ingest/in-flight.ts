import { availableParallelism } from "node:os";
import type { PendingDocument } from "./pending.ts";

/** Bytes from which a file may take hundreds of megabytes to read; one at a time for two processors. */
const LARGE = 1024 * 1024;
/** Office files and books are packed: they hold several times as much text as others of their size. */
const PACKED = 4;
const MOST_LARGE = Math.max(1, Math.floor(availableParallelism() / 2));
/** Bytes of the files that are held at the same time; one that is larger goes alone. */
const MOST_BYTES = 64 * 1024 * 1024;

function isLarge({ id, size }: PendingDocument): boolean {
  return size * (/\.(?:docx|dotx|docm|xlsx|xlsm|pptx|od[tsp]|epub)$/i.test(id) ? PACKED : 1) >= LARGE;
}

/** Gives the first document that has room, "later" when none has, "none" when all were given. */
function inOrder(documents: readonly PendingDocument[]) {
  const large = documents.flatMap((each, at) => (isLarge(each) ? [at] : []));
  const small = documents.flatMap((each, at) => (isLarge(each) ? [] : [at]));
  let nextLarge = 0;
  let nextSmall = 0;
  return (hasRoom: (pending: PendingDocument) => boolean): PendingDocument | "later" | "none" => {
    const one = large[nextLarge] ?? Number.POSITIVE_INFINITY;
    const other = small[nextSmall] ?? Number.POSITIVE_INFINITY;
    for (const at of [Math.min(one, other), Math.max(one, other)]) {
      const pending = documents[at];
      if (pending === undefined || !hasRoom(pending)) continue;
      if (at === one) nextLarge++;
      else nextSmall++;
      return pending;
    }
    return Math.min(one, other) === Number.POSITIVE_INFINITY ? "none" : "later";
  };
}

/**
 * Runs the documents in their order, so many at a time, and no more at once than memory is meant for; while a large one
 * waits for another, small ones behind it go first. An error stops the ones that wait; those in work end first, so that
 * nothing writes after the lock is given back.
 */
export async function eachDocument(
  documents: readonly PendingDocument[],
  concurrency: number,
  run: (pending: PendingDocument) => Promise<void>,
): Promise<void> {
  const inWork = new Set<Promise<void>>();
  let bytes = 0;
  let large = 0;
  const hasRoom = (pending: PendingDocument) =>
    inWork.size === 0 ||
    (inWork.size < concurrency &&
      bytes + pending.size <= MOST_BYTES &&
      (!isLarge(pending) || large < MOST_LARGE));
  let failure: { readonly error: unknown } | undefined;
  const begin = (pending: PendingDocument): void => {
    bytes += pending.size;
    if (isLarge(pending)) large++;
    const work = run(pending)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        bytes -= pending.size;
        if (isLarge(pending)) large--;
        inWork.delete(work);
      });
    inWork.add(work);
  };
  const next = inOrder(documents);
  for (let pending = next(hasRoom); pending !== "none"; pending = next(hasRoom)) {
    if (failure) break;
    if (pending === "later") await Promise.race(inWork);
    else begin(pending);
  }
  await Promise.all(inWork);
  if (failure) throw failure.error;
}
