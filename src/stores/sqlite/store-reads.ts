import type { Store, StoredChunk, TextQuery } from "../../spec/index.ts";
import { parseChunkId, readChunks } from "./chunk-rows.ts";
import type { Connection } from "./connection.ts";
import { readCounts } from "./counts.ts";
import { readRecord, readSummaries } from "./document-rows.ts";
import type { IndexMemory } from "./index-memory.ts";
import { pendingAmong } from "./late-vectors.ts";
import { documentById, type LiveIndex } from "./live-index.ts";
import { pendingChunks } from "./pending-rows.ts";
import { type PhraseMemory, searchPhrases } from "./phrase-search.ts";
import { phraseTexts } from "./phrase-texts.ts";
import { readIdentity, readSetting } from "./settings-rows.ts";
import { readText } from "./text-rows.ts";
import { documentFrequency, searchText } from "./text-search.ts";
import { vectorReads } from "./vector-reads.ts";
import type { VectorSearchOptions } from "./vector-search.ts";

type Reads = Pick<
  Store,
  | "readIdentity"
  | "readSetting"
  | "getDocument"
  | "listDocuments"
  | "getChunks"
  | "chunksOf"
  | "searchText"
  | "searchVector"
  | "documentFrequencies"
  | "pendingVectors"
  | "languages"
  | "counts"
>;

/** What only reads; each call sees one state of the index, whatever other processes commit meanwhile. */
export function reads(db: Connection, memory: IndexMemory, options: VectorSearchOptions): Reads {
  const phrases: PhraseMemory = new Map();
  const read = <T>(work: (live: LiveIndex) => T): T => db.reading(() => work(memory.current()));
  return {
    readIdentity: async () => db.reading(() => readIdentity(db)),
    readSetting: async (key) => db.reading(() => readSetting(db, key)),
    getDocument: async (id) =>
      read((live) => {
        const document = documentById(db, live, id);
        return document && readRecord(db, document.key, readText(db, document.key));
      }),
    listDocuments: async () => db.reading(() => readSummaries(db)),
    getChunks: async (ids) => read((live) => chunksById(db, live, ids)),
    chunksOf: async (documentId) =>
      read((live) => {
        const document = documentById(db, live, documentId);
        return document ? readChunks(db, document) : [];
      }),
    searchText: async (query) =>
      read((live) => {
        if (!(query.limit >= 1)) return [];
        const allowed = memory.allowed(live, query.filter);
        const search = (one: TextQuery) => searchText(live, memory.terms, one, allowed);
        if (!query.phrases?.length) return search(query);
        return searchPhrases(query, search, phraseTexts(db, live), phrases);
      }),
    searchVector: vectorReads(db, memory, options),
    documentFrequencies: async (terms) =>
      read((live) => ({
        chunks: live.chunks,
        frequencies: terms.map((term) => documentFrequency(live, memory.terms, term)),
      })),
    pendingVectors: async (ids) =>
      read((live) => {
        const chunks = pendingChunks(db);
        return { chunks, ids: chunks === 0 ? [] : pendingAmong(db, live, ids) };
      }),
    languages: async () => read((live) => memory.languages(live)),
    counts: async () => db.reading(() => readCounts(db)),
  };
}

function chunksById(db: Connection, live: LiveIndex, ids: readonly string[]): StoredChunk[] {
  return ids.flatMap((id) => {
    const place = parseChunkId(id);
    const document = place && documentById(db, live, place.documentId);
    return document ? readChunks(db, document, [place.ordinal]) : [];
  });
}
