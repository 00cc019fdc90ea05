import type { Store } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import { readOnlyError } from "./errors.ts";
import { giveBack } from "./free-pages.ts";
import type { IndexMemory } from "./index-memory.ts";
import { writeVectors } from "./late-vectors.ts";
import { writeIdentity, writeSetting } from "./settings-rows.ts";
import { isLittered, sweeping } from "./staged-rows.ts";
import { clearTables, deleteDocument, replaceDocument, updateRecord } from "./write-document.ts";
import { isLarge, replaceLarge } from "./write-large.ts";
import type { Change, LargeChange, WriteQueue } from "./write-queue.ts";

type Writes = Pick<
  Store,
  | "writeIdentity"
  | "writeSetting"
  | "replaceDocument"
  | "writeVectors"
  | "updateRecord"
  | "deleteDocument"
  | "clear"
>;

/** What changes the index; each call is part of one commit, or changes nothing. */
export function writes(db: Connection, memory: IndexMemory, queue: WriteQueue): Writes {
  async function write<T>(change: Change<T>): Promise<T> {
    if (db.readOnly) throw readOnlyError(db.path);
    return queue.write(change);
  }

  async function writeLarge<T>(change: LargeChange<T>): Promise<T> {
    if (db.readOnly) throw readOnlyError(db.path);
    return queue.writeLarge(change);
  }

  return {
    writeIdentity: (identity) => write(() => writeIdentity(db, identity, memory.current().chunks)),
    writeSetting: (key, value) => write(() => writeSetting(db, key, value)),
    replaceDocument: (record, chunks) =>
      isLarge(record, chunks)
        ? writeLarge(() => replaceLarge(db, memory, record, chunks))
        : write((segment) => replaceDocument(db, memory, segment, record, chunks)),
    writeVectors: (late) => write(() => writeVectors(db, memory, late)),
    updateRecord: (record) => write(() => updateRecord(db, memory, record)),
    async deleteDocument(id) {
      const { deleted, left } = await write(() => {
        const done = deleteDocument(db, memory, id);
        return { deleted: done, left: memory.current().documents.size };
      });
      await sweepUp();
      if (deleted && left === 0) await overwriteFreed();
      return deleted;
    },
    async clear() {
      await write(() => {
        clearTables(db);
        memory.reset();
      });
      await sweepUp();
      await overwriteFreed();
    },
  };

  async function sweepUp(): Promise<void> {
    if (db.reading(() => isLittered(db))) await writeLarge(() => sweeping(db));
  }

  /** Deleted pages are already zeroed; this also gives the space back, and empties the log that held their contents. */
  async function overwriteFreed(): Promise<void> {
    await writeLarge(() => giveBack(db));
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }
}
