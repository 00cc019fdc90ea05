import type { Span, Usage } from "../spec/index.ts";
import type { JudgedHit } from "./judge.ts";

/** A hit as a result keeps it. */
export interface RowHit extends Span, JudgedHit {
  readonly chunkId: string;
  readonly documentId: string;
}

/** What one question got under one setting. */
export interface QuestionRow {
  readonly id: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** Time of the search, in milliseconds. */
  readonly ms: number;
  /** By metric; one that does not score this question is left out. */
  readonly values: Readonly<Record<string, number>>;
  /** Best place of each gold passage, from 1; null where it was not found. */
  readonly places: readonly (number | null)[];
  readonly hits: readonly RowHit[];
}

/** What making the index took. */
export interface IndexFacts {
  readonly documents: number;
  readonly chunks: number;
  /** Tokens of all chunks. */
  readonly tokens: number;
  readonly ms: number;
  readonly usage: { readonly contexts: Usage; readonly embeddings: Usage };
  /** Chunks without the context or vector that was asked for. */
  readonly incomplete: number;
  /** Contexts written by the simulated provider; such figures are for tests only. */
  readonly simulated: number;
}

/** One setting on one question set. */
export interface RunResult {
  readonly set: string;
  readonly setting: string;
  readonly index: IndexFacts;
  readonly rows: readonly QuestionRow[];
}
