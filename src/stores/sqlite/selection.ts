import type { Allowed } from "./filtered-documents.ts";
import type { Segment } from "./segment.ts";

/** Which chunks of a segment may be found. */
export interface Selection {
  readonly count: number;
  /** 1 for each chunk that may not. */
  hidden(): Uint8Array;
  /** The chunks that may, ascending; made only where they are few. */
  readonly few: Uint32Array | undefined;
  /** Places of their documents, ascending; where they are few. */
  readonly documents: readonly number[] | undefined;
}

/** A selection of a smaller share is walked chunk by chunk. */
const FEW_SHARE = 1 / 16;

/** Live chunks, of the allowed documents where some are named. */
export function selectChunks(segment: Segment, allowed: Allowed | undefined): Selection {
  if (!allowed)
    return { count: segment.live, hidden: () => segment.dead, few: undefined, documents: undefined };
  const documents = allowed.documentsIn(segment);
  const { starts } = segment;
  const startOf = (document: number) => starts[document] as number;
  const count = documents.reduce((sum, document) => sum + startOf(document + 1) - startOf(document), 0);
  const hidden = () => {
    const all = new Uint8Array(segment.size).fill(1);
    for (const document of documents) all.fill(0, startOf(document), startOf(document + 1));
    return all;
  };
  if (!areFew(count, segment.size)) return { count, hidden, few: undefined, documents: undefined };
  const few = new Uint32Array(count);
  let next = 0;
  for (const document of documents) {
    for (let chunk = startOf(document); chunk < startOf(document + 1); chunk++) few[next++] = chunk;
  }
  return { count, hidden, few, documents };
}

/** Only the chunks that stand in all of the lists. */
export function narrowed(
  selection: Selection,
  size: number,
  lists: readonly (Uint32Array | undefined)[],
): Selection {
  const times = new Uint16Array(size);
  for (const list of lists) for (const chunk of list ?? []) times[chunk] = (times[chunk] as number) + 1;
  const hidden = selection.hidden();
  const narrow = new Uint8Array(size);
  let count = 0;
  for (let chunk = 0; chunk < size; chunk++) {
    const out = hidden[chunk] || times[chunk] !== lists.length;
    narrow[chunk] = out ? 1 : 0;
    if (!out) count++;
  }
  const few = areFew(count, size) ? listed(narrow, count) : undefined;
  return { count, hidden: () => narrow, few, documents: few && selection.documents };
}

function areFew(count: number, size: number): boolean {
  return count <= size * FEW_SHARE;
}

function listed(hidden: Uint8Array, count: number): Uint32Array {
  const few = new Uint32Array(count);
  let next = 0;
  for (let chunk = 0; next < count; chunk++) if (!hidden[chunk]) few[next++] = chunk;
  return few;
}
