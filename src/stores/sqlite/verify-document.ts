import type { StoredChunk } from "../../spec/index.ts";
import type { AnalyzeStored } from "./analyze-stored.ts";
import type { Breathe } from "./breather.ts";
import { readChunks } from "./chunk-rows.ts";
import type { Connection } from "./connection.ts";
import { readFailures } from "./document-rows.ts";
import type { LiveDocument, LiveIndex } from "./live-index.ts";
import { runsOf } from "./paced.ts";
import { readPending } from "./pending-rows.ts";
import { readIdentity } from "./settings-rows.ts";
import { readText } from "./text-rows.ts";
import { unpackVectors } from "./vector-codes.ts";
import { compareWords, type WordSums } from "./verify-words.ts";

export type Report = (sentence: string) => void;

interface Parts {
  readonly analyze: AnalyzeStored | undefined;
  readonly sums: ReadonlyMap<number, WordSums>;
  readonly report: Report;
  readonly breathe: Breathe;
}

/** UTF-16 units, and chunks, that are read before the time is looked at. */
const RUN_TEXT = 500_000;
const RUN_CHUNKS = 20;

/** Compares a document's rows with its record, and with the lists of its words. */
export async function checkDocument(
  db: Connection,
  live: LiveIndex,
  document: LiveDocument,
  parts: Parts,
): Promise<void> {
  const { id, key } = document;
  try {
    const row = db.get<{ characters: number; llm: number; structural: number }>(
      "SELECT characters, llm, structural FROM documents WHERE key = ?",
      key,
    );
    const length = await lengthOfText(db, key, parts.breathe);
    if (length !== row?.characters) {
      parts.report(`The text of "${id}" has ${length} characters, its record says ${row?.characters}.`);
    }
    const found = await checkChunks(db, live, document, parts);
    if (found.chunks !== document.chunks) {
      parts.report(`"${id}" has ${found.chunks} chunks, its record says ${document.chunks}.`);
    }
    for (const kind of ["llm", "structural"] as const) {
      if (found[kind] !== row?.[kind]) {
        parts.report(`"${id}" has ${found[kind]} contexts of kind ${kind}, its record says ${row?.[kind]}.`);
      }
    }
    await checkVectors(db, document, parts);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    parts.report(`"${id}" cannot be read: ${error.message}`);
  }
}

async function lengthOfText(db: Connection, key: number, breathe: Breathe): Promise<number> {
  for (let length = 0; ; ) {
    const read = readText(db, key, length, length + RUN_TEXT).length;
    length += read;
    if (read < RUN_TEXT) return length;
    await breathe();
  }
}

/** Counts the chunks, and compares their words with the lists where these can be compared. */
async function checkChunks(
  db: Connection,
  live: LiveIndex,
  document: LiveDocument,
  { analyze, sums, report, breathe }: Parts,
): Promise<Record<"chunks" | StoredChunk["context"]["kind"], number>> {
  const place = live.places.get(document.key);
  const ofSegment = place && sums.get(place.segment.key);
  const found = { chunks: 0, llm: 0, structural: 0, none: 0 };
  const sql = "SELECT ordinal FROM chunks WHERE document = ? ORDER BY ordinal";
  const ordinals = db.all<{ ordinal: number }>(sql, document.key).map(({ ordinal }) => ordinal);
  for (const { items } of runsOf(ordinals, RUN_CHUNKS)) {
    const chunks = readChunks(db, document, items);
    found.chunks += chunks.length;
    for (const { context } of chunks) found[context.kind]++;
    if (analyze && place && ofSegment) compareWords(live, place, chunks, analyze, ofSegment, report);
    await breathe();
  }
  return found;
}

async function checkVectors(
  db: Connection,
  document: LiveDocument,
  { report, breathe }: Parts,
): Promise<void> {
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
    const norm = inverseNorm(codes.codes, i * codes.dimensions, (i + 1) * codes.dimensions);
    if (codes.inverseNorms[i] !== norm)
      report(`Vector ${i} of "${id}" does not have the length kept for it.`);
    await breathe();
  }
}

function inverseNorm(codes: Int8Array, from: number, to: number): number {
  let squares = 0;
  for (let i = from; i < to; i++) squares += (codes[i] as number) ** 2;
  return squares === 0 ? 0 : Math.fround(1 / Math.sqrt(squares));
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
