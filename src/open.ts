import { access, mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createEngine } from "./engine.ts";
import { chunkerId, resolveChunkOptions } from "./ingest/chunk/chunk.ts";
import { byModel, structurally, withoutContext } from "./ingest/contextualize/contextualize.ts";
import { createLlmContextualizer, type LlmContextualizer } from "./ingest/contextualize/llm.ts";
import { recipeOf } from "./ingest/contextualize/recipe.ts";
import { STRUCTURAL_ID } from "./ingest/contextualize/structural.ts";
import { checkIdentity } from "./ingest/identity.ts";
import type { IngestParts } from "./ingest/parts.ts";
import { modelIdOf } from "./models/embedder.ts";
import { createLexicalEmbedder } from "./models/lexical/index.ts";
import { loadProvider } from "./models/load-provider.ts";
import {
  createLocalEmbedder,
  isEmbeddingOf,
  isLocalName,
  type LocalEmbedder,
  localName,
} from "./models/local/index.ts";
import { parseModelName } from "./models/name.ts";
import { keepRerankers } from "./models/rerank/kept.ts";
import { resolveEmbedder, resolveLanguageModel } from "./models/resolve.ts";
import { openRerankCache } from "./query/rerank-cache.ts";
import { mergeSettings, readSettings, type Settings, savedContexts, writeSettings } from "./settings.ts";
import {
  type Bm25Options,
  type ContextStore,
  type Embedder,
  type EmbeddingModel,
  type IndexIdentity,
  isKonteksError,
  type Konteks,
  KonteksError,
  type LanguageModel,
  type OpenOptions,
  type Store,
} from "./spec/index.ts";
import { openSqliteContextStore, openSqliteStore } from "./stores/sqlite/index.ts";
import { ANALYZER_ID } from "./text/analyze.ts";
import { DEFAULT_BM25, mergeBm25 } from "./text/bm25.ts";
import { checkBm25 } from "./text/check-bm25.ts";
import { checkText } from "./util/arguments.ts";
import { checkOptionsOf } from "./util/option-names.ts";

/**
 * Opens an index, or makes one: the engine with its default store (one SQLite file) and models.
 *
 * Without options everything runs on this machine: structural contexts, a lexical embedding beside BM25, extractive
 * answers. Settings of an existing index are taken from it.
 *
 * @throws KonteksError `identity-mismatch` when a setting differs from what the index was made with; `not-an-index`,
 * `index-damaged`, `index-newer`, `read-only`, `no-space` when the file cannot serve; `unknown-model`, `wrong-option`.
 */
export async function openKonteks(options: OpenOptions = {}): Promise<Konteks> {
  checkOptionsOf("openKonteks", options);
  if (options.path !== undefined) checkText("path", options.path);
  const path = resolve(options.path ?? ".konteks");
  const files = { index: join(path, "index.sqlite"), contexts: join(path, "contexts.sqlite") };
  await prepareFolder(path, files.index, options);
  try {
    return await openFiles(path, files, options);
  } catch (error) {
    const isDamaged = isKonteksError(error, "index-damaged") && error.facts.path === files.index;
    if (!options.rebuild || !isDamaged) throw error;
    // What cannot be read cannot be emptied either.
    for (const ending of ["", "-wal", "-shm"]) await rm(files.index + ending, { force: true });
    return openFiles(path, files, options);
  }
}

async function openFiles(
  path: string,
  files: { readonly index: string; readonly contexts: string },
  options: OpenOptions,
): Promise<Konteks> {
  const readOnly = options.readOnly ?? false;
  const store = await openSqliteStore({ path: files.index, readOnly });
  try {
    const settings = mergeSettings(options, await readSettings(store));
    const contextStore = await openSqliteContextStore({ path: files.contexts, readOnly });
    try {
      return await assemble(path, store, contextStore, settings, options);
    } catch (error) {
      contextStore.close();
      throw error;
    }
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function prepareFolder(path: string, index: string, options: OpenOptions): Promise<void> {
  if (options.mustExist || options.readOnly) {
    await access(index).catch((cause: unknown) => {
      throw new KonteksError(
        "not-found",
        `There is no index in "${path}". Make one with: konteks ingest <folder> --index "${path}".`,
        { facts: { path }, cause },
      );
    });
    return;
  }
  await mkdir(path, { recursive: true }).catch((cause: unknown) => {
    throw new KonteksError(
      "read-only",
      `The folder "${path}" for the index cannot be made. Choose a place that can be written to with --index <folder>.`,
      { facts: { path }, cause },
    );
  });
}

async function assemble(
  path: string,
  store: Store,
  contextStore: ContextStore,
  settings: Settings,
  options: OpenOptions,
): Promise<Konteks> {
  const index = options.rebuild ? undefined : await store.readIdentity();
  const embedder = await embedderOf(settings, options, index?.embedding);
  const identity = identityOf(settings, embedder);
  if (index) checkIdentity(index, identity);
  const chunk = resolveChunkOptions(settings.chunk);
  const contexts = contextsOf(settings, options, contextStore);
  const bm25 = bm25Of(options);
  const rerankers = keepRerankers(options);
  if (options.rebuild) {
    // What was asked for is refused while the old index is still there.
    await embedder?.ready?.();
    if (settings.contextModel !== undefined) await resolveLanguageModel(settings.contextModel, options);
    await store.exclusively("rebuild", () => store.clear());
  }
  return createEngine({
    path,
    store,
    contextStore,
    ingest: {
      chunk,
      ...contexts,
      embedder,
      identity,
      saveSettings: () =>
        writeSettings(store, {
          chunk,
          context: settings.context,
          ...(settings.contextModel !== undefined && {
            contextModel: modelName(settings.contextModel),
            contexts: savedContexts(settings.contexts),
          }),
          embedding: embeddingName(settings),
        }),
      concurrency: documentsAtATime(settings, options),
    },
    query: {
      embedder,
      bm25,
      resolveReranker: rerankers.resolve,
      rerankCache: openRerankCache(join(path, "reranks")),
    },
    embedding: describeEmbedding(settings, embedder),
    queryLog: queryLogOf(path, options),
    model: options.model,
    resolveModel: (model) => resolveLanguageModel(model, options),
    closeModels: async () => {
      if (embedder && "close" in embedder && embedder !== options.embedding) await embedder.close();
      await rerankers.close();
    },
  });
}

/**
 * A model writes contexts elsewhere, so documents overlap: as many as calls may be in flight, since a short one takes a single call.
 * Everything else is work for the processor, which `ingest` shares out.
 */
function documentsAtATime({ context }: Settings, { contextConcurrency = 10 }: OpenOptions): number {
  return context === "llm" ? contextConcurrency : 1;
}

/** @throws KonteksError `wrong-option`. */
function bm25Of({ bm25 = {} }: OpenOptions): Bm25Options | undefined {
  checkBm25(bm25);
  return mergeBm25(DEFAULT_BM25, bm25);
}

function queryLogOf(path: string, { queryLog }: OpenOptions): string | undefined {
  if (queryLog === undefined || queryLog === false) return undefined;
  return queryLog === true ? join(path, "queries.jsonl") : resolve(queryLog);
}

function identityOf(settings: Settings, embedder: Embedder | undefined): IndexIdentity {
  return {
    chunker: chunkerId(resolveChunkOptions(settings.chunk)),
    contextualizer: contextualizerId(settings),
    analyzer: ANALYZER_ID,
    embedding: embedder?.id ?? embeddingName(settings),
    dimensions: embedder?.dimensions ?? 0,
  };
}

function contextualizerId(settings: Settings): string {
  if (settings.contextModel !== undefined)
    return recipeOf(modelName(settings.contextModel), settings.contexts).contextualizer;
  return settings.context === "none" ? "none" : STRUCTURAL_ID;
}

function contextsOf(
  settings: Settings,
  options: OpenOptions,
  contextStore: ContextStore,
): Pick<IngestParts, "contextualize" | "localContexts" | "modelContexts" | "recipe"> {
  if (settings.context === "none") return { contextualize: withoutContext, localContexts: "none" };
  const { contextModel } = settings;
  if (contextModel === undefined) return { contextualize: structurally(), localContexts: "structural" };
  // Made at its first use: searching an index asks for no model.
  let ready: LlmContextualizer | undefined;
  const modelContexts = () => {
    ready ??= llmContextualizer(contextModel, settings, options, contextStore);
    return ready;
  };
  const contextualize = byModel(async (input) => modelContexts().contextualize(input));
  return { contextualize, modelContexts, recipe: recipeOf(modelName(contextModel), settings.contexts).id };
}

function llmContextualizer(
  contextModel: string | LanguageModel,
  settings: Settings,
  options: OpenOptions,
  contextStore: ContextStore,
): LlmContextualizer {
  const byName = typeof contextModel === "string" ? parseModelName(contextModel) : undefined;
  const modelId = modelName(contextModel);
  let model: Promise<LanguageModel> | undefined;
  return createLlmContextualizer({
    ...settings.contexts,
    // Looked up at the first call: an estimate, and contexts that are all there, need no key.
    model: () => {
      model ??= resolveLanguageModel(contextModel, options).then((resolved) => resolved.model);
      return model;
    },
    modelId,
    contextStore,
    concurrency: options.contextConcurrency,
    plan: options.contextPlan,
    groupSize: options.contextGroupSize,
    windowTokens: options.contextWindow,
    prices: options.contextPrices,
    host: hostOf(modelId, options),
    ...options.contextTiming,
    // A model object does not know its provider.
    batchProvider: async () =>
      options.contextBatchProvider ?? (byName ? loadProvider(byName, options) : undefined),
  });
}

/** Of a base URL that was given; the provider's own is known elsewhere. */
function hostOf(modelId: string, { baseUrls }: OpenOptions): string | undefined {
  const url = baseUrls?.[modelId.slice(0, modelId.indexOf(":"))];
  return url === undefined || !URL.canParse(url) ? undefined : new URL(url).host;
}

function embeddingName({ embedding }: Settings): string {
  return typeof embedding !== "string" && isEmbedder(embedding)
    ? embedding.id
    : localName(modelName(embedding));
}

function modelName(model: string | LanguageModel | EmbeddingModel): string {
  return typeof model === "string" ? model : modelIdOf(model);
}

function isEmbedder(model: EmbeddingModel | Embedder): model is Embedder {
  return "embedDocuments" in model;
}

async function embedderOf(
  { embedding }: Settings,
  options: OpenOptions,
  indexed: string | undefined,
): Promise<Embedder | LocalEmbedder | undefined> {
  if (embedding === "none" || embedding === "given") return undefined;
  if (embedding === "lexical") return createLexicalEmbedder();
  if (typeof embedding !== "string" && isEmbedder(embedding)) return embedding;
  if (typeof embedding === "string" && isLocalName(embedding))
    return localEmbedder(embedding, indexed, options);
  return lazyEmbedder(modelName(embedding), () => resolveEmbedder(embedding, options));
}

/** An index whose model is not on this machine can still be read and searched by text. */
async function localEmbedder(
  name: string,
  indexed: string | undefined,
  options: OpenOptions,
): Promise<Embedder | LocalEmbedder> {
  try {
    return await createLocalEmbedder(name, { ...options, indexed });
  } catch (error) {
    if (!isEmbeddingOf(indexed, name) || !isKonteksError(error, "unknown-model")) throw error;
    const missing = () => Promise.reject(error);
    return {
      id: indexed ?? name,
      kind: "local",
      ready: missing,
      embedDocuments: missing,
      embedQuery: missing,
    };
  }
}

/** Looked up at its first use, so that text search, status and delete work without the model's key. */
function lazyEmbedder(id: string, load: () => Promise<Embedder>): Embedder {
  let loading: Promise<Embedder> | undefined;
  let loaded: Embedder | undefined;
  const ready = async () => {
    loading ??= load();
    loaded = await loading;
    return loaded;
  };
  return {
    id,
    kind: "hosted",
    get dimensions() {
      return loaded?.dimensions;
    },
    get maxBatch() {
      return loaded?.maxBatch;
    },
    get maxTokens() {
      return loaded?.maxTokens;
    },
    ready: async () => void (await ready()),
    embedDocuments: async (texts, options) => (await ready()).embedDocuments(texts, options),
    embedQuery: async (text, options) => (await ready()).embedQuery(text, options),
  };
}

function describeEmbedding(settings: Settings, embedder: Embedder | undefined): string {
  if (embedder?.kind === "lexical")
    return `${embedder.id} (lexical: tolerant of typos and inflection, not semantic; a model adds meaning: konteks models pull multilingual-e5-small)`;
  if (embedder) return `${embedder.id} (${embedder.kind} model)`;
  return settings.embedding === "given" ? "vectors given by the user" : "none (text search only)";
}
