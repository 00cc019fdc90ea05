import type { FusionMethod, Hit, ScoreKind, Scores, SearchMode } from "../spec/index.ts";
import type { FusedChunk } from "./candidate.ts";
import type { Reranked } from "./rerank.ts";

/** A chunk in its final place. */
export type Placed = Reranked["order"][number] & { readonly folded?: readonly string[] };

/** Hits in the order given; what ordered them before reranking decides on the kind of the others' score. */
export function toHits(placed: readonly Placed[], mode: SearchMode, fusion: FusionMethod): readonly Hit[] {
  return placed.map((item, i) => toHit(item, i + 1, mode, fusion));
}

function toHit(
  { fused, stored, rerank, folded = [] }: Placed,
  rank: number,
  mode: SearchMode,
  fusion: FusionMethod,
): Hit {
  const { chunk, context, title, uri, language, metadata } = stored;
  const scores: Scores = { ...scoresOf(fused, fusion), ...(rerank && { rerank: rerank.score }) };
  const scoreKind = rerank ? "rerank" : kindOf(mode, fusion);
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
    ...(folded.length > 0 && { folded }),
  };
}

function kindOf(mode: SearchMode, fusion: FusionMethod): ScoreKind {
  if (mode === "text") return "bm25";
  if (mode === "vector") return "cosine";
  return fusion === "rrf" ? "rrf" : "weighted";
}

/** Lists that search by text are scored by BM25, those by vector by cosine; of several phrasings the best counts. */
function scoresOf(fused: FusedChunk, fusion: FusionMethod): Scores {
  const bm25 = bestOf(fused, "text");
  const cosine = bestOf(fused, "vector");
  return {
    ...(bm25 !== undefined && { bm25 }),
    ...(cosine !== undefined && { cosine }),
    [fusion === "rrf" ? "rrf" : "weighted"]: fused.score,
  };
}

function bestOf({ scores }: FusedChunk, list: string): number | undefined {
  const all = Object.entries(scores).flatMap(([name, score]) => (name.split(":")[0] === list ? [score] : []));
  return all.length === 0 ? undefined : Math.max(...all);
}
