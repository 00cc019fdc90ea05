import type { Chunk, Context } from "./chunk.ts";

/** Where a passage was lost. `found` means it is among the hits. */
export type LostAt =
  | "found"
  | "not-in-index"
  | "not-in-chunk"
  | "filter"
  | "search"
  | "threshold"
  | "fusion"
  | "rerank"
  | "diversity"
  | "k";

/** A word of the query and what became of it. In scripts without spaces, a word by dictionary. */
export interface WhyWord {
  readonly word: string;
  /** What the analyzer made of it. */
  readonly terms: readonly string[];
  /** Those of them that stand in the chunk, and in its context. */
  readonly inChunk: readonly string[];
  readonly inContext: readonly string[];
  /** Chunks of the index that hold the commonest of the terms. */
  readonly frequency: number;
  /** It is a function word ("how", "yang"), which counts little. */
  readonly function: boolean;
  /** The nearest word of the passage, where none of the terms stands in it. */
  readonly near?: string;
}

/** A word of the passage that few chunks hold. */
export interface WhyPassageWord {
  readonly word: string;
  /** Other forms under which the analyzer has it. */
  readonly forms: readonly string[];
  /** Chunks of the index that hold it. */
  readonly frequency: number;
}

/** A change of settings that was tried. */
export interface WhyRemedy {
  readonly change: string;
  /** Rank the passage got, from 1; undefined when it was still not found. */
  readonly rank: number | undefined;
}

export interface WhyReport {
  readonly query: string;
  readonly expect: string;
  readonly lostAt: LostAt;
  /** The reason in a sentence, with the numbers. */
  readonly reason: string;
  /** Chunks that hold the passage, or parts of it where it was cut across; the best placed first. */
  readonly chunks: readonly { readonly chunk: Chunk; readonly context: Context }[];
  /** Rank and score of the best placed of them in each list, however deep. */
  readonly lists: Readonly<
    Record<string, { readonly rank: number; readonly score: number; readonly of: number }>
  >;
  /** Its rank after each stage that held it. */
  readonly stages: Readonly<Record<string, number>>;
  /** Lists that were not searched, and why; their ranks above are those they would have given. */
  readonly leftOut: Readonly<Record<string, string>>;
  readonly words: readonly WhyWord[];
  /** The rarest words of the passage: a query that names one finds it. */
  readonly passage: readonly WhyPassageWord[];
  /** Settings that were tried, those that bring it in first. */
  readonly remedies: readonly WhyRemedy[];
}
