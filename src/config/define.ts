import type {
  ChunkOptions,
  ContextPlan,
  ContextPrompt,
  ContextSetting,
  Embedder,
  EmbeddingModel,
  FusionMethod,
  LanguageModel,
  Metadata,
  ReadOptions,
  Reranker,
  RerankPreset,
  SearchMode,
  SearchOptions,
  TokenPrices,
} from "../spec/index.ts";

/** What a `konteks.config.ts`, `.mts`, `.js`, `.mjs` or `.json` may hold. Flags and environment variables win over it. */
export interface KonteksConfig {
  /** Folder of the index, relative to the configuration file. Default: `.konteks` in the current folder, or in the folder that is asked. */
  readonly index?: string;
  /** How documents are cut. Default: 800 tokens with an overlap of 150, at structure. */
  readonly chunk?: ChunkOptions;
  /** Kind of context. Default "structural", or "llm" when `contextModel` is given. */
  readonly context?: ContextSetting;
  /** Who writes the contexts: "provider:model" or an AI SDK model object. Default: no model. */
  readonly contextModel?: string | LanguageModel;
  /** Context calls in flight. Default 10. */
  readonly contextConcurrency?: number;
  /** One context call for each chunk, several chunks in a call, or by model and document. Default "auto". */
  readonly contextPlan?: ContextPlan;
  /** Most chunks in one context call of a grouped plan. Default 12. */
  readonly contextGroupSize?: number;
  /** Longest document that is sent whole, in tokens. Default: nine tenths of what the model reads. */
  readonly contextWindow?: number;
  /** "claude" (default), "message", "indonesian", a template with `{{document}}` and `{{chunk}}`, or functions. */
  readonly contextPrompt?: string | ContextPrompt;
  /** What the documents are about. Default: nothing. */
  readonly contextDomain?: string;
  /** Terms and their meanings. Default: nothing. */
  readonly contextGlossary?: Readonly<Record<string, string>>;
  /** Dollars for a million tokens by "provider:model", before the table's. */
  readonly contextPrices?: Readonly<Record<string, TokenPrices>>;
  /** Cores that models of this machine use. Default: all but one, at most 4. */
  readonly localThreads?: number;
  /** Memory that a model of this machine may take, in MB. Default: half of what is free. */
  readonly localMemory?: number;
  /** Room for the vectors of models of this machine beside the index, in MB; the oldest go. Default 1,000. */
  readonly localCache?: number;
  /** The vector side: "lexical" (default, no model), "none", "provider:model", an AI SDK model object or an `Embedder`. */
  readonly embedding?: string | EmbeddingModel | Embedder;
  /** Who writes answers: "provider:model" or an AI SDK model object. Default: no model, answers are extracts. */
  readonly model?: string | LanguageModel;
  /** Keep every search with its hits and time: true for `queries.jsonl` in the index's folder, or a file. Default false. */
  readonly queryLog?: boolean | string;
  readonly search?: SearchDefaults;
  readonly ingest?: IngestDefaults;
  /** Base URLs by provider name (a proxy, Ollama, vLLM). Default: the provider's own. */
  readonly baseUrls?: Readonly<Record<string, string>>;
}

/** Search settings for every search and ask. */
export interface SearchDefaults {
  /** Hits wanted. Default 10. */
  readonly k?: number;
  /** Which lists are searched. Default "hybrid". */
  readonly mode?: SearchMode;
  /** Depth of each list before fusion. Default 150. */
  readonly candidates?: number;
  /** Weight of each list in the fusion; 0 leaves it out. Default: text 1, vector by kind of embedding and unknown words, neighbours 0. */
  readonly weights?: NonNullable<SearchOptions["weights"]>;
  /** The k of reciprocal rank fusion. Default 60. */
  readonly rrfK?: number;
  /** How lists are fused. Default "scores". */
  readonly fusion?: FusionMethod;
  /** Chunks that hold what stands in quotes, and identifiers, come first. Default "identifiers". */
  readonly mustMatch?: NonNullable<SearchOptions["mustMatch"]>;
  /** The best documents first, then chunks in them. Default: all documents. */
  readonly withinDocuments?: number;
  /** The best sections first, then chunks in them. Default: all sections. */
  readonly withinSections?: number;
  /** true: the built-in reranker; a name; an object. Default false. */
  readonly rerank?: boolean | string | Reranker;
  /** Candidates that are reranked and hits that are kept. Default: none. */
  readonly rerankPreset?: RerankPreset;
  /** Candidates that are reranked. Default 50 for the built-in reranker, 20 for one on this machine, else 150. */
  readonly rerankDepth?: number;
  /** A reranker that takes longer is left out. Milliseconds; default 10,000. */
  readonly rerankTimeoutMs?: number;
  /** Thresholds by kind of score. Default: none. */
  readonly min?: NonNullable<SearchOptions["min"]>;
  /** Most hits of one document. Default: no limit. */
  readonly perDocument?: number;
  /** Folds chunks with so much in common, 0 to 1. Default: not. */
  readonly fold?: number;
  /** Maximal marginal relevance, 0 to 1. Default: not applied. */
  readonly mmr?: number;
  /** What surrounds a hit: chunks before and after, its section or its document. Default: hits as they are. */
  readonly expand?: number | "section" | "document";
  /** Most tokens of an expanded hit. Default 2,000. */
  readonly expandTokens?: number;
  /** Stages that are not done by then are left out. Milliseconds; default: no limit. */
  readonly timeoutMs?: number;
}

/** Ingest settings for every ingest. */
export interface IngestDefaults extends ReadOptions {
  /** Follow `.gitignore` and `.konteksignore`. Default true. */
  readonly gitignore?: boolean;
  /** Added to every document's metadata. Default: nothing. */
  readonly metadata?: Metadata;
}

/** Gives a configuration its type in an editor; returns it as it is. */
export function defineConfig(config: KonteksConfig): KonteksConfig {
  return config;
}
