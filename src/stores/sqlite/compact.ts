import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { type AnalyzeStored, analyzerOf } from "./analyze-stored.ts";
import type { Connection } from "./connection.ts";
import { giveBack } from "./free-pages.ts";
import { inSteps } from "./in-steps.ts";
import { withLock } from "./lock.ts";
import { openFile } from "./open-file.ts";
import { rewriteLists } from "./rewrite-lists.ts";
import { INDEX_FILE } from "./schema.ts";
import { readIdentity } from "./settings-rows.ts";

export interface CompactOptions {
  /** The index file. */
  readonly path: string;
  /** How chunks are analysed. Default: this version's analyzer, where the index was made with it. */
  readonly analyze?: AnalyzeStored | undefined;
  /** How long to wait for another writer, in milliseconds. Default 5,000. */
  readonly waitMs?: number | undefined;
}

export interface Compaction {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Whether posting lists were made anew from the chunks' text, or only joined. */
  readonly rebuilt: boolean;
}

/**
 * Makes the lexical index anew from the rows, as one piece, drops what deleted documents left in it, and gives unused
 * space back; text and lists of older formats get the present one. In small steps: others read and write meanwhile, and
 * one commit puts the new index in the place of the old one. Where the index was analysed by another version, its lists
 * are joined as they are. Errors: those of opening and writing.
 */
export async function compactSqliteStore({ path, analyze, waitMs }: CompactOptions): Promise<Compaction> {
  const db = openFile(INDEX_FILE, { path, mustExist: true });
  try {
    return await withLock(path, "compact", () => compacted(db, analyze), waitMs);
  } finally {
    db.close();
  }
}

async function compacted(db: Connection, given: AnalyzeStored | undefined): Promise<Compaction> {
  const bytesBefore = statSync(db.path).size;
  const analyze = given ?? db.reading(() => analyzerOf(readIdentity(db)));
  await inSteps(db, rewriteLists(db, randomUUID(), analyze));
  await inSteps(db, giveBack(db));
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  return { bytesBefore, bytesAfter: statSync(db.path).size, rebuilt: analyze !== undefined };
}
