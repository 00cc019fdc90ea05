import { setImmediate } from "node:timers/promises";
import { KonteksError, type Store, type StoredChunk, type TextQuery } from "../../spec/index.ts";
import { parseChunkId, readChunks } from "./chunk-rows.ts";
import type { Connection } from "./connection.ts";
import { readCounts } from "./counts.ts";
import { readRecord, readSummaries } from "./document-rows.ts";
import type { IndexMemory } from "./index-memory.ts";
import { pendingAmong } from "./late-vectors.ts";
import { documentById, type LiveIndex } from "./live-index.ts";
import { pendingChunks } from "./pending-rows.ts";
import { type PhraseMemory, searchPhrases } from "./phrase-search.ts";
import { readIdentity, readSetting } from "./settings-rows.ts";
import { readText } from "./text-rows.ts";
import { documentFrequency, searchText } from "./text-search.ts";
import { searchVectors, type VectorSearchOptions } from "./vector-search.ts";
import { dimensionsOf } from "./write-document.ts";

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
        return searchPhrases(query, search, {
          memory: phrases,
          keyOf: (id) => writtenAs(db, live, id),
          read: (id) => chunksById(db, live, [id])[0],
        });
      }),
    async searchVector(query) {
      await readVectors(db, memory);
      return read((live) => {
        refuseOtherDimensions(db, query.vector.length);
        if (!(query.limit >= 1)) return [];
        for (const _ of memory.vectors.refresh(db, live));
        return searchVectors(live, memory.vectors, query, memory.allowed(live, query.filter), options);
      });
    },
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

/** Brings the vectors into memory, with a turn of the event loop between steps. */
async function readVectors(db: Connection, memory: IndexMemory): Promise<void> {
  const step = () => db.reading(() => memory.vectors.refresh(db, memory.current()).next().done);
  while (!step()) await setImmediate();
}

function chunksById(db: Connection, live: LiveIndex, ids: readonly string[]): StoredChunk[] {
  return ids.flatMap((id) => {
    const place = parseChunkId(id);
    const document = place && documentById(db, live, place.documentId);
    return document ? readChunks(db, document, [place.ordinal]) : [];
  });
}

/** A chunk's place in the present write of its document. */
function writtenAs(db: Connection, live: LiveIndex, id: string): string | undefined {
  const place = parseChunkId(id);
  const document = place && documentById(db, live, place.documentId);
  return document && `${document.key}#${place.ordinal}`;
}

function refuseOtherDimensions(db: Connection, given: number): void {
  const dimensions = dimensionsOf(db);
  if (dimensions === undefined || dimensions === given) return;
  throw new KonteksError(
    "wrong-option",
    `The query's vector has ${given} dimensions, the index has ${dimensions}. Embed the query with the index's model.`,
    { facts: { dimensions, given } },
  );
}
