import { seekWithin } from "./seek.ts";
import type { Segment } from "./segment.ts";

/** Looking one dead document up in a list takes as long as looking at so many entries. */
const ENTRIES_OF_LOOKUP = 16;

/** How many of a segment's chunks, ascending, live. */
export function liveChunks(segment: Segment, chunks: Uint32Array): number {
  const dead = deadDocuments(segment);
  let live = chunks.length;
  if (dead.length * ENTRIES_OF_LOOKUP > chunks.length) {
    for (let i = 0; i < chunks.length; i++) live -= segment.dead[chunks[i] as number] as number;
    return live;
  }
  for (const document of dead) {
    const from = seekWithin(chunks, segment.starts[document] as number, 0, chunks.length);
    live -= seekWithin(chunks, segment.starts[document + 1] as number, from, chunks.length) - from;
  }
  return live;
}

/** How many of a segment's documents, by their places, ascending, live. */
export function liveAmong(segment: Segment, documents: Uint32Array): number {
  const dead = deadDocuments(segment);
  let live = documents.length;
  if (dead.length * ENTRIES_OF_LOOKUP > documents.length) {
    for (let i = 0; i < documents.length; i++) {
      live -= segment.dead[segment.starts[documents[i] as number] as number] as number;
    }
    return live;
  }
  for (const document of dead) {
    if (documents[seekWithin(documents, document, 0, documents.length)] === document) live--;
  }
  return live;
}

const known = new WeakMap<Segment, { readonly live: number; readonly dead: readonly number[] }>();

/** Places of dead documents that have chunks, found out once for each number of live chunks. */
function deadDocuments(segment: Segment): readonly number[] {
  const before = known.get(segment);
  if (before?.live === segment.live) return before.dead;
  const dead: number[] = [];
  for (let document = 0; document < segment.documents.length; document++) {
    const start = segment.starts[document] as number;
    if (start < (segment.starts[document + 1] as number) && segment.dead[start]) dead.push(document);
  }
  known.set(segment, { live: segment.live, dead });
  return dead;
}
