import type { IndexedChunk } from "../../spec/index.ts";
import type { AnalyzeStored } from "./analyze-stored.ts";
import { readChunks } from "./chunk-rows.ts";
import type { Connection } from "./connection.ts";
import { lockedError } from "./errors.ts";
import { type LiveDocument, type LiveIndex, readDocuments, readLiveIndex } from "./live-index.ts";
import { mergedContent } from "./merge.ts";
import { type Pace, pacer, runsOf } from "./paced.ts";
import { pacedWords } from "./paced-words.ts";
import {
  deleteBlocks,
  reserveSegment,
  type Segment,
  saveSegment,
  segmentBlocks,
  segmentOf,
  segmentsWithBlocks,
} from "./segment.ts";
import { allStaged, beginStaging, isStaged, strayDocuments, sweeping, writeStaged } from "./staged-rows.ts";
import { compressText } from "./text-rows.ts";
import { readUpkeep, writeUpkeep } from "./upkeep-rows.ts";
import { fieldNumber, numberFields } from "./write-document.ts";

/** Chunks that are analysed before their lists are written: bounds the memory it takes. */
const PART_CHUNKS = 20_000;
/** Chunks that are analysed before the time is looked at: some milliseconds. */
const RUN_CHUNKS = 25;
/** Blocks deleted before the time is looked at. */
const RUN_BLOCKS = 100;

/** What one compaction knows of itself. */
interface Rewrite {
  readonly db: Connection;
  readonly change: string;
  readonly pace: Pace;
  /** Keys of the segments that are being made. */
  readonly made: number[];
  /** Keys of segments that are no more, whose blocks were there before. */
  readonly inherited: readonly number[];
}

/**
 * Makes one segment in the place of all that there are, from the rows where `analyze` is given, else from their lists.
 * Each `next` runs inside a write transaction of its own. Nobody else merges meanwhile; documents come and go: those
 * that come have segments of their own, those that go are dead in the new one. What is written before the commit that
 * swaps the segments is noted (staged-rows.ts), and so are the blocks that leave after it.
 */
export function* rewriteLists(
  db: Connection,
  change: string,
  analyze: AnalyzeStored | undefined,
): Generator<void, void> {
  const staging = beginStaging(change);
  try {
    const inherited = takeOverMerging(db);
    const made: number[] = [];
    const pace = pacer(() => holdOn(rewrite));
    const rewrite: Rewrite = { db, change, pace, made, inherited };
    const before = db.all<{ key: number }>("SELECT key FROM segments").map(({ key }) => key);
    const live = analyze ? readDocuments(db) : readLiveIndex(db);
    const key = reserved(rewrite);
    yield* pace.pause();
    const parts = analyze ? yield* rebuilt(rewrite, live, analyze) : [...live.segments.values()];
    const segment = yield* joined(rewrite, key, parts);
    yield* pace.pause();
    if (segment) saveSegment(db, segment);
    for (const one of before) db.run("DELETE FROM segments WHERE key = ?", one);
    const garbage = [...inherited, ...before, ...made.filter((one) => one !== segment?.key), ...strays(db)];
    yield* swept(rewrite, garbage);
  } finally {
    staging.end();
  }
  yield* sweeping(db);
}

/** Gives what the one who merged would leave behind. Merging by others rests while a note of this process is fresh. */
function takeOverMerging(db: Connection): number[] {
  const { building, garbage } = readUpkeep(db);
  return building === undefined ? [...garbage] : [building, ...garbage];
}

function reserved(rewrite: Rewrite): number {
  const key = reserveSegment(rewrite.db);
  rewrite.made.push(key);
  note(rewrite);
  return key;
}

function note({ db, change, made, inherited }: Rewrite): void {
  writeStaged(db, change, { documents: [], segments: made });
  writeUpkeep(db, { owner: change, building: made[0], garbage: inherited });
}

function holdOn(rewrite: Rewrite): void {
  const { db, change } = rewrite;
  if (!isStaged(db, change) || readUpkeep(db).owner !== change) throw lockedError(db.path);
  note(rewrite);
}

/** Segments with every document analysed anew. */
function* rebuilt(rewrite: Rewrite, live: LiveIndex, analyze: AnalyzeStored): Generator<void, Segment[]> {
  const { db, pace } = rewrite;
  const parts: Segment[] = [];
  const begin = () => pacedWords((name) => fieldNumber(db, live, name));
  let words = begin();
  for (const document of live.documents.values()) {
    if (document.chunks === 0) continue;
    if (isThere(db, document)) compressText(db, document.key);
    yield* pace.each(runsOf(ordinalsOf(document), RUN_CHUNKS), ({ items }) => {
      const chunks = analysed(db, document, items, analyze);
      numberFields(db, live, chunks);
      words.add(document.key, chunks);
    });
    if (words.chunks < PART_CHUNKS) continue;
    parts.push(yield* words.write(db, pace, reserved(rewrite)));
    words = begin();
  }
  if (words.chunks > 0) parts.push(yield* words.write(db, pace, reserved(rewrite)));
  return parts;
}

type Fields = Pick<IndexedChunk, "fields">;

/** A document that went meanwhile has no words any more; its chunks still take their numbers. */
function analysed(
  db: Connection,
  document: LiveDocument,
  ordinals: readonly number[],
  analyze: AnalyzeStored,
): Fields[] {
  const stored = isThere(db, document) ? readChunks(db, document, ordinals) : [];
  return ordinals.map((_, i) => ({ fields: stored[i] ? analyze(stored[i]) : {} }));
}

function isThere(db: Connection, { key }: LiveDocument): boolean {
  return db.get("SELECT 1 FROM documents WHERE key = ?", key) !== undefined;
}

function ordinalsOf({ chunks }: LiveDocument): number[] {
  return Array.from({ length: chunks }, (_, ordinal) => ordinal);
}

/** One segment of several; undefined when there is nothing in them. */
function* joined(
  { db, pace }: Rewrite,
  key: number,
  parts: readonly Segment[],
): Generator<void, Segment | undefined> {
  const content = mergedContent(db, parts);
  const blocks = segmentBlocks(db, key);
  yield* pace.each(content.terms, blocks.add);
  const directory = blocks.end();
  return content.documents.length > 0 ? segmentOf(key, content, directory) : undefined;
}

/** Segments of blocks that nothing names. */
function strays(db: Connection): number[] {
  const known = new Set(allStaged(db).segments);
  for (const { key } of db.all<{ key: number }>("SELECT key FROM segments")) known.add(key);
  return segmentsWithBlocks(db).filter((segment) => !known.has(segment));
}

/** Deletes blocks of segments that are no more, and notes rows that nothing names. */
function* swept({ db, change }: Rewrite, segments: readonly number[]): Generator<void, void> {
  let garbage = [...new Set(segments)];
  const upkeep = () => writeUpkeep(db, { owner: change, building: undefined, garbage });
  writeStaged(db, change, { documents: strayDocuments(db), segments: [] });
  upkeep();
  const pace = pacer(() => {
    if (readUpkeep(db).owner !== change) garbage = [];
  });
  yield* pace.pause();
  while (garbage.length > 0) {
    const [first = 0, ...others] = garbage;
    if (deleteBlocks(db, first, RUN_BLOCKS)) garbage = others;
    upkeep();
    yield* pace.pause();
  }
}
