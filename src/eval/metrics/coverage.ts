import type { Judged } from "../judge.ts";

/**
 * Coverage@k = mean over gold passages of the share of the passage's characters that the first k hits hold. The strict
 * companion of recall@k, which is content with half. Whole-document gold is left out; a question that has only such
 * gold is not scored.
 * Source: LegalBench-RAG (Pipitone, Houir Alami, 2024), recall over characters.
 */
export function coverage(judged: Judged, k: number): number | undefined {
  const hits = judged.hits.slice(0, k);
  const shares = judged.lengths.flatMap((length, index) =>
    length === 0 ? [] : [hits.reduce((total, hit) => total + (hit.covers[index] ?? 0), 0) / length],
  );
  return shares.length === 0 ? undefined : shares.reduce((total, share) => total + share, 0) / shares.length;
}
