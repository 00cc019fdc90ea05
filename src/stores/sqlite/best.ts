import type { ScoredChunk } from "../../spec/index.ts";
import type { LiveIndex } from "./live-index.ts";

/** A scored chunk by number; text only where the order of a tie needs it. */
export interface Candidate {
  readonly document: number;
  readonly ordinal: number;
  readonly score: number;
}

/**
 * Keeps the best `limit` of what is offered: higher scores first, then document id (by code units), then ordinal. The
 * order does not depend on when a document was written, so results for k are a prefix of those for k + 1.
 */
export function bestOf(live: LiveIndex, limit: number) {
  let kept: Candidate[] = [];
  let worst = Number.NEGATIVE_INFINITY;

  function order(a: Candidate, b: Candidate): number {
    if (a.score !== b.score) return b.score - a.score;
    if (a.document === b.document) return a.ordinal - b.ordinal;
    return idOf(a) < idOf(b) ? -1 : 1;
  }

  function idOf(candidate: Candidate): string {
    return live.documents.get(candidate.document)?.id ?? "";
  }

  function trim(): void {
    kept.sort(order);
    kept = kept.slice(0, limit);
    const last = kept[limit - 1];
    if (last) worst = last.score;
  }

  return {
    offer(document: number, ordinal: number, score: number): void {
      if (score < worst) return;
      kept.push({ document, ordinal, score });
      if (kept.length >= 2 * limit + 64) trim();
    },
    ranked(): ScoredChunk[] {
      trim();
      return kept.map((candidate) => ({
        chunkId: `${idOf(candidate)}#${candidate.ordinal}`,
        score: candidate.score,
      }));
    },
  };
}
