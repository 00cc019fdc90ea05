import { statSync } from "node:fs";
import type { StoreCounts } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import { pendingChunks } from "./pending-rows.ts";

interface Sums {
  readonly documents: number;
  readonly chunks: number;
  readonly vectors: number;
  readonly llm: number;
  readonly structural: number;
  readonly failures: number;
}

export function readCounts(db: Connection): StoreCounts {
  const sums = db.get<Sums>(
    `SELECT count(*) AS documents, ifnull(sum(chunks), 0) AS chunks, ifnull(sum(vectors), 0) AS vectors,
       ifnull(sum(llm), 0) AS llm, ifnull(sum(structural), 0) AS structural, ifnull(sum(failures), 0) AS failures
     FROM documents`,
  );
  const { documents, chunks, vectors, llm, structural, failures } = sums as Sums;
  const contexts = { llm, structural, none: chunks - llm - structural };
  const pending = pendingChunks(db);
  return { documents, chunks, vectors, contexts, failures, pending, bytes: bytesOnDisk(db.path) };
}

/** The file and its write-ahead log. */
function bytesOnDisk(path: string): number {
  return [path, `${path}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
