import type { Span } from "./document.ts";

/** A piece of a document; `document.text.slice(start, end) === text`, always. */
export interface Chunk extends Span {
  /** `<document id>#<ordinal>`. */
  readonly id: string;
  readonly documentId: string;
  /** Position among the document's chunks, from 0. */
  readonly ordinal: number;
  readonly text: string;
  /** Headings above the chunk, outermost first. */
  readonly headings: readonly string[];
  /** First and last line, from 1. */
  readonly lines: readonly [first: number, last: number];
  /** First and last page, where the document has pages. */
  readonly pages?: readonly [first: number, last: number];
  /** Tokens of `text`, by `countTokens`. */
  readonly tokens: number;
  /** Words of the document repeated in front for the index (a split table's header rows). Never shown as source. */
  readonly repeated?: string;
}

export type ContextKind = "llm" | "structural" | "none";

/** The sentences that situate a chunk in its document. Never part of the source text. */
export interface Context {
  readonly kind: ContextKind;
  /** Empty for kind "none". */
  readonly text: string;
  /** Which model wrote it, for kind "llm". */
  readonly model?: string;
}

export type ChunkUnit = "characters" | "words" | "tokens" | "sentences" | "paragraphs" | "sections";

export interface ChunkOptions {
  /** What `size` and `overlap` count. Default "tokens". */
  readonly unit?: ChunkUnit;
  /** Largest chunk, in units. Default: 800 tokens, 1,000 characters, 500 words, 10 sentences, 5 paragraphs, 1 section. */
  readonly size?: number;
  /** Units of the end of a chunk repeated at the start of the next; smaller than `size`. Default: 150 tokens, 200 characters, 50 words, 1 sentence, 0 paragraphs, 0 sections. */
  readonly overlap?: number;
  /** Cut at headings, paragraphs, list items, rows and sentences where one is in reach. Default true; false cuts at white space only. */
  readonly structure?: boolean;
}
