/** What an LLM context depends on; equal keys have equal contexts. */
export interface ContextKey {
  readonly documentId: string;
  /** Hash of the chunk's text and place among equal chunks. */
  readonly chunkHash: string;
  /** Model, prompt, glossary and their versions. */
  readonly recipe: string;
}

/** How a context was asked for: a call for each chunk, one for several, from a part of a long document; or brought in from outside. */
export type ContextPolicy = "single" | "grouped" | "windowed" | "imported";

export interface StoredContext extends ContextKey {
  readonly text: string;
  readonly model: string;
  /** Hash of the document it was made from; an older one may be stale. */
  readonly documentHash: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly policy?: ContextPolicy;
}

/** What a document is made of now: the contexts in use, and the hash that the fresh ones have. */
export interface ContextUse {
  readonly documentId: string;
  readonly documentHash: string;
  readonly recipe: string;
  readonly chunkHashes: readonly string[];
}

/** One request of a batch: the chunks of a document that it asks about. */
export interface StoredBatchItem {
  readonly id: string;
  readonly documentId: string;
  readonly documentHash: string;
  readonly chunkHashes: readonly string[];
  /** Their numbers in the request, where it asks for several. */
  readonly numbers?: readonly number[];
  readonly policy: ContextPolicy;
  /** Tokens that its prompt was expected to have. */
  readonly expectedInput?: number;
}

/** A batch that was meant to be started, written down before it is; `reference` once the provider has it. */
export interface StoredBatch {
  readonly id: string;
  readonly modelId: string;
  readonly recipe: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly items: readonly StoredBatchItem[];
  readonly reference?: string;
}

/** A vector that was computed for a text by a model; paid ones are never computed twice. */
export interface VectorKey {
  readonly model: string;
  readonly textHash: string;
}

/** Contexts of one recipe. */
export interface RecipeCount {
  readonly recipe: string;
  readonly model: string;
  readonly contexts: number;
}

/** What calls of a model really used, beside what was expected of them; later estimates go by it. Tokens, summed. */
export interface ModelUsage {
  readonly calls: number;
  /** Of the prompts: as they were estimated by o200k's measure, and as the provider counted them. */
  readonly expectedInput: number;
  readonly input: number;
  /** Contexts that were asked for one by one and in groups, and the tokens of the replies with what was thought before. */
  readonly singles: number;
  readonly singleOutput: number;
  readonly grouped: number;
  readonly groupedOutput: number;
  /** Of calls outside batches: how long they were expected to take in all, and took. Milliseconds. */
  readonly expectedMs: number;
  readonly ms: number;
  /** Cached prompts of batches: tokens read from the cache, and written to it. */
  readonly batchRead: number;
  readonly batchWritten: number;
}

/** Paid work (contexts, vectors), in a file that outlives the index. Every `put` is on disk when it returns (I5). */
export interface ContextStore {
  get(key: ContextKey): StoredContext | undefined;
  /**
   * A context of the same chunk in a document of the same text, whatever its id: it was moved, or is there twice. Made
   * from this text, or used by a document of this text since an older state of it.
   */
  find(key: Omit<ContextKey, "documentId"> & { readonly documentHash: string }): StoredContext | undefined;
  put(context: StoredContext): void;
  /** All or none. */
  putAll(contexts: readonly StoredContext[]): void;
  /** Notes which contexts a document uses now, so that stale ones can be told. */
  use(use: ContextUse): void;
  /** Contexts in use that were made from an older state of their document, by document. */
  stale(): readonly { readonly documentId: string; readonly contexts: number }[];
  recipes(): readonly RecipeCount[];
  /** Every context, or those of one recipe, by document. */
  contexts(recipe?: string): Iterable<StoredContext>;
  /** Batches that were meant to be started and whose results are not all here. */
  batches(): readonly StoredBatch[];
  putBatch(batch: StoredBatch): void;
  deleteBatch(id: string): void;
  /** Undefined while the model was never called. */
  usageOf(model: string): ModelUsage | undefined;
  /** Adds up; old calls weigh less as new ones come. */
  addUsage(model: string, usage: ModelUsage): void;
  getVector(key: VectorKey): Float32Array | undefined;
  /** `limit`: bytes that the vectors of a model may take in all; the oldest go. Default: no limit. */
  putVectors(
    entries: readonly { readonly key: VectorKey; readonly vector: Float32Array }[],
    options?: { readonly limit?: number | undefined },
  ): void;
  /** Contexts of a document; returns how many went. */
  deleteDocument(documentId: string): number;
  count(): { readonly contexts: number; readonly vectors: number };
  /** Where it is, for messages. */
  readonly path: string;
  close(): void;
}
