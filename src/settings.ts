import {
  type ChunkOptions,
  type ContextSetting,
  type Embedder,
  type EmbeddingModel,
  type IndexOptions,
  KonteksError,
  type LanguageModel,
  type Store,
} from "./spec/index.ts";

/** How an index is made, by name: kept with it, so that it can be opened again without repeating anything. */
export interface SavedSettings {
  readonly chunk: ChunkOptions;
  readonly context: ContextSetting;
  readonly contextModel?: string;
  readonly embedding: string;
}

/** Settings in force: the user's where given, else the index's own, else the defaults. Models stay what the user gave. */
export interface Settings {
  readonly chunk: ChunkOptions;
  readonly context: ContextSetting;
  readonly contextModel?: string | LanguageModel;
  readonly embedding: string | EmbeddingModel | Embedder;
}

const KEY = "options";
const CONTEXTS: readonly ContextSetting[] = ["structural", "none", "llm"];

export async function readSettings(store: Store): Promise<SavedSettings | undefined> {
  const saved = await store.readSetting(KEY);
  return saved === undefined ? undefined : (JSON.parse(saved) as SavedSettings);
}

export async function writeSettings(store: Store, settings: SavedSettings): Promise<void> {
  await store.writeSetting(KEY, JSON.stringify(settings));
}

export function mergeSettings(options: IndexOptions, saved: SavedSettings | undefined): Settings {
  const context = contextOf(options, saved);
  const contextModel = options.contextModel ?? saved?.contextModel;
  if (context === "llm" && contextModel === undefined) {
    throw new KonteksError(
      "wrong-option",
      "Contexts by a model need a model. Name one: --context-model anthropic:claude-haiku-4-5 (library: contextModel).",
    );
  }
  return {
    chunk: options.chunk ?? saved?.chunk ?? {},
    context,
    ...(context === "llm" && contextModel !== undefined && { contextModel }),
    embedding: options.embedding ?? saved?.embedding ?? "lexical",
  };
}

function contextOf(options: IndexOptions, saved: SavedSettings | undefined): ContextSetting {
  const context =
    options.context ?? (options.contextModel === undefined ? (saved?.context ?? "structural") : "llm");
  if (CONTEXTS.includes(context)) return context;
  throw new KonteksError(
    "wrong-option",
    `The context must be one of ${CONTEXTS.join(", ")}, not "${String(context)}".`,
  );
}
