import { statSync } from "node:fs";
import type { IndexedChunk } from "../../spec/index.ts";
import { type AnalyzeStored, analyzerOf } from "./analyze-stored.ts";
import { readChunks } from "./chunk-rows.ts";
import type { Connection } from "./connection.ts";
import { type LiveIndex, readDocuments, readLiveIndex } from "./live-index.ts";
import { withLock } from "./lock.ts";
import { mergedContent } from "./merge.ts";
import { openFile } from "./open-file.ts";
import { INDEX_FILE } from "./schema.ts";
import { BLOCKS_EACH, writeSegment } from "./segment.ts";
import { segmentBuilder } from "./segment-builder.ts";
import { readIdentity } from "./settings-rows.ts";
import { compressText } from "./text-rows.ts";
import { fieldNumber, numberFields } from "./write-document.ts";

export interface CompactOptions {
  /** The index file. */
  readonly path: string;
  /** How chunks are analysed. Default: this version's analyzer, where the index was made with it. */
  readonly analyze?: AnalyzeStored | undefined;
  /** How long to wait for another writer, in milliseconds. Default 0. */
  readonly waitMs?: number | undefined;
}

export interface Compaction {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Whether posting lists were made anew from the chunks' text, or only joined. */
  readonly rebuilt: boolean;
}

/** Chunks that are analysed before their lists are written: bounds the memory it takes. */
const BATCH_CHUNKS = 20_000;

/**
 * Makes the lexical index anew from the rows, as one piece, drops what deleted documents left in it, and gives unused
 * space back; text and lists of older formats get the present one. All in one commit: a reader sees the old index or the
 * new one, and goes on meanwhile; a writer waits for some seconds, then is told who holds the index. Where the index was
 * analysed by another version, its lists are joined as they are. Errors: those of opening and writing.
 */
export async function compactSqliteStore({ path, analyze, waitMs }: CompactOptions): Promise<Compaction> {
  const db = openFile(INDEX_FILE, { path, mustExist: true });
  try {
    return await withLock(path, "compact", async () => compacted(db, analyze), waitMs);
  } finally {
    db.close();
  }
}

function compacted(db: Connection, given: AnalyzeStored | undefined): Compaction {
  const bytesBefore = statSync(db.path).size;
  const analyze = given ?? db.reading(() => analyzerOf(readIdentity(db)));
  db.writing(() => {
    const before = db.all<{ key: number }>("SELECT key FROM segments");
    const parts = analyze
      ? rebuilt(db, readDocuments(db), analyze)
      : [...readLiveIndex(db).segments.values()];
    const content = mergedContent(db, parts);
    if (content.documents.length > 0) writeSegment(db, content);
    const merged = new Set([...before, ...parts].map(({ key }) => key));
    for (const key of merged) db.run("DELETE FROM segments WHERE key = ?", key);
    db.run(`DELETE FROM blocks WHERE key / ${BLOCKS_EACH} NOT IN (SELECT key FROM segments)`);
    db.run("DELETE FROM meta WHERE key = 'upkeep'");
  });
  db.exec("PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  return { bytesBefore, bytesAfter: statSync(db.path).size, rebuilt: analyze !== undefined };
}

/** Segments with every document analysed anew. */
function rebuilt(db: Connection, live: LiveIndex, analyze: AnalyzeStored) {
  const segments = [];
  const begin = () => segmentBuilder((name) => fieldNumber(db, live, name));
  let builder = begin();
  db.run("DELETE FROM fields");
  live.fields.clear();
  for (const document of live.documents.values()) {
    if (document.chunks === 0) continue;
    const chunks = readChunks(db, document).map(
      (stored): IndexedChunk => ({
        chunk: stored.chunk,
        context: stored.context,
        fields: analyze(stored),
        vectors: [],
      }),
    );
    compressText(db, document.key);
    numberFields(db, live, chunks);
    builder.add(document.key, chunks);
    if (builder.chunks < BATCH_CHUNKS) continue;
    segments.push(writeSegment(db, builder.content()));
    builder = begin();
  }
  if (builder.chunks > 0) segments.push(writeSegment(db, builder.content()));
  return segments;
}
