import { KonteksError } from "../../spec/index.ts";
import { type AnalyzeStored, analyzerOf } from "./analyze-stored.ts";
import { breather } from "./breather.ts";
import type { Connection } from "./connection.ts";
import { readCounts } from "./counts.ts";
import { integrityAside } from "./integrity.ts";
import { readLiveIndex } from "./live-index.ts";
import { openFile } from "./open-file.ts";
import { readPending } from "./pending-rows.ts";
import { INDEX_FILE } from "./schema.ts";
import { BLOCKS_EACH } from "./segment.ts";
import { readIdentity } from "./settings-rows.ts";
import { allStaged, strayDocuments } from "./staged-rows.ts";
import { readUpkeep } from "./upkeep-rows.ts";
import { checkDocument, type Report } from "./verify-document.ts";
import { type WordSums, wordSums } from "./verify-words.ts";

export interface VerifyOptions {
  /** The index file. */
  readonly path: string;
  /** How chunks were analysed. Default: this version's analyzer, where the index was made with it. */
  readonly analyze?: AnalyzeStored | undefined;
}

export interface Verification {
  /** One sentence for each thing that is wrong; none means that the index is whole. */
  readonly problems: readonly string[];
  readonly documents: number;
  readonly chunks: number;
  readonly vectors: number;
  /** Chunks whose vectors are still to come: no fault, but not the whole index either. */
  readonly pending: number;
  /** Whether posting lists were compared with the chunks' text, or only with themselves. */
  readonly wordsCompared: boolean;
}

/** More are not listed. */
const MOST_PROBLEMS = 50;

/**
 * Compares everything that an index derives (posting lists, field lengths, vectors, counts) with its rows, and the rows
 * with each other. Reads one state of the file, whatever is written meanwhile. Errors: those of opening.
 */
export async function verifySqliteStore({ path, analyze }: VerifyOptions): Promise<Verification> {
  const db = openFile(INDEX_FILE, { path, readOnly: true });
  try {
    db.exec("BEGIN");
    return await verified(db, analyze ?? analyzerOf(readIdentity(db)));
  } finally {
    db.close();
  }
}

async function verified(db: Connection, analyze: AnalyzeStored | undefined): Promise<Verification> {
  const problems: string[] = [];
  const report = (sentence: string) => {
    if (problems.length < MOST_PROBLEMS) problems.push(sentence);
  };
  const counts = { documents: 0, chunks: 0, vectors: 0, pending: 0, wordsCompared: analyze !== undefined };
  try {
    for (const found of await integrityAside(db)) report(`SQLite finds: ${found}`);
    checkStrays(db, report);
    const breathe = breather();
    const live = readLiveIndex(db);
    const sums = new Map<number, WordSums>();
    for (const segment of live.segments.values()) {
      sums.set(segment.key, await wordSums(db, live, segment, report, breathe));
    }
    for (const document of live.documents.values()) {
      await checkDocument(db, live, document, { analyze, sums, report, breathe });
      counts.documents++;
      counts.chunks += document.chunks;
      counts.vectors += document.vectors;
      counts.pending += readPending(db, document.key)?.chunks.length ?? 0;
    }
    checkCounts(db, counts, report);
  } catch (error) {
    if (!(error instanceof KonteksError) && !isDamaged(error)) throw error;
    report(error.message);
  }
  return { problems, ...counts };
}

function isDamaged(error: unknown): error is Error {
  return error instanceof Error && error.name === "DamagedPart";
}

/** Blocks and rows that belong to nothing; those of an interrupted merge or write are noted, and no fault. */
function checkStrays(db: Connection, report: Report): void {
  const { building, garbage } = readUpkeep(db);
  const staged = allStaged(db);
  const known = new Set([...garbage, building, ...staged.segments]);
  const strays = db.all<{ segment: number }>(
    `SELECT DISTINCT key / ${BLOCKS_EACH} AS segment FROM blocks
     WHERE key / ${BLOCKS_EACH} NOT IN (SELECT key FROM segments)`,
  );
  for (const { segment } of strays) {
    if (segment > staged.upTo.segment && !known.has(segment))
      report(`Blocks of segment ${segment}, which is no more, are still there.`);
  }
  for (const document of strayDocuments(db)) {
    report(`Rows of document ${document}, which is no more, are still there.`);
  }
}

function checkCounts(
  db: Connection,
  found: { readonly documents: number; readonly chunks: number; readonly vectors: number },
  report: Report,
): void {
  const counts = readCounts(db);
  for (const what of ["documents", "chunks", "vectors"] as const) {
    if (counts[what] !== found[what]) {
      report(`There are ${found[what]} ${what}, the counts say ${counts[what]}.`);
    }
  }
}
