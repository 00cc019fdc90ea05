import type { StoredChunk } from "../spec/index.ts";

/** A chunk in the fused order. */
export interface FusedChunk {
  readonly chunkId: string;
  /** The sum of `parts`. */
  readonly score: number;
  /** What each list that holds it adds. */
  readonly parts: Readonly<Record<string, number>>;
  /** Rank in each list that holds it, from 1. */
  readonly ranks: Readonly<Record<string, number>>;
  /** Score in each list that holds it. */
  readonly scores: Readonly<Record<string, number>>;
}

/** A chunk after fusion, joined with what is stored of it. */
export interface Candidate {
  readonly fused: FusedChunk;
  readonly stored: StoredChunk;
}
