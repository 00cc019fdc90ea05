import type {
  ChunkOptions,
  ContextStore,
  Embedder,
  IndexIdentity,
  OnProgress,
  Store,
} from "../spec/index.ts";
import type { ContextRun, Contextualize } from "./contextualize/contextualize.ts";
import type { LlmContextualizer } from "./contextualize/llm.ts";

/** What documents go through, and where they end. */
export interface IngestParts {
  readonly store: Store;
  readonly contextStore: ContextStore;
  readonly chunk: ChunkOptions;
  readonly contextualize: Contextualize;
  /** What `contextualize` does where no model writes contexts, so that another process can do the same. */
  readonly localContexts?: "structural" | "none" | undefined;
  /** What a model's contexts are kept under; undefined when no model writes any. */
  readonly recipe?: string | undefined;
  /** What writes contexts by a model, where one does; made when it is needed. Errors: "unknown-model", "wrong-option". */
  readonly modelContexts?: (() => LlmContextualizer) | undefined;
  readonly embedder?: Embedder | undefined;
  /** Identity of an index made with these parts; dimensions 0 while no vector is known. */
  readonly identity: IndexIdentity;
  /** Keeps the settings with the index; called once, with the identity. */
  saveSettings(): Promise<void>;
  /** Documents in work at the same time. */
  readonly concurrency: number;
}

export interface IngestRunOptions {
  /** Absolute path of the folder or file, or the glob, that the run was pointed at: remembered until it comes to its end. */
  readonly begun?: string | undefined;
  readonly force?: boolean | undefined;
  /** Whether documents are prepared in other processes. */
  readonly apart?: boolean | undefined;
  /** Contexts through the provider's batches. */
  readonly batch?: boolean | undefined;
  /** US dollars that contexts may cost in this run. */
  readonly maxCost?: number | undefined;
  /** What the documents of this run share in asking for contexts. */
  readonly contextRun?: ContextRun | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** The same, with what is known once a source is open. */
export interface DocumentParts extends IngestParts {
  /** Name of the source, kept with the document. */
  readonly source: string;
  /** Writes in the place of the store's own, several documents together. */
  readonly replaceDocument?: Store["replaceDocument"] | undefined;
  /** Saves the identity with the first document, once the dimensions are known. */
  saveIdentity(dimensions: number): Promise<void>;
}
