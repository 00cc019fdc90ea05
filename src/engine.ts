import { resolve } from "node:path";
import { comeLater } from "./ingest/embed-chunks.ts";
import { estimateContexts, estimateRepair } from "./ingest/estimate-contexts.ts";
import { ingest } from "./ingest/ingest.ts";
import type { IngestParts } from "./ingest/parts.ts";
import { repair } from "./ingest/repair.ts";
import { openSource } from "./ingest/source.ts";
import { exportContexts, importContexts } from "./ingest/transfer-contexts.ts";
import { gapNotes, unfinishedSources } from "./ingest/unfinished.ts";
import { whyMissing } from "./ingest/why-missing.ts";
import { withContext } from "./ingest/with-context.ts";
import { type AskPorts, ask } from "./query/answer/ask.ts";
import { placeCitations } from "./query/answer/place.ts";
import { countQueries, forgetDocument, logQuery, readQueryLog } from "./query/log.ts";
import { type QueryParts, search } from "./query/query.ts";
import { sameIndex } from "./query/same-index.ts";
import { type WhyPorts, why } from "./query/why.ts";
import type {
  ContextStore,
  DeleteOptions,
  DocumentSummary,
  IngestOptions,
  IngestReport,
  IngestSource,
  Konteks,
  LanguageModel,
  SearchOptions,
  SearchResult,
  Status,
  Store,
} from "./spec/index.ts";
import { analyzeQuery } from "./text/analyze.ts";
import { idf } from "./text/bm25.ts";
import { checkSource, checkText, stoppable } from "./util/arguments.ts";
import { inTurn } from "./util/in-turn.ts";
import { checkOptionsOf } from "./util/option-names.ts";

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
  /** File that searches are written to. */
  readonly queryLog?: string | undefined;
  /** Default model of `ask`; extractive answers without one. */
  readonly model?: string | LanguageModel | undefined;
  resolveModel(model: string | LanguageModel): Promise<NamedModel>;
  /** Ends what was loaded for this engine alone (a local model's threads). */
  readonly closeModels?: (() => Promise<void>) | undefined;
}

/** Joins ingest and query over one store: the only place that knows both directions. */
export function createEngine(parts: EngineParts): Konteks {
  const { store, contextStore } = parts;
  const ingestParts: IngestParts = { ...parts.ingest, store, contextStore };
  const queryParts: QueryParts = { ...parts.query, store };
  // One writer at a time: calls that change the index take turns.
  const changing = inTurn();

  async function ingestFrom(source: IngestSource, options: IngestOptions = {}): Promise<IngestReport> {
    checkSource("source", source);
    checkOptionsOf("ingest", options);
    const begun = typeof source === "string" && !/^https?:/i.test(source) ? resolve(source) : undefined;
    return stoppable("The ingest", options, () =>
      changing(async () => {
        options.signal?.throwIfAborted();
        return ingest(ingestParts, await openSource(source, options), { ...options, begun });
      }),
    );
  }

  async function remove(id: string, options: DeleteOptions = {}): Promise<boolean> {
    checkText("id", id);
    checkOptionsOf("delete", options);
    const { keepContexts = false } = options;
    const work = async () => {
      const existed = await store.deleteDocument(id);
      if (!keepContexts) contextStore.deleteDocument(id);
      if (parts.queryLog !== undefined) forgetDocument(parts.queryLog, id);
      return existed;
    };
    return changing(() => store.exclusively("delete", work));
  }

  const close = async () => {
    contextStore.close();
    await store.close();
    await parts.closeModels?.();
  };

  return {
    ingest: ingestFrom,
    upsert: (document, options) => ingestFrom([document], options),
    delete: remove,
    ...contextCalls(ingestParts, changing),
    ...queries(parts, ingestParts, queryParts),
    ...contents(store),
    status: () => statusOf(parts),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What is asked and known of contexts. */
function contextCalls(
  ingestParts: IngestParts,
  changing: ReturnType<typeof inTurn>,
): Pick<Konteks, "estimate" | "estimateRepair" | "repair" | "exportContexts" | "importContexts"> {
  return {
    estimate: async (source, options = {}) => {
      checkSource("source", source);
      checkOptionsOf("estimate", options);
      return estimateContexts(ingestParts, () => openSource(source, options), options);
    },
    estimateRepair: async (options) => {
      checkOptionsOf("repair", options);
      return estimateRepair(ingestParts, options);
    },
    repair: async (options) => {
      checkOptionsOf("repair", options);
      return changing(() => repair(ingestParts, options));
    },
    exportContexts: () => exportContexts(ingestParts),
    importContexts: (contexts) => importContexts(ingestParts, contexts),
  };
}

/** What an index holds. */
function contents(store: Store): Pick<Konteks, "documents" | "document" | "chunks"> {
  return {
    documents: () => store.listDocuments(),
    document: async (id) => {
      checkText("id", id);
      return store.getDocument(id);
    },
    chunks: async (documentId) => {
      checkText("documentId", documentId);
      return store.chunksOf(documentId);
    },
  };
}

/** What is asked of an index. */
function queries(
  parts: EngineParts,
  ingestParts: IngestParts,
  queryParts: QueryParts,
): Pick<Konteks, "search" | "why" | "ask"> {
  const { store } = parts;
  const askPorts = askPortsOf(parts, queryParts);
  const checkIndex = sameIndex(store, parts.path);
  const { embedder } = queryParts;
  const mayWait = embedder !== undefined && comeLater(embedder);
  const modeOf = (options: SearchOptions = {}) => (mayWait ? (options.mode ?? "hybrid") : "text");
  const whyPorts: WhyPorts = {
    missing: whyMissing,
    withContext: (chunk, words, work) => withContext(ingestParts, chunk, words, work),
  };
  return {
    search: async (query, options) => {
      checkText("query", query);
      checkOptionsOf("search", options);
      await checkIndex();
      const work = () => search(queryParts, query, options);
      const result = await logged(parts.queryLog, () => stoppable("The search", options, work));
      const gaps = await gapNotes(store, modeOf(options));
      return gaps.length === 0 ? result : { ...result, notes: [...(result.notes ?? []), ...gaps] };
    },
    why: async (query, options) => {
      checkText("query", query);
      checkOptionsOf("why", options);
      checkText("options.expect", options?.expect);
      await checkIndex();
      return stoppable("The search", options, () => why(queryParts, query, options, whyPorts));
    },
    ask: async (question, options) => {
      checkText("question", question);
      checkOptionsOf("ask", options);
      await checkIndex();
      const { ports, skipped } = noticing(askPorts);
      const work = () => ask(loggedOnce(parts.queryLog, ports), question, options);
      const answer = await stoppable("The question", options, work);
      const gaps = await gapNotes(store, answer.mode === "whole" ? "text" : modeOf(options));
      return placeCitations({ ...answer, notes: [...answer.notes, ...skipped, ...gaps] }, (id) =>
        store.getDocument(id),
      );
    },
  };
}

function askPortsOf(parts: EngineParts, queryParts: QueryParts): AskPorts {
  const { store } = parts;
  return {
    search: (question, options, defaultK) => search(queryParts, question, options, defaultK),
    languages: () => store.languages(),
    idf: async (question) => queryIdf(store, question, await store.languages()),
    documents: () => store.listDocuments(),
    document: (id) => store.getDocument(id),
    chunks: (id) => store.chunksOf(id),
    model: async (wanted = parts.model) => (wanted === undefined ? undefined : parts.resolveModel(wanted)),
  };
}

/** Gathers what the searches of a question had to leave out. */
function noticing(ports: AskPorts): { readonly ports: AskPorts; readonly skipped: ReadonlySet<string> } {
  const skipped = new Set<string>();
  const search: AskPorts["search"] = async (...asked) => {
    const result = await ports.search(...asked);
    for (const note of result.notes ?? []) if (/^[a-z ]+: skipped \(/.test(note)) skipped.add(note);
    return result;
  };
  return { ports: { ...ports, search }, skipped };
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

/** Of a question that is answered, the first search is what was asked; those that correct it are not. */
function loggedOnce(log: string | undefined, ports: AskPorts): AskPorts {
  if (log === undefined) return ports;
  let isFirst = true;
  return {
    ...ports,
    search: (...asked) => {
      const kept = isFirst ? log : undefined;
      isFirst = false;
      return logged(kept, () => ports.search(...asked));
    },
  };
}

/** Runs a search and writes it to the log, where one is kept. */
async function logged(log: string | undefined, work: () => Promise<SearchResult>): Promise<SearchResult> {
  const start = performance.now();
  const result = await work();
  if (log !== undefined) logQuery(log, result, performance.now() - start);
  return result;
}

async function statusOf(parts: EngineParts): Promise<Status> {
  const { store, contextStore } = parts;
  const documents = await store.listDocuments();
  const unfinished = await unfinishedSources(store);
  return {
    index: parts.path,
    identity: await store.readIdentity(),
    counts: await store.counts(),
    embedding: parts.embedding,
    ...(parts.queryLog !== undefined && { queryLog: logOf(parts.queryLog) }),
    contextStore: {
      path: contextStore.path,
      ...contextStore.count(),
      stale: contextStore.stale().reduce((sum, { contexts }) => sum + contexts, 0),
      batches: contextStore.batches().length,
    },
    ...(unfinished.length > 0 && { unfinished }),
    warnings: documents.flatMap((document) =>
      warningsOf(document).map((warning) => ({ id: document.id, warning })),
    ),
  };
}

function warningsOf({ warnings, failures, pending, pendingReason }: DocumentSummary): readonly string[] {
  return [
    ...warnings,
    ...(failures > 0 ? [`${failures} chunks lack the context or vector that was asked for`] : []),
    // Those that were not tried are no fault of the document.
    ...(pendingReason === undefined
      ? []
      : [`${pending} ${pending === 1 ? "chunk has" : "chunks have"} no vector: ${pendingReason}`]),
  ];
}

function logOf(path: string): NonNullable<Status["queryLog"]> {
  return { path, ...countQueries(readQueryLog(path)) };
}
