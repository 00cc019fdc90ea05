/** What an LLM context depends on; equal keys have equal contexts. */
export interface ContextKey {
  readonly documentId: string;
  /** Hash of the chunk's text and place among equal chunks. */
  readonly chunkHash: string;
  /** Model, prompt, glossary and their versions. */
  readonly recipe: string;
}

export interface StoredContext extends ContextKey {
  readonly text: string;
  readonly model: string;
  /** Hash of the document it was made from; an older one may be stale. */
  readonly documentHash: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** A vector that was computed for a text by a model; paid ones are never computed twice. */
export interface VectorKey {
  readonly model: string;
  readonly textHash: string;
}

/** Paid work (contexts, vectors), in a file that outlives the index. Every `put` is on disk when it returns (I5). */
export interface ContextStore {
  get(key: ContextKey): StoredContext | undefined;
  put(context: StoredContext): void;
  getVector(key: VectorKey): Float32Array | undefined;
  putVectors(entries: readonly { readonly key: VectorKey; readonly vector: Float32Array }[]): void;
  /** Contexts of a document; returns how many went. */
  deleteDocument(documentId: string): number;
  count(): { readonly contexts: number; readonly vectors: number };
  /** Where it is, for messages. */
  readonly path: string;
  close(): void;
}
