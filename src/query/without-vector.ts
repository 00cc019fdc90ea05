import type { Store } from "../spec/index.ts";
import type { FusedChunk } from "./candidate.ts";
import { compareFused } from "./fuse.ts";
import type { SearchLists } from "./search.ts";

/** Chunks whose vectors are still to come: how many the index has, and which of them the text lists hold. */
export interface WithoutVector {
  readonly chunks: number;
  readonly ids: ReadonlySet<string>;
}

const NONE: WithoutVector = { chunks: 0, ids: new Set() };

/** Asked only where vectors had a say: a list that was not searched is missed by all chunks alike. */
export async function withoutVectors(store: Store, lists: readonly SearchLists[]): Promise<WithoutVector> {
  if (lists.every(({ vector, pending }) => pending === 0 || !("items" in vector))) return NONE;
  const ids = lists.flatMap(({ text }) => ("items" in text ? text.items.map(({ chunkId }) => chunkId) : []));
  const found = await store.pendingVectors([...new Set(ids)]);
  return { chunks: found.chunks, ids: new Set(found.ids) };
}

/** What stands in for a vector's part in a score. */
export const EXPECTED = "vector to come";

/**
 * A chunk without a vector would lose to others that merely have one. It is taken to stand in the vector list as it stands
 * in the text list: its text part × (weight of the vector list / weight of the text list) is added. Measured in
 * docs/decisions/0019-vectors-follow.md.
 */
export function expectVectors(
  fused: readonly FusedChunk[],
  ids: ReadonlySet<string>,
  weights: Readonly<Record<string, number>>,
): readonly FusedChunk[] {
  if (ids.size === 0) return fused;
  return fused
    .map((chunk) => (ids.has(chunk.chunkId) ? expecting(chunk, weights) : chunk))
    .toSorted(compareFused);
}

function expecting(chunk: FusedChunk, weights: Readonly<Record<string, number>>): FusedChunk {
  let part = 0;
  for (const [text, own] of Object.entries(chunk.parts)) {
    // Lists of further phrasings are named "text:2", "vector:2" and so on.
    const vector = weights[text.replace(/^text/, "vector")] ?? 0;
    if (text.startsWith("text")) part += (own * vector) / (weights[text] ?? 1);
  }
  const { vector = 0 } = weights;
  if (part === 0) return chunk;
  return {
    ...chunk,
    score: chunk.score + part,
    parts: { ...chunk.parts, [EXPECTED]: part },
    scores: { ...chunk.scores, [EXPECTED]: vector > 0 ? part / vector : 0 },
  };
}
