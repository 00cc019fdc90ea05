/// <reference lib="esnext.disposable" preserve="true" />
import type { AnswerOptions } from "./ask.ts";
import type { ChunkOptions } from "./chunk.ts";
import type { StoredContext } from "./context-store.ts";
import type { ContextEstimate, ContextPlan, ContextPrompt } from "./contextualize.ts";
import type { DocumentInput, Metadata } from "./document.ts";
import type { Filter } from "./filter.ts";
import type { Embedder, EmbeddingModel, LanguageModel, TokenPrices } from "./models.ts";
import type { IngestReport, OnProgress } from "./progress.ts";
import type { Reranker } from "./rerank.ts";
import type { Answer, SearchResult } from "./result.ts";
import type { IngestSource, ReadOptions } from "./source.ts";
import type {
  Bm25Options,
  DocumentRecord,
  DocumentSummary,
  IndexIdentity,
  StoreCounts,
  StoredChunk,
} from "./store.ts";
import type { WhyReport } from "./why.ts";

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
  /** For tests and slow lines, in milliseconds. Default: 5,000 between looks at a batch, 15,000 until a batch that no listing shows counts as never started, 30,000 for calls under way when a run is stopped. */
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
  /** Weight of each list in the fusion; 0 leaves it out. Default: text 1, vector by kind of embedding and unknown words, neighbours 0. */
  readonly weights?: {
    readonly text?: number;
    readonly vector?: number;
    /** Of the best fused score among the chunks right before and behind, which is added. */
    readonly neighbours?: number;
  };
  /** The k of reciprocal rank fusion. Default 60. */
  readonly rrfK?: number;
  /**
   * "scores": Σ weight × score / best score of the list. "rrf": Σ weight / (rrfK + rank). A local
   * model's scores are counted from the last in its list. Default "scores".
   */
  readonly fusion?: FusionMethod;
  /** How the text list scores where it is not to be the default: weights of fields, weight of the whole document (by itself it follows the query). */
  readonly bm25?: Bm25Options;
  readonly filter?: Filter;
  /** The query's own vector, instead of embedding the query. */
  readonly vector?: readonly number[] | Float32Array;
  /** The same question in other words: each is searched like the query, and all lists are fused. Default none. */
  readonly phrasings?: readonly string[];
  /**
   * Puts chunks that hold every quoted phrase and identifier (`TS-999`, `getUserById`) of the query first, if there are
   * any. Default "identifiers"; "phrases": quoted ones only.
   */
  readonly mustMatch?: "none" | "phrases" | "identifiers";
  /** Only chunks of the best so many documents, told by a first search. Default: of all documents. */
  readonly withinDocuments?: number;
  /** Only chunks of the best so many sections (chunks of a document under the same headings), told by a first search. Default: of all. */
  readonly withinSections?: number;
  /** true: the built-in reranker. A name ("local:ms-marco-MiniLM-L-6-v2", "cohere:rerank-v3.5"), an object, or those with settings. Default false. */
  readonly rerank?: boolean | string | Reranker | RerankOptions;
  /** A hit has a score of each kind named here, of at least that much. */
  readonly min?: { readonly bm25?: number; readonly cosine?: number; readonly rerank?: number };
  /** Most hits of one document. Default: no limit. */
  readonly perDocument?: number;
  /** Folds a chunk into a better one when so much of what they say, word for word, is common, 0 to 1. Default: nothing is folded. */
  readonly fold?: number;
  /** Maximal marginal relevance: 1 looks at the score alone, 0 at difference alone. Default: not applied. */
  readonly mmr?: number;
  /** Widens hits after ranking. Default: not. */
  readonly expand?: ExpandOptions;
  /** Adds to each hit what its score is the sum of. Default false. */
  readonly explain?: boolean;
  /** Stages that are not done by then are left out, with a note. Milliseconds; default: no limit. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface WhyOptions extends SearchOptions {
  /** What should have been found: `file.md:12`, a chunk id (`file.md#3`), a document id, or a quote. */
  readonly expect: string;
}

export type FusionMethod = "scores" | "rrf";

export interface RerankOptions {
  /** Default: the built-in reranker. */
  readonly model?: string | Reranker;
  /** Candidates that it judges; the others follow in the order they had. Default 50 for the built-in one, 20 for a local one, else 150. */
  readonly depth?: number;
  /** Depth and number of hits in one word: "20-3" judges 20 and keeps 3. A `depth` or `k` of its own wins. */
  readonly preset?: RerankPreset;
  /** A reranker that takes longer is left out. Milliseconds; default 10,000. */
  readonly timeoutMs?: number;
}

export type RerankPreset = "20-3" | "20-5" | "150-20";

export interface ExpandOptions {
  /** Chunks before and after. Default 0. */
  readonly neighbours?: number;
  /** The hit's whole section: all chunks under the same headings. Default false. */
  readonly section?: boolean;
  /** The hit's whole document. Default false. */
  readonly document?: boolean;
  /** Most tokens of an expanded hit. Default 2,000. */
  readonly tokens?: number;
}

export interface AskOptions extends SearchOptions, AnswerOptions {}

export interface IngestOptions extends ReadOptions {
  /** Follow `.gitignore` and `.konteksignore`. Default true. */
  readonly gitignore?: boolean;
  /** Added to every document's metadata. */
  readonly metadata?: Metadata;
  /** Index anew what is unchanged as well. Default false. */
  readonly force?: boolean;
  /** Contexts through the provider's batches: half the price, up to 24 hours. Default false. */
  readonly batch?: boolean;
  /** US dollars; no context call is made that might pass it. Default: no limit. */
  readonly maxCost?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

export interface EstimateOptions extends IngestOptions {
  /** Calls in flight that the time is worked out for. Default: the index's setting. */
  readonly concurrency?: number;
}

export interface RepairOptions extends Pick<IngestOptions, "batch" | "maxCost" | "signal" | "onProgress"> {
  /** Also ask anew for contexts that were made from an older state of their document. Default false. */
  readonly stale?: boolean;
}

export interface DeleteOptions {
  /** Keep the paid contexts, for when the document comes back. Default false. */
  readonly keepContexts?: boolean;
}

/** A context from elsewhere, for a chunk of a document in the index: by its text, by its id, or as it was exported. */
export type ImportedContext =
  | StoredContext
  | { readonly documentId: string; readonly chunk: string; readonly context: string; readonly model?: string }
  | { readonly chunkId: string; readonly context: string; readonly model?: string };

export interface ImportReport {
  readonly imported: number;
  /** There already, with the same words or others; what is there stays. */
  readonly known: number;
  /** Of both: made with another model, prompt or glossary than this index is; they are kept, and not used by it. */
  readonly notUsed: number;
  /** No document or chunk of the index fits. */
  readonly unmatched: readonly string[];
  /** Documents whose contexts, told by the number of their chunk, are more or fewer than its chunks: cut elsewhere. None is taken. */
  readonly otherwiseCut: readonly {
    readonly documentId: string;
    readonly contexts: number;
    readonly chunks: number;
  }[];
}

export interface Status {
  /** Where the index is. */
  readonly index: string;
  readonly identity: IndexIdentity | undefined;
  readonly counts: StoreCounts;
  /** What the vector side is, in words: "lexical embedding (tolerant of typos and inflection, not semantic)". */
  readonly embedding: string;
  readonly contextStore: {
    readonly path: string;
    readonly contexts: number;
    readonly vectors: number;
    /** Contexts in use that were made from an older state of their document; `konteks repair --stale` renews them. */
    readonly stale: number;
    /** Batches at the provider whose results are not here yet. */
    readonly batches: number;
  };
  /** The log of searches, when one is kept; `empty` had no hit, `skipped` were not reranked although it was asked for. */
  readonly queryLog?: {
    readonly path: string;
    readonly queries: number;
    readonly empty: number;
    readonly skipped: number;
  };
  /** Folders and files of which an ingest was begun and has not come to its end; left out where there are none. */
  readonly unfinished?: readonly string[];
  /** Documents with something missing or suspicious, with the reason. */
  readonly warnings: readonly { readonly id: string; readonly warning: string }[];
}

/**
 * An open index. Close it when done. Calls that change it take turns, in the order they were made; another process that
 * changes it is waited for some seconds, then named ("index-locked"). Searches wait for nobody.
 */
export interface Konteks extends AsyncDisposable {
  /** A folder is followed: changed files are replaced, deleted ones leave. */
  ingest(source: IngestSource, options?: IngestOptions): Promise<IngestReport>;
  /** Puts one document in the place of whatever had its id. */
  upsert(document: DocumentInput, options?: IngestOptions): Promise<IngestReport>;
  /** Removes a document with its chunks, vectors and contexts. False if there was none. */
  delete(id: string, options?: DeleteOptions): Promise<boolean>;
  /** What the contexts of a source would cost, before any call. Nothing is sent or written. */
  estimate(source: IngestSource, options?: EstimateOptions): Promise<ContextEstimate>;
  /** The same for `repair`. */
  estimateRepair(options?: RepairOptions): Promise<ContextEstimate>;
  /** Finishes what is missing (contexts, vectors), from what is in the index; the sources are not read. */
  repair(options?: RepairOptions): Promise<IngestReport>;
  /** The paid contexts of this index's model and prompt, by document. */
  exportContexts(): Iterable<StoredContext>;
  /** Takes contexts in for documents that are in the index; `repair` puts them into it. */
  importContexts(contexts: Iterable<ImportedContext>): Promise<ImportReport>;
  search(query: string, options?: SearchOptions): Promise<SearchResult>;
  /** Where the passage that should have been found was lost, with the numbers, and what would bring it in. */
  why(query: string, options: WhyOptions): Promise<WhyReport>;
  ask(question: string, options?: AskOptions): Promise<Answer>;
  documents(): Promise<readonly DocumentSummary[]>;
  document(id: string): Promise<DocumentRecord | undefined>;
  /** A document's chunks, with their contexts. */
  chunks(documentId: string): Promise<readonly StoredChunk[]>;
  status(): Promise<Status>;
  close(): Promise<void>;
}

export interface OpenOptions extends IndexOptions {
  /** How text is scored in this index, over the defaults; what a search names goes over it, field by field. */
  readonly bm25?: Bm25Options;
  /** Folder of the index (`index.sqlite`, `contexts.sqlite`); made when missing. Default "./.konteks". */
  readonly path?: string;
  /** Fail instead of making a new index. Default false. */
  readonly mustExist?: boolean;
  /** Only search: nothing is written, several processes may. Default false. */
  readonly readOnly?: boolean;
  /** Keep every search with its hits and time in a file: true for `queries.jsonl` in the index's folder, or its path. Default false. */
  readonly queryLog?: boolean | string;
  /** Drop an index made with other settings and start a new one; settings that are not given and the context file stay. Default false. */
  readonly rebuild?: boolean;
  /** Default model for `ask`. */
  readonly model?: string | LanguageModel;
  /** API keys by provider name; default: the SDK's own environment variables. */
  readonly apiKeys?: Readonly<Record<string, string>>;
  /** Base URLs by provider name (a proxy, Ollama, vLLM, a test server). */
  readonly baseUrls?: Readonly<Record<string, string>>;
  /** Cores that models of this machine use. Default: all but one, at most 4. */
  readonly localThreads?: number;
  /** Memory that a model of this machine may take, in MB: no more threads are begun than fit, at least one. Default: half of what is free. */
  readonly localMemory?: number;
  /** Room for their vectors beside the index, in MB, so that the same text is embedded once; the oldest go. Default 1,000. */
  readonly localCache?: number;
  /** Told when a model of this machine has been loaded, which happens at its first use. */
  readonly onModelLoad?: (load: ModelLoad) => void;
}

/** What loading a model of this machine took. */
export interface ModelLoad {
  /** Without "local:". */
  readonly model: string;
  readonly ms: number;
}
