import type { Store } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import type { IndexMemory } from "./index-memory.ts";
import { writeIdentity, writeSetting } from "./settings-rows.ts";
import { clearTables, deleteDocument, replaceDocument, updateRecord } from "./write-document.ts";

type Writes = Pick<
  Store,
  "writeIdentity" | "writeSetting" | "replaceDocument" | "updateRecord" | "deleteDocument" | "clear"
>;

/** What changes the index; each call is one commit, or changes nothing. */
export function writes(db: Connection, memory: IndexMemory): Writes {
  const write = <T>(work: () => T): T => writing(db, memory, work);
  return {
    writeIdentity: async (identity) => write(() => writeIdentity(db, identity, memory.current().chunks)),
    writeSetting: async (key, value) => write(() => writeSetting(db, key, value)),
    replaceDocument: async (record, chunks) => write(() => replaceDocument(db, memory, record, chunks)),
    updateRecord: async (record) => write(() => updateRecord(db, memory, record)),
    async deleteDocument(id) {
      const { deleted, left } = write(() => {
        const done = deleteDocument(db, memory, id);
        return { deleted: done, left: memory.current().documents.size };
      });
      if (deleted && left === 0) overwriteFreed(db);
      return deleted;
    },
    async clear() {
      write(() => clearTables(db));
      memory.reset();
      overwriteFreed(db);
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
