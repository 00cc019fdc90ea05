import type { AnswerOptions } from "./ask.ts";
import type { ChunkOptions } from "./chunk.ts";
import type { ContextPlan, ContextPrompt } from "./contextualize.ts";
import type { DocumentInput, Metadata } from "./document.ts";
import type { Filter } from "./filter.ts";
import type { Embedder, EmbeddingModel, LanguageModel, TokenPrices } from "./models.ts";
import type { IngestReport, OnProgress } from "./progress.ts";
import type { Answer, SearchResult } from "./result.ts";
import type { IngestSource, ReadOptions } from "./source.ts";
import type { DocumentRecord, DocumentSummary, IndexIdentity, StoreCounts, StoredChunk } from "./store.ts";

/** Which list is searched. */
export type SearchMode = "text" | "vector" | "hybrid";

/** "structural": from title, headings and the like, no model. "none": the chunk alone. A model: written by it, structural where it failed. */
export type ContextSetting = "structural" | "none" | "llm";

/** How documents become chunks with contexts and vectors. Saved with the index; leaving one out takes the index's own. */
export interface IndexOptions {
  readonly chunk?: ChunkOptions;
  /** Default "structural", or "llm" when `contextModel` is given. */
  readonly context?: ContextSetting;
  /** "provider:model" (`anthropic:claude-haiku-4-5`) or an AI SDK model object. */
  readonly contextModel?: string | LanguageModel;
  /** Calls in flight. Default 10. */
  readonly contextConcurrency?: number;
  /** How contexts are asked for; see `ContextOptions`. Part of their identity. */
  readonly contextPrompt?: string | ContextPrompt;
  readonly contextGlossary?: Readonly<Record<string, string>>;
  readonly contextDomain?: string;
  /** One call for each chunk, several chunks in a call, or what is sensible for model and document. Default "auto". */
  readonly contextPlan?: ContextPlan;
  /** Most chunks in one call of a grouped plan. Default 12. */
  readonly contextGroupSize?: number;
  /** Longest document that is sent whole, in tokens; longer ones are read in windows. Default: nine tenths of what the model reads. */
  readonly contextWindow?: number;
  /** Prices that go before the table's, by "provider:model". */
  readonly contextPrices?: Readonly<Record<string, TokenPrices>>;
  /** The AI SDK provider whose batches are used, where `contextModel` is a model object. */
  readonly contextBatchProvider?: object;
  /** For tests and slow lines, in milliseconds. Default: 5,000 between looks at a batch, 15,000 until a batch that no listing shows counts as never started, 60,000 for calls under way when a run is stopped. */
  readonly contextTiming?: {
    readonly pollMs?: number;
    readonly settleMs?: number;
    readonly graceMs?: number;
  };
  /**
   * "lexical" (default, no model), "none", "given" (documents bring their vectors, searches bring `vector`),
   * "provider:model", an AI SDK model object, or an `Embedder`.
   */
  readonly embedding?: string | EmbeddingModel | Embedder;
}

export interface SearchOptions {
  /** Hits wanted. Default 10; never more than `candidates`. */
  readonly k?: number;
  /** Default "hybrid". */
  readonly mode?: SearchMode;
  /** Depth of each list before fusion. Default 150. */
  readonly candidates?: number;
  /** Weight of each list in the fusion; 0 leaves it out. Default: text 1, vector by kind of embedding. */
  readonly weights?: { readonly text?: number; readonly vector?: number };
  /** The k of reciprocal rank fusion. Default 60. */
  readonly rrfK?: number;
  readonly filter?: Filter;
  /** The query's own vector, instead of embedding the query. */
  readonly vector?: readonly number[] | Float32Array;
  readonly signal?: AbortSignal;
}

export interface AskOptions extends SearchOptions, AnswerOptions {}

export interface IngestOptions extends ReadOptions {
  /** Follow `.gitignore` and `.konteksignore`. Default true. */
  readonly gitignore?: boolean;
  /** Added to every document's metadata. */
  readonly metadata?: Metadata;
  /** Index anew what is unchanged as well. Default false. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

export interface Status {
  /** Where the index is. */
  readonly index: string;
  readonly identity: IndexIdentity | undefined;
  readonly counts: StoreCounts;
  /** What the vector side is, in words: "lexical embedding (tolerant of typos and inflection, not semantic)". */
  readonly embedding: string;
  readonly contextStore: { readonly path: string; readonly contexts: number; readonly vectors: number };
  /** Documents with something missing or suspicious, with the reason. */
  readonly warnings: readonly { readonly id: string; readonly warning: string }[];
}

/** An open index. Close it when done. */
export interface Konteks extends AsyncDisposable {
  /** A folder is followed: changed files are replaced, deleted ones leave. */
  ingest(source: IngestSource, options?: IngestOptions): Promise<IngestReport>;
  /** Puts one document in the place of whatever had its id. */
  upsert(document: DocumentInput, options?: IngestOptions): Promise<IngestReport>;
  /** Removes a document with its chunks, vectors and contexts. False if there was none. */
  delete(id: string): Promise<boolean>;
  search(query: string, options?: SearchOptions): Promise<SearchResult>;
  ask(question: string, options?: AskOptions): Promise<Answer>;
  documents(): Promise<readonly DocumentSummary[]>;
  document(id: string): Promise<DocumentRecord | undefined>;
  /** A document's chunks, with their contexts. */
  chunks(documentId: string): Promise<readonly StoredChunk[]>;
  status(): Promise<Status>;
  close(): Promise<void>;
}

export interface OpenOptions extends IndexOptions {
  /** Folder of the index (`index.sqlite`, `contexts.sqlite`); made when missing. Default "./.konteks". */
  readonly path?: string;
  /** Fail instead of making a new index. Default false. */
  readonly mustExist?: boolean;
  /** Only search: nothing is written, several processes may. Default false. */
  readonly readOnly?: boolean;
  /** Drop an index made with other settings and start a new one; the context file stays. Default false. */
  readonly rebuild?: boolean;
  /** Default model for `ask`. */
  readonly model?: string | LanguageModel;
  /** API keys by provider name; default: the SDK's own environment variables. */
  readonly apiKeys?: Readonly<Record<string, string>>;
  /** Base URLs by provider name (a proxy, Ollama, vLLM, a test server). */
  readonly baseUrls?: Readonly<Record<string, string>>;
}
