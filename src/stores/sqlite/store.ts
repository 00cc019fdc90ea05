import type { Store } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import { onCopy } from "./copy.ts";
import { closedError, readOnlyError } from "./errors.ts";
import { type IndexMemory, indexMemory } from "./index-memory.ts";
import { withLock } from "./lock.ts";
import { type FileOptions, openFile } from "./open-file.ts";
import { INDEX_FILE } from "./schema.ts";
import { reads } from "./store-reads.ts";
import { writes } from "./store-writes.ts";
import type { VectorSearchOptions } from "./vector-search.ts";
import { type WriteQueue, writeQueue } from "./write-queue.ts";

export interface SqliteStoreOptions extends FileOptions {
  /** The index file. Its folder is made when missing. */
  readonly path: string;
  /**
   * Only read; several processes may, also while another one writes, also on a read-only or full disk and in a folder
   * that may only be read. Default false.
   */
  readonly readOnly?: boolean | undefined;
  /** Fail with "not-found" instead of making a new index. Default false. */
  readonly mustExist?: boolean | undefined;
  /** How large vector searches go about it. */
  readonly vectors?: VectorSearchOptions | undefined;
}

/**
 * Opens the default store: one SQLite file with write-ahead log, exact BM25F over posting lists of our own, and cosine
 * over 8-bit vectors (beyond 20,000 of them the candidates are chosen by estimate; see `vectors`).
 *
 * Changes that are asked for at the same time share a commit, each whole or not at all; a document of more than 100 chunks
 * is written in many, of which the last shows it. Segments of the lexical index are merged between commits, a few
 * milliseconds at a time; `close` ends what is under way.
 *
 * Statistics of the text search (N, df, average lengths) are those of the whole index, under a filter too.
 *
 * What is deleted is overwritten with zeros in the file; the write-ahead log may hold it until it is emptied, at the
 * latest when the last user of the index closes it. A deleted document's words stay in posting lists, without their
 * text, until these are merged, which happens before a third of a list's chunks are dead. `clear`, and deleting the last
 * document, empty posting lists and log at once (the log later, while another process is in the middle of a read).
 *
 * Errors: "not-found", "not-an-index", "index-newer", "index-damaged", "index-locked", "no-space", "read-only",
 * "unreadable", "closed", and "wrong-option" for chunks, vectors or ids that do not fit.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  return sqliteStore(openFile(INDEX_FILE, options), options.vectors ?? {});
}

function sqliteStore(db: Connection, vectors: VectorSearchOptions): Store {
  const memory = indexMemory(db);
  const queue = writeQueue(db, memory);
  return {
    name: "sqlite",
    ...reads(db, memory, vectors),
    ...writes(db, memory, queue),
    ...lifetime(db, memory, queue),
    onCopy: (work) => onCopy(db, (path) => openSqliteStore({ path, vectors }), work),
  };
}

function lifetime(
  db: Connection,
  memory: IndexMemory,
  queue: WriteQueue,
): Pick<Store, "exclusively" | "close"> {
  let closed = false;
  return {
    async exclusively(purpose, work, { waitMs } = {}) {
      if (closed) throw closedError(db.path);
      if (db.readOnly) throw readOnlyError(db.path);
      return withLock(db.path, purpose, work, waitMs);
    },
    async close() {
      closed = true;
      await queue.finish();
      memory.vectors.close();
      db.close();
    },
  };
}
