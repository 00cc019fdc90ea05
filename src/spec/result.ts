import type { AnswerFacts, Support } from "./answer.ts";
import type { Context } from "./chunk.ts";
import type { Metadata, SourcePlace, Span } from "./document.ts";
import type { Usage } from "./models.ts";

/** Score by kind. A threshold belongs to one kind (I9). */
export interface Scores {
  readonly bm25?: number;
  readonly cosine?: number;
  readonly rrf?: number;
  /** Weighted sum of scores, each over the best of its list. */
  readonly weighted?: number;
  readonly rerank?: number;
}

export type ScoreKind = keyof Scores;

/** A chunk that was found. `text` is a slice of the document; the context stands apart. */
export interface Hit extends SourcePlace {
  readonly chunkId: string;
  readonly text: string;
  readonly context: Context;
  readonly language?: string;
  readonly metadata: Metadata;
  /** From 1. */
  readonly rank: number;
  /** The score that ordered the hits, and its kind. */
  readonly score: number;
  readonly scoreKind: ScoreKind;
  readonly scores: Scores;
  /** Rank in each list that held it, from 1. */
  readonly ranks: Readonly<Record<string, number>>;
  /** Chunks that say the same, left out in favour of this one. */
  readonly folded?: readonly string[];
  /** The hit with what surrounds it; a slice of the document as well. */
  readonly expanded?: ExpandedText;
  readonly explanation?: HitExplanation;
}

export interface ExpandedText extends Span {
  readonly text: string;
  readonly lines: readonly [first: number, last: number];
  /** What it was widened by. */
  readonly by: "neighbours" | "section" | "document";
  /** Chunks it is made of, the hit's own included. */
  readonly chunkIds: readonly string[];
}

/** What a score is the sum of: the parts add up. */
export interface HitExplanation {
  /** Contributions to the BM25 score, largest first; empty when the text list did not hold the chunk. */
  readonly terms: readonly TermExplanation[];
  /** Parts of the fused score. */
  readonly fusion: readonly FusionPart[];
  /** Parts of the reranker's score, where it can tell. */
  readonly rerank?: Readonly<Record<string, number>>;
}

export interface TermExplanation {
  readonly term: string;
  /** The query's words that ask for it. */
  readonly words: readonly string[];
  /** Weight of the term in the query. */
  readonly weight: number;
  /** Chunks of the index that hold it. */
  readonly frequency: number;
  /** Its inverse document frequency among chunks. */
  readonly idf: number;
  /** Where the chunk holds it; none where only its document does. */
  readonly fields: readonly TermField[];
  /** What the chunk adds to the score. */
  readonly chunk: number;
  /** What the chunk's document adds. */
  readonly document: number;
}

/** How often a term stands in a field of a chunk. */
export interface TermField {
  /** "title", "context" or "body". */
  readonly field: string;
  readonly frequency: number;
  /** Words of the field. */
  readonly length: number;
}

export interface FusionPart {
  readonly list: string;
  readonly weight: number;
  readonly rank: number;
  readonly score: number;
  readonly part: number;
}

/** One stage of a query: what went in, what came out, how long it took. */
export interface TraceStage {
  readonly stage: string;
  readonly ms: number;
  /** Facts of the stage: counts, weights, reasons for leaving something out. */
  readonly facts: Readonly<Record<string, unknown>>;
}

export type Trace = readonly TraceStage[];

export interface SearchResult {
  readonly query: string;
  readonly hits: readonly Hit[];
  /** What a person should know: a stage that was left out, and why. */
  readonly notes?: readonly string[];
  readonly trace: Trace;
}

/** A quoted place. `quote` is `document.text.slice(start, end)`. */
export interface Citation extends SourcePlace {
  /** Number in the answer's text, from 1. */
  readonly number: number;
  readonly chunkId: string;
  readonly quote: string;
  /** Of words in a table: its header row, as it stands there. */
  readonly header?: string;
  /** Whether the quoted words stand in the source. */
  readonly verified: boolean;
  /** Names, numbers and dates of the sentences that cite it, where they stand outside the quoted words. */
  readonly support?: readonly Support[];
}

export interface Answer extends AnswerFacts {
  readonly question: string;
  /** `extract`: sentences of the documents, verbatim. `generated`: written by a model. `none`: not found. */
  readonly kind: "extract" | "generated" | "none";
  readonly text: string;
  readonly citations: readonly Citation[];
  /** What was retrieved, cited or not; the nearest passages when nothing was answered. */
  readonly hits: readonly Hit[];
  readonly abstained: boolean;
  /** Why nothing was answered, or which citations could not be verified. */
  readonly notes: readonly string[];
  readonly model?: string;
  readonly usage?: Usage;
  readonly trace: Trace;
}
