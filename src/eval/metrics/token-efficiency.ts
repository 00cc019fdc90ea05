import type { Judged } from "../judge.ts";
import { isScored } from "./places.ts";

/**
 * Token efficiency@k = tokens of the first k hits that are gold / tokens of the first k hits. Gold text that comes a
 * second time (overlapping chunks) is paid for again but counts once. Within a hit, tokens are shared out by
 * characters. No hits: 0. This is precision over text, and the counterweight to recall, which only grows with k.
 * Source: LegalBench-RAG (Pipitone, Houir Alami, 2024), precision over characters.
 */
export function tokenEfficiency(judged: Judged, k: number): number | undefined {
  if (!isScored(judged)) return undefined;
  const hits = judged.hits.slice(0, k);
  const tokens = hits.reduce((total, hit) => total + hit.tokens, 0);
  return tokens === 0 ? 0 : hits.reduce((total, hit) => total + hit.goldTokens, 0) / tokens;
}
