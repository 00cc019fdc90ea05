import type { Hit, ScoreKind, Scores, StoredChunk } from "../spec/index.ts";
import type { FusedChunk } from "./fuse.ts";

/** Joins fused ranks with the stored chunks; a chunk that left the index in between is passed over. */
export function toHits(
  ranked: readonly FusedChunk[],
  chunks: readonly StoredChunk[],
  scoreKind: ScoreKind,
): readonly Hit[] {
  const byId = new Map(chunks.map((stored) => [stored.chunk.id, stored]));
  const hits: Hit[] = [];
  for (const fused of ranked) {
    const stored = byId.get(fused.chunkId);
    if (stored) hits.push(toHit(stored, fused, scoreKind, hits.length + 1));
  }
  return hits;
}

function toHit(stored: StoredChunk, fused: FusedChunk, scoreKind: ScoreKind, rank: number): Hit {
  const { chunk, context, title, uri, language, metadata } = stored;
  const scores = scoresOf(fused);
  return {
    chunkId: chunk.id,
    documentId: chunk.documentId,
    title,
    uri,
    headings: chunk.headings,
    lines: chunk.lines,
    ...(chunk.pages && { pages: chunk.pages }),
    start: chunk.start,
    end: chunk.end,
    text: chunk.text,
    context,
    ...(language !== undefined && { language }),
    metadata,
    rank,
    score: scores[scoreKind] ?? fused.score,
    scoreKind,
    scores,
    ranks: fused.ranks,
  };
}

/** The lists' names become the kinds of their scores: "text" is scored by BM25, "vector" by cosine. */
function scoresOf(fused: FusedChunk): Scores {
  const { text, vector } = fused.scores;
  return {
    ...(text !== undefined && { bm25: text }),
    ...(vector !== undefined && { cosine: vector }),
    rrf: fused.score,
  };
}
