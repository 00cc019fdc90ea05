import { ingest } from "./ingest/ingest.ts";
import type { IngestParts } from "./ingest/parts.ts";
import { openSource } from "./ingest/source.ts";
import { extractiveAnswer, generatedAnswer } from "./query/answer/answer.ts";
import { generateAnswer } from "./query/answer/generate.ts";
import { type QueryParts, search } from "./query/query.ts";
import type {
  Answer,
  AskOptions,
  ContextStore,
  DocumentInput,
  IngestOptions,
  IngestReport,
  Konteks,
  LanguageModel,
  SearchResult,
  Status,
  Store,
} from "./spec/index.ts";
import { analyzeQuery } from "./text/analyze.ts";
import { idf } from "./text/bm25.ts";

/** A model that is ready to be called, with the name it goes by. */
export interface NamedModel {
  readonly id: string;
  readonly model: LanguageModel;
}

/** What an engine is made of; `openKonteks` fills it with the defaults. */
export interface EngineParts {
  /** Where the index is, for messages. */
  readonly path: string;
  readonly store: Store;
  readonly contextStore: ContextStore;
  readonly ingest: Omit<IngestParts, "store" | "contextStore">;
  readonly query: Omit<QueryParts, "store">;
  /** The vector side in words, for `status`. */
  readonly embedding: string;
  /** Default model of `ask`; extractive answers without one. */
  readonly model?: string | LanguageModel | undefined;
  resolveModel(model: string | LanguageModel): Promise<NamedModel>;
}

/** Passages an answer is made from. */
const EVIDENCE = 20;

/** Joins ingest and query over one store: the only place that knows both directions. */
export function createEngine(parts: EngineParts): Konteks {
  const { store, contextStore } = parts;
  const ingestParts: IngestParts = { ...parts.ingest, store, contextStore };
  const queryParts: QueryParts = { ...parts.query, store };

  async function ingestFrom(
    source: string | readonly DocumentInput[],
    options: IngestOptions = {},
  ): Promise<IngestReport> {
    return ingest(ingestParts, await openSource(source, options), options);
  }

  async function remove(id: string): Promise<boolean> {
    return store.exclusively("delete", async () => {
      const existed = await store.deleteDocument(id);
      contextStore.deleteDocument(id);
      return existed;
    });
  }

  async function ask(question: string, options: AskOptions = {}): Promise<Answer> {
    const result = await search(queryParts, question, options, EVIDENCE);
    const model = options.model ?? parts.model;
    if (model === undefined) return extract(result);
    return generate(result, await parts.resolveModel(model), options.signal);
  }

  async function extract(result: SearchResult): Promise<Answer> {
    const languages = await store.languages();
    return extractiveAnswer(result, { languages, idf: await queryIdf(store, result.query, languages) });
  }

  const close = async () => {
    contextStore.close();
    await store.close();
  };

  return {
    ingest: ingestFrom,
    upsert: (document, options) => ingestFrom([document], options),
    delete: remove,
    search: (query, options) => search(queryParts, query, options),
    ask,
    documents: () => store.listDocuments(),
    document: (id) => store.getDocument(id),
    chunks: (documentId) => store.chunksOf(documentId),
    status: () => statusOf(parts),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function generate(
  result: SearchResult,
  named: NamedModel,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const start = performance.now();
  const generated = await generateAnswer({
    question: result.query,
    hits: result.hits,
    model: named.model,
    modelId: named.id,
    signal,
  });
  return generatedAnswer(result, generated, named.id, performance.now() - start);
}

async function queryIdf(
  store: Store,
  query: string,
  languages: readonly string[],
): Promise<(term: string) => number> {
  const terms = [...new Set(analyzeQuery(query, { languages }).words.flatMap((word) => word.terms))];
  const { chunks, frequencies } = await store.documentFrequencies(terms);
  const byTerm = new Map(terms.map((term, i) => [term, idf(chunks, frequencies[i] ?? 0)]));
  return (term) => byTerm.get(term) ?? 0;
}

async function statusOf(parts: EngineParts): Promise<Status> {
  const { store, contextStore } = parts;
  const documents = await store.listDocuments();
  return {
    index: parts.path,
    identity: await store.readIdentity(),
    counts: await store.counts(),
    embedding: parts.embedding,
    contextStore: { path: contextStore.path, ...contextStore.count() },
    warnings: documents.flatMap((document) => [
      ...document.warnings.map((warning) => ({ id: document.id, warning })),
      ...(document.failures > 0
        ? [
            {
              id: document.id,
              warning: `${document.failures} chunks lack the context or vector that was asked for`,
            },
          ]
        : []),
    ]),
  };
}
