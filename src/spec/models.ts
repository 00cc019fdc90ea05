/**
 * An AI SDK language model object, described by what is common to all versions of its specification, so that public
 * declarations do not import `ai`. Any `anthropic("…")`, `openai("…")` or other provider's model fits.
 */
export interface LanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
}

/** An AI SDK embedding model object. */
export interface EmbeddingModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doEmbed(options: never): PromiseLike<unknown>;
}

/** How much a kind of embedding can be trusted beside BM25; fusion weights follow it. */
export type EmbeddingKind = "lexical" | "local" | "hosted";

export interface EmbedOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told what each call of a paid model used. */
  readonly onUsage?: ((usage: Usage) => void) | undefined;
}

export interface EmbedQueryOptions extends EmbedOptions {
  /** Inverse document frequency of a query word in this index; only the lexical embedding uses it. Default: 1 for every word. */
  readonly idf?: ((term: string) => number) | undefined;
}

/**
 * The vector side: texts in, unit vectors out. One call is one batch; batching, retries, caching and failures by text
 * are the core's. `embedDocuments` gives exactly one vector a text or throws.
 */
export interface Embedder {
  /** Part of the index identity, e.g. "lexical-hash-v1" or "openai:text-embedding-3-small". */
  readonly id: string;
  readonly kind: EmbeddingKind;
  /** Undefined until the first vector is known. */
  readonly dimensions?: number | undefined;
  /** Most texts in one call. Default 96. */
  readonly maxBatch?: number | undefined;
  /** Longest text it reads, in tokens; longer chunks are embedded in windows. Default: no limit. */
  readonly maxTokens?: number | undefined;
  /** Whether vectors cost money or much time, so that they are kept in the context store. Default: kind is not "lexical". */
  readonly cached?: boolean | undefined;
  /** Bytes that the kept vectors may take; the oldest go. Default: no limit. */
  readonly cacheLimit?: number | undefined;
  /**
   * How another process makes the same embedder: `name` is what `module` exports, a function of `options`, which are plain
   * data. Documents are then embedded where they are read. Default: this process embeds.
   */
  readonly portable?:
    | { readonly module: string; readonly name: string; readonly options: unknown }
    | undefined;
  /** Loads what it needs (a provider's package, model files); awaited before the limits above are read. */
  ready?(): Promise<void>;
  embedDocuments(texts: readonly string[], options?: EmbedOptions): Promise<readonly Float32Array[]>;
  embedQuery(text: string, options?: EmbedQueryOptions): Promise<Float32Array>;
}

/** What a model call used, as the provider reported it. Tokens. */
export interface Usage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** Nothing was called. */
export const NO_USAGE: Usage = {
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

/** US dollars for a million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  /** Tokens read from the provider's cache. Default: as input. */
  readonly cacheRead?: number;
  /** Tokens written to it. Default: as input. */
  readonly cacheWrite?: number;
  /** The same for the longer lifetime. Default: as `cacheWrite`. */
  readonly cacheWriteLong?: number;
}
