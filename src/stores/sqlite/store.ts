import { KonteksError, type Store, type StoredChunk } from "../../spec/index.ts";
import { parseChunkId, readChunks } from "./chunk-rows.ts";
import type { Connection } from "./connection.ts";
import { readCounts } from "./counts.ts";
import { readRecord, readSummaries } from "./document-rows.ts";
import { closedError, readOnlyError } from "./errors.ts";
import { type IndexMemory, indexMemory } from "./index-memory.ts";
import type { LiveIndex } from "./live-index.ts";
import { withLock } from "./lock.ts";
import { type FileOptions, openFile } from "./open-file.ts";
import { INDEX_FILE } from "./schema.ts";
import { readIdentity, readSetting, writeIdentity, writeSetting } from "./settings-rows.ts";
import { readText } from "./text-rows.ts";
import { documentFrequency, searchText } from "./text-search.ts";
import { searchVectors } from "./vector-search.ts";
import {
  clearTables,
  deleteDocument,
  dimensionsOf,
  replaceDocument,
  updateRecord,
} from "./write-document.ts";

export interface SqliteStoreOptions extends FileOptions {
  /** The index file. Its folder is made when missing. */
  readonly path: string;
  /** Only read; several processes may, also while another one writes, also on a read-only disk. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Fail with "not-found" instead of making a new index. Default false. */
  readonly mustExist?: boolean | undefined;
}

/**
 * Opens the default store: one SQLite file with write-ahead log, exact BM25F over posting lists of our own, and exact
 * cosine over 8-bit vectors.
 *
 * Statistics of the text search (N, df, average lengths) are those of the whole index, under a filter too.
 *
 * What is deleted is overwritten with zeros in the file; the write-ahead log may hold it until it is emptied, at the
 * latest when the last user of the index closes it. A deleted document's words stay in posting lists, without their
 * text, until these are merged, which happens before a third of a list's chunks are dead. `clear`, and deleting the last
 * document, empty posting lists and log at once.
 *
 * Errors: "not-found", "not-an-index", "index-newer", "index-damaged", "index-locked", "no-space", "read-only",
 * "unreadable", "closed", and "wrong-option" for chunks, vectors or ids that do not fit.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  return sqliteStore(openFile(INDEX_FILE, options));
}

function sqliteStore(db: Connection): Store {
  const memory = indexMemory(db);
  const read = <T>(work: (live: LiveIndex) => T): T => db.reading(() => work(memory.current()));
  const write = <T>(work: () => T): T => writing(db, memory, work);
  let closed = false;

  return {
    name: "sqlite",
    readIdentity: async () => db.reading(() => readIdentity(db)),
    writeIdentity: async (identity) => write(() => writeIdentity(db, identity, memory.current().chunks)),
    readSetting: async (key) => db.reading(() => readSetting(db, key)),
    writeSetting: async (key, value) => write(() => writeSetting(db, key, value)),

    replaceDocument: async (record, chunks) => write(() => replaceDocument(db, memory, record, chunks)),
    updateRecord: async (record) => write(() => updateRecord(db, memory, record)),
    async deleteDocument(id) {
      const deleted = write(() => deleteDocument(db, memory, id));
      if (deleted && read((live) => live.documents.size) === 0) overwriteFreed(db);
      return deleted;
    },
    async clear() {
      write(() => clearTables(db));
      memory.reset();
      overwriteFreed(db);
    },

    getDocument: async (id) =>
      read((live) => {
        const document = live.byId.get(id);
        return document && readRecord(db, document.key, readText(db, document.key));
      }),
    listDocuments: async () => db.reading(() => readSummaries(db)),
    getChunks: async (ids) => read((live) => chunksById(db, live, ids)),
    chunksOf: async (documentId) =>
      read((live) => {
        const document = live.byId.get(documentId);
        return document ? readChunks(db, document) : [];
      }),

    searchText: async (query) =>
      read((live) => {
        if (!(query.limit >= 1)) return [];
        return searchText(live, memory.postings, query, memory.allowed(live, query.filter));
      }),
    searchVector: async (query) =>
      read((live) => {
        refuseOtherDimensions(db, query.vector.length);
        if (!(query.limit >= 1)) return [];
        return searchVectors(live, memory.vectors(live), query, memory.allowed(live, query.filter));
      }),
    documentFrequencies: async (terms) =>
      read((live) => ({
        chunks: live.chunks,
        frequencies: terms.map((term) => documentFrequency(live, memory.postings, term)),
      })),
    languages: async () => read((live) => memory.languages(live)),
    counts: async () => db.reading(() => readCounts(db)),

    async exclusively(purpose, work, { waitMs = 0 } = {}) {
      if (closed) throw closedError(db.path);
      if (db.readOnly) throw readOnlyError(db.path);
      return withLock(db.path, purpose, work, waitMs);
    },
    async close() {
      closed = true;
      db.close();
    },
  };
}

/** One commit. What a failed one had already changed in memory is read again from the file. */
function writing<T>(db: Connection, memory: IndexMemory, work: () => T): T {
  try {
    return db.writing(work);
  } catch (error) {
    memory.reset();
    throw error;
  }
}

/** Deleted pages are already zeroed; this also empties the log that held their contents, and gives the space back. */
function overwriteFreed(db: Connection): void {
  db.exec("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)");
}

function chunksById(db: Connection, live: LiveIndex, ids: readonly string[]): StoredChunk[] {
  return ids.flatMap((id) => {
    const place = parseChunkId(id);
    const document = place && live.byId.get(place.documentId);
    return document ? readChunks(db, document, [place.ordinal]) : [];
  });
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
