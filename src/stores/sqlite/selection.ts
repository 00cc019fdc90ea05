import type { Segment } from "./segment.ts";

/** Which chunks of a segment may be found. */
export interface Selection {
  readonly count: number;
  /** 1 for each chunk that may not. */
  readonly hidden: Uint8Array;
  /** The chunks that may, ascending; made only where they are few. */
  readonly few: Uint32Array | undefined;
}

/** A selection of a smaller share is walked chunk by chunk. */
const FEW_SHARE = 1 / 16;

/** Live chunks, of the allowed documents where some are named. */
export function selectChunks(segment: Segment, allowed: ReadonlySet<number> | undefined): Selection {
  if (!allowed) return { count: segment.live, hidden: segment.dead, few: undefined };
  const hidden = new Uint8Array(segment.size).fill(1);
  let count = 0;
  for (let i = 0; i < segment.documents.length; i++) {
    const start = segment.starts[i] as number;
    if (segment.dead[start] || !allowed.has(segment.documents[i] as number)) continue;
    const end = segment.starts[i + 1] as number;
    hidden.fill(0, start, end);
    count += end - start;
  }
  return { count, hidden, few: listed(hidden, count) };
}

/** Only the chunks that stand in all of the lists. */
export function narrowed(
  { hidden }: Selection,
  size: number,
  lists: readonly (Uint32Array | undefined)[],
): Selection {
  const times = new Uint16Array(size);
  for (const list of lists) for (const chunk of list ?? []) times[chunk] = (times[chunk] as number) + 1;
  const narrow = new Uint8Array(size);
  let count = 0;
  for (let chunk = 0; chunk < size; chunk++) {
    const out = hidden[chunk] || times[chunk] !== lists.length;
    narrow[chunk] = out ? 1 : 0;
    if (!out) count++;
  }
  return { count, hidden: narrow, few: listed(narrow, count) };
}

function listed(hidden: Uint8Array, count: number): Uint32Array | undefined {
  if (count > hidden.length * FEW_SHARE) return undefined;
  const few = new Uint32Array(count);
  let next = 0;
  for (let chunk = 0; next < count; chunk++) if (!hidden[chunk]) few[next++] = chunk;
  return few;
}
