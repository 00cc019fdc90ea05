import { setImmediate } from "node:timers/promises";
import { KonteksError } from "../../spec/index.ts";
import { type AnalyzeStored, analyzerOf } from "./analyze-stored.ts";
import { readChunks } from "./chunk-rows.ts";
import type { Connection } from "./connection.ts";
import { readCounts } from "./counts.ts";
import { readFailures } from "./document-rows.ts";
import { type LiveDocument, type LiveIndex, readLiveIndex } from "./live-index.ts";
import { openFile } from "./open-file.ts";
import { readPending } from "./pending-rows.ts";
import { INDEX_FILE } from "./schema.ts";
import { BLOCKS_EACH } from "./segment.ts";
import { readIdentity } from "./settings-rows.ts";
import { allStaged, strayDocuments } from "./staged-rows.ts";
import { readText } from "./text-rows.ts";
import { readUpkeep } from "./upkeep-rows.ts";
import { unpackVectors } from "./vector-codes.ts";
import { compareWords, type WordSums, wordSums } from "./verify-words.ts";

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
    checkFile(db, report);
    const live = readLiveIndex(db);
    const sums = new Map<number, WordSums>();
    for (const segment of live.segments.values()) {
      sums.set(segment.key, wordSums(db, live, segment, report));
      await setImmediate();
    }
    for (const document of live.documents.values()) {
      checkDocument(db, live, document, { analyze, sums, report });
      counts.documents++;
      counts.chunks += document.chunks;
      counts.vectors += document.vectors;
      counts.pending += readPending(db, document.key)?.chunks.length ?? 0;
      await setImmediate();
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

type Report = (sentence: string) => void;

/** SQLite's own check, and blocks that belong to no segment (an interrupted merge's are noted, and no fault). */
function checkFile(db: Connection, report: Report): void {
  for (const { integrity_check: found } of db.all<{ integrity_check: string }>(
    "PRAGMA integrity_check(10)",
  )) {
    if (found !== "ok") report(`SQLite finds: ${found}`);
  }
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

interface Parts {
  readonly analyze: AnalyzeStored | undefined;
  readonly sums: ReadonlyMap<number, WordSums>;
  readonly report: Report;
}

function checkDocument(db: Connection, live: LiveIndex, document: LiveDocument, parts: Parts): void {
  const { id, key } = document;
  try {
    const row = db.get<{ characters: number; llm: number; structural: number }>(
      "SELECT characters, llm, structural FROM documents WHERE key = ?",
      key,
    );
    const { length } = readText(db, key);
    if (length !== row?.characters) {
      parts.report(`The text of "${id}" has ${length} characters, its record says ${row?.characters}.`);
    }
    const chunks = readChunks(db, document);
    if (chunks.length !== document.chunks) {
      parts.report(`"${id}" has ${chunks.length} chunks, its record says ${document.chunks}.`);
    }
    for (const kind of ["llm", "structural"] as const) {
      const found = chunks.filter(({ context }) => context.kind === kind).length;
      if (found !== row?.[kind]) {
        parts.report(`"${id}" has ${found} contexts of kind ${kind}, its record says ${row?.[kind]}.`);
      }
    }
    checkVectors(db, document, parts.report);
    const place = live.places.get(key);
    const sums = place && parts.sums.get(place.segment.key);
    if (parts.analyze && place && sums) {
      compareWords(live, place, chunks, parts.analyze, sums, parts.report);
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    parts.report(`"${id}" cannot be read: ${error.message}`);
  }
}

function checkVectors(db: Connection, document: LiveDocument, report: Report): void {
  const row = db.get<{ dimensions: number; data: Uint8Array }>(
    "SELECT dimensions, data FROM vectors WHERE document = ?",
    document.key,
  );
  const codes = row && unpackVectors(row.data);
  const found = codes?.owners.length ?? 0;
  const { id } = document;
  checkWithout(db, document, new Set(codes?.owners), report);
  if (found !== document.vectors)
    report(`"${id}" has ${found} vectors, its record says ${document.vectors}.`);
  if (!codes) return;
  if (codes.dimensions !== row.dimensions) report(`Vectors of "${id}" differ in dimension from their row.`);
  for (const [i, owner] of codes.owners.entries()) {
    if (owner >= document.chunks) report(`A vector of "${id}" belongs to chunk ${owner}, which is none.`);
    let squares = 0;
    for (const code of codes.codes.subarray(i * codes.dimensions, (i + 1) * codes.dimensions)) {
      squares += code * code;
    }
    const norm = squares === 0 ? 0 : Math.fround(1 / Math.sqrt(squares));
    if (codes.inverseNorms[i] !== norm)
      report(`Vector ${i} of "${id}" does not have the length kept for it.`);
  }
}

/** A chunk without vectors waits for them, or it is said why it has none; one that waits has none. */
function checkWithout(
  db: Connection,
  { id, key, chunks }: LiveDocument,
  embedded: ReadonlySet<number>,
  report: Report,
): void {
  const pending = readPending(db, key)?.chunks ?? [];
  for (const ordinal of pending) {
    if (ordinal >= chunks) report(`"${id}" waits for vectors of chunk ${ordinal}, which is none.`);
    if (embedded.has(ordinal)) report(`Chunk ${ordinal} of "${id}" waits for vectors, and has some.`);
  }
  const { embedding = "none" } = readIdentity(db) ?? {};
  // What the user brings may be less.
  if (embedding === "none" || embedding === "given") return;
  const failures = readFailures(db, key);
  for (let ordinal = 0; ordinal < chunks; ordinal++) {
    if (embedded.has(ordinal) || pending.includes(ordinal) || `${id}#${ordinal}` in failures) continue;
    report(`Chunk ${ordinal} of "${id}" has no vector, and waits for none.`);
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
