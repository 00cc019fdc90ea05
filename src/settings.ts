import {
  type ChunkOptions,
  type ContextOptions,
  type ContextPrompt,
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
  /** How a model is asked for contexts; a prompt made of functions only by its id. */
  readonly contexts?: SavedContextOptions;
  readonly embedding: string;
}

interface SavedContextOptions extends Omit<ContextOptions, "prompt"> {
  readonly prompt?: string;
  /** The prompt is made of functions, which cannot be saved. */
  readonly promptId?: string;
}

/** Settings in force: the user's where given, else the index's own, else the defaults. Models stay what the user gave. */
export interface Settings {
  readonly chunk: ChunkOptions;
  readonly context: ContextSetting;
  readonly contextModel?: string | LanguageModel;
  readonly contexts: ContextOptions;
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
    contexts: contextOptionsOf(options, saved?.contexts),
    embedding: options.embedding ?? saved?.embedding ?? "lexical",
  };
}

function contextOptionsOf(options: IndexOptions, saved: SavedContextOptions = {}): ContextOptions {
  const { contextPrompt, contextGlossary, contextDomain } = options;
  const prompt = contextPrompt ?? saved.prompt ?? missingPrompt(saved.promptId);
  const glossary = contextGlossary ?? saved.glossary;
  const domain = contextDomain ?? saved.domain;
  return {
    ...(prompt !== undefined && { prompt }),
    ...(glossary && { glossary }),
    ...(domain !== undefined && { domain }),
  };
}

/** Stands for a prompt of functions that was not given this time: good to search with, not to write contexts. */
function missingPrompt(id: string | undefined): ContextPrompt | undefined {
  if (id === undefined) return undefined;
  const missing = () => {
    throw new KonteksError(
      "wrong-option",
      `The contexts of this index are written with the prompt "${id}", which is made of functions. Give it again (contextPrompt).`,
    );
  };
  return { id, front: missing, chunk: missing };
}

export function savedContexts({ prompt, ...others }: ContextOptions): SavedContextOptions {
  if (prompt === undefined) return others;
  return typeof prompt === "string" ? { ...others, prompt } : { ...others, promptId: prompt.id };
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
