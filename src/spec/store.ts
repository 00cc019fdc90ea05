import type { Chunk, Context } from "./chunk.ts";
import type { Document, Metadata } from "./document.ts";
import type { Filter } from "./filter.ts";

/**
 * What an index was made with. Two identities that differ in any field do not belong in one index;
 * opening is then an error that names both (invariant I7).
 */
export interface IndexIdentity {
  readonly chunker: string;
  readonly contextualizer: string;
  readonly analyzer: string;
  /** Name of the embedding model, "none" when there is no vector side. */
  readonly embedding: string;
  /** 0 when there is no vector side or nothing was embedded yet. */
  readonly dimensions: number;
}

/** A field of the lexical index, analysed: how often each term stands in it, and its length in words. */
export interface FieldTerms {
  readonly length: number;
  readonly terms: ReadonlyMap<string, number>;
}

/** A chunk as it is written: with its context, its analysed fields and its vectors. */
export interface IndexedChunk {
  readonly chunk: Chunk;
  readonly context: Context;
  /** By field name (`body`, `context`, …). */
  readonly fields: Readonly<Record<string, FieldTerms>>;
  /** Windows of the chunk, each of the index's dimensions; none when there is no vector side. The chunk scores as its best window. */
  readonly vectors: readonly Float32Array[];
}

/** What the store remembers of a document beside its chunks. */
export interface DocumentRecord {
  readonly document: Omit<Document, "blocks">;
  /** Hash of the source as it was read; an equal hash means there is nothing to do. */
  readonly contentHash: string;
  /** ISO 8601 time of the write. */
  readonly indexedAt: string;
  /** Where the document came from: the root of the folder ingest, or "api". Deleted files are told by it. */
  readonly source: string;
  /** Chunks whose asked-for LLM context or given vector is missing: why, by chunk id. */
  readonly failures?: Readonly<Record<string, string>>;
  /** Chunks that are there without their vectors, which come later (`writeVectors`). */
  readonly pending?: PendingVectors;
}

/** Chunks of a document whose vectors are still to come. */
export interface PendingVectors {
  /** Their ordinals, ascending; at least one. */
  readonly chunks: readonly number[];
  /** Why the last try did not bring them; left out while none was made. */
  readonly reason?: string;
}

/** Vectors that come later than the rest of their document. */
export interface LateVectors {
  readonly documentId: string;
  /** Of the record that they were made for. */
  readonly indexedAt: string;
  /** Windows by ordinal of the chunk, all of a chunk's at once. */
  readonly vectors: ReadonlyMap<number, readonly Float32Array[]>;
  /** Why those that are still to come were not made, kept with the record. Default: what it says already. */
  readonly reason?: string;
}

export interface DocumentSummary {
  readonly id: string;
  readonly title: string;
  readonly uri: string;
  readonly language?: string;
  readonly metadata: Metadata;
  readonly chunks: number;
  readonly characters: number;
  readonly contentHash: string;
  readonly indexedAt: string;
  readonly source: string;
  /** How many entries `failures` has. */
  readonly failures: number;
  /** Chunks whose vectors are still to come, and why the last try did not bring them. */
  readonly pending: number;
  readonly pendingReason?: string;
  readonly warnings: readonly string[];
}

/** A chunk as it comes back, with what a hit shows of its document. */
export interface StoredChunk {
  readonly chunk: Chunk;
  readonly context: Context;
  readonly title: string;
  readonly uri: string;
  readonly language?: string;
  readonly metadata: Metadata;
}

/** One term of a query. A chunk's score is the sum over terms of `weight` × BM25F of that term. */
export interface QueryTerm {
  readonly term: string;
  /** At least 0; 0 equals leaving the term out. */
  readonly weight: number;
}

export interface Bm25Options {
  /** Saturation of term frequency. Default 1.2. */
  readonly k1?: number;
  /** By field: its weight (default 1) and length normalisation b (default 0.75). A field not named here has weight 0. */
  readonly fields?: Readonly<Record<string, { readonly weight?: number; readonly b?: number }>>;
  /**
   * The document as context: this × BM25F of the whole document, by the same formula, is added to each of its chunks that
   * hold a term. A document's frequencies and lengths are the sums over its chunks, in the fields `title` and `context`,
   * which stand with every chunk, the means; `df`, the number of documents and average lengths count documents that have
   * chunks, average lengths of these two fields chunks. Default 0: chunks alone.
   */
  readonly documentWeight?: number;
}

export interface TextQuery {
  readonly terms: readonly QueryTerm[];
  readonly limit: number;
  readonly filter?: Filter;
  readonly bm25?: Bm25Options;
  /**
   * Only chunks that hold all of these in their context or their text (with its repeated header rows), each the exact
   * terms of neighbouring words, or one term alone of any kind, which these two fields then have. They do not score by
   * themselves: their words stand among `terms`. Default none.
   */
  readonly phrases?: readonly (readonly string[])[];
}

export interface VectorQuery {
  readonly vector: Float32Array;
  readonly limit: number;
  readonly filter?: Filter;
}

/** Best first; ties by chunk order of insertion-independent id (document id, then ordinal). */
export interface ScoredChunk {
  readonly chunkId: string;
  readonly score: number;
}

export interface StoreCounts {
  readonly documents: number;
  readonly chunks: number;
  readonly vectors: number;
  /** Chunks by kind of context. */
  readonly contexts: Readonly<Record<"llm" | "structural" | "none", number>>;
  /** Chunks with something missing, over all documents. */
  readonly failures: number;
  /** Chunks whose vectors are still to come. */
  readonly pending: number;
  /** Size on disk. */
  readonly bytes: number;
}

/**
 * Where documents, chunks and their indexes live. Every method may be called at any time between open and close;
 * errors are `KonteksError`s. An adapter does the one thing; batching, retries and fusion happen in the core.
 */
export interface Store {
  /** What messages call it: "sqlite", "postgres", … */
  readonly name: string;
  /** Settings saved with the index; undefined while the index is new. */
  readIdentity(): Promise<IndexIdentity | undefined>;
  /** Writes the identity of a new index, or the dimensions once they are known. Refuses to change anything else while chunks exist. */
  writeIdentity(identity: IndexIdentity): Promise<void>;
  /** Free text kept with the index under a key (settings in force, …). */
  readSetting(key: string): Promise<string | undefined>;
  writeSetting(key: string, value: string): Promise<void>;

  /**
   * Puts a document with all its chunks in the place of whatever had its id; visible all at once (I4). Its `pending` chunks
   * are found by text until their vectors come; one that brings vectors is not pending.
   */
  replaceDocument(record: DocumentRecord, chunks: readonly IndexedChunk[]): Promise<void>;
  /**
   * Gives vectors to pending chunks of a document, all at once; then it is as if they had been written with it. Those of
   * other chunks are passed over. False, and nothing is changed, when the document is gone, was written anew since, or has
   * nothing pending.
   */
  writeVectors(late: LateVectors): Promise<boolean>;
  /** Replaces what is remembered of a document, chunks and `pending` untouched (a new hash with the same text, a moved uri). */
  updateRecord(record: DocumentRecord): Promise<void>;
  /** True if there was one. Its chunks, postings and vectors go with it. */
  deleteDocument(id: string): Promise<boolean>;
  /** Removes every document, the identity and the settings. */
  clear(): Promise<void>;

  getDocument(id: string): Promise<DocumentRecord | undefined>;
  /** By id, ascending. */
  listDocuments(): Promise<readonly DocumentSummary[]>;
  /** In the order asked for; unknown ids are left out. */
  getChunks(ids: readonly string[]): Promise<readonly StoredChunk[]>;
  /** A document's chunks by ordinal. */
  chunksOf(documentId: string): Promise<readonly StoredChunk[]>;

  /** Exact BM25F over the fields. A chunk without any of the terms never appears; with one, its score is above 0. */
  searchText(query: TextQuery): Promise<readonly ScoredChunk[]>;
  /** Cosine similarity of the nearest window; larger is nearer; a zero vector scores 0. */
  searchVector(query: VectorQuery): Promise<readonly ScoredChunk[]>;
  /** Chunks that hold each term in any field, and the number of chunks. */
  documentFrequencies(
    terms: readonly string[],
  ): Promise<{ readonly chunks: number; readonly frequencies: readonly number[] }>;

  /** Chunks whose vectors are still to come: how many there are, and which of `ids` are. Asked by searches, so quick where there are none. */
  pendingVectors(
    ids: readonly string[],
  ): Promise<{ readonly chunks: number; readonly ids: readonly string[] }>;

  /** Languages that the documents are in, sorted; those without one are left out. */
  languages(): Promise<readonly string[]>;
  counts(): Promise<StoreCounts>;
  /**
   * Runs `work` as the only writer over all processes. A second one waits up to `waitMs` (default 5,000), then fails with
   * `IndexLockedError`, which says who holds it.
   */
  exclusively<T>(purpose: string, work: () => Promise<T>, options?: { readonly waitMs?: number }): Promise<T>;
  /**
   * Runs `work` over a copy that may be written to and is thrown away; the index stays as it is, also one that is only
   * read. Undefined, with nothing run, where the index is too large for that. Left out by stores that have no such copy:
   * changes are then not tried out.
   */
  onCopy?<T>(work: (copy: Store) => Promise<T>): Promise<T | undefined>;
  close(): Promise<void>;
}
