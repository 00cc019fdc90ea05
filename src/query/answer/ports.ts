import type {
  AskOptions,
  DocumentRecord,
  LanguageModel,
  SearchOptions,
  SearchResult,
  StoredChunk,
} from "../../spec/index.ts";
import type { Corpus } from "./whole.ts";

/** What answering needs of an index and its models. */
export interface AskPorts {
  search(question: string, options: SearchOptions, defaultK: number): Promise<SearchResult>;
  languages(): Promise<readonly string[]>;
  /** Rarity of the question's terms in the index. */
  idf(question: string): Promise<(term: string) => number>;
  documents(): Promise<Corpus["documents"]>;
  document(id: string): Promise<DocumentRecord | undefined>;
  chunks(documentId: string): Promise<readonly StoredChunk[]>;
  /** The model that was asked for, or the index's own; undefined without one. */
  model(
    wanted: AskOptions["model"],
  ): Promise<{ readonly id: string; readonly model: LanguageModel } | undefined>;
}

/** Chunks an answer is made from; of the published depths 20 found more than 10 and 5. */
export const EVIDENCE_CHUNKS = 20;

/** The part of the options that is the search's. */
export function searchOptions(options: AskOptions): SearchOptions {
  const {
    model: _model,
    whole: _whole,
    wholeLimit: _wholeLimit,
    evidenceTokens: _evidenceTokens,
    correct: _correct,
    strict: _strict,
    providerCitations: _providerCitations,
    thresholds: _thresholds,
    history: _history,
    onEvent: _onEvent,
    onWait: _onWait,
    timeLimitMs: _timeLimitMs,
    ...search
  } = options;
  return search;
}
