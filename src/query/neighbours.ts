import type { FusedChunk } from "./candidate.ts";
import { compareFused } from "./fuse.ts";

/**
 * Adds to each fused chunk `weight` × the best fused score among the chunks right before and behind it in its document: a
 * passage that both sides of speak of the matter too is more likely meant than one that stands alone. 0 changes nothing.
 */
export function addNeighbours(fused: readonly FusedChunk[], weight: number): readonly FusedChunk[] {
  if (weight === 0) return fused;
  const scores = new Map(fused.map(({ chunkId, score }) => [chunkId, score]));
  return fused
    .map((chunk) => {
      const best = Math.max(0, ...besideOf(chunk.chunkId).map((id) => scores.get(id) ?? 0));
      if (best === 0) return chunk;
      const part = weight * best;
      return {
        ...chunk,
        score: chunk.score + part,
        parts: { ...chunk.parts, neighbours: part },
        scores: { ...chunk.scores, neighbours: best },
      };
    })
    .toSorted(compareFused);
}

/** Ids end in the chunk's place in its document. */
function besideOf(chunkId: string): readonly string[] {
  const at = chunkId.lastIndexOf("#") + 1;
  const ordinal = Number(chunkId.slice(at));
  return [ordinal - 1, ordinal + 1].map((other) => `${chunkId.slice(0, at)}${other}`);
}
