import { BLOCK_SHIFT, blocksOf } from "./chunk-blocks.ts";
import type { Allowed } from "./filtered-documents.ts";
import { seek } from "./seek.ts";
import type { Segment } from "./segment.ts";

/** Which chunks of a segment may be found. */
export interface Selection {
  readonly count: number;
  /** 1 for each chunk that may not. */
  readonly hidden: Uint8Array;
  /** 1 for each block with one that may; undefined for all blocks. */
  readonly blocks: Uint8Array | undefined;
}

const NOTHING = new Uint32Array(0);

/** A filter's selections: it is asked more than once. */
const known = new WeakMap<Allowed, Map<Segment, Selection>>();

/** Live chunks, of the allowed documents where some are named. */
export function selectChunks(segment: Segment, allowed: Allowed | undefined): Selection {
  if (!allowed) return { count: segment.live, hidden: segment.dead, blocks: undefined };
  let selections = known.get(allowed);
  if (!selections) {
    selections = new Map();
    known.set(allowed, selections);
  }
  let selection = selections.get(segment);
  if (!selection) {
    selection = selectDocuments(segment, allowed.documentsIn(segment));
    selections.set(segment, selection);
  }
  return selection;
}

function selectDocuments({ size, starts }: Segment, documents: readonly number[]): Selection {
  const hidden = new Uint8Array(size).fill(1);
  const blocks = new Uint8Array(blocksOf(size));
  let count = 0;
  for (const document of documents) {
    const start = starts[document] as number;
    const end = starts[document + 1] as number;
    hidden.fill(0, start, end);
    if (end > start) blocks.fill(1, start >>> BLOCK_SHIFT, ((end - 1) >>> BLOCK_SHIFT) + 1);
    count += end - start;
  }
  return { count, hidden, blocks };
}

/** Only the chunks that stand in all of the lists. */
export function narrowed(
  { hidden }: Selection,
  size: number,
  lists: readonly (Uint32Array | undefined)[],
): Selection {
  const narrow = new Uint8Array(size).fill(1);
  const blocks = new Uint8Array(blocksOf(size));
  let count = 0;
  for (const chunk of inAll(lists)) {
    if (hidden[chunk]) continue;
    narrow[chunk] = 0;
    blocks[chunk >>> BLOCK_SHIFT] = 1;
    count++;
  }
  return { count, hidden: narrow, blocks };
}

/** The shortest list goes through the others. */
function inAll(lists: readonly (Uint32Array | undefined)[]): Uint32Array {
  const [first = NOTHING, ...others] = lists
    .map((list) => list ?? NOTHING)
    .sort((a, b) => a.length - b.length);
  let common = first;
  for (const list of others) {
    let at = 0;
    common = common.filter((chunk) => {
      at = seek(list, chunk, at);
      return list[at] === chunk;
    });
  }
  return common;
}
