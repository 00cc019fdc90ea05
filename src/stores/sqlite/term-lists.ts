import { blocksOf, hasBlockGains } from "./chunk-blocks.ts";
import { liveChunks } from "./dead-documents.ts";
import type { LiveIndex } from "./live-index.ts";
import { NO_POSTINGS, type Postings } from "./postings.ts";
import type { QueryScoring, Scoring } from "./scoring.ts";
import type { Segment } from "./segment.ts";

/** What decoded lists may take in memory: so much, and so much for each chunk of the index. */
const BUDGET_BYTES = 128 * 2 ** 20;
const BUDGET_EACH = 600;
/** A key, a map entry and a few objects. */
const ENTRY_BYTES = 250;
/** A chunk's number and gain; a document's place, first entry and gain. */
const LIST_BYTES = 12;
const DOCUMENT_BYTES = 16;
/** A block's first entry and largest gain. */
const BLOCK_BYTES = 8;

/** What each entry of a list adds, without weight and inverse document frequency. */
export interface Gains {
  readonly scoring: Scoring;
  readonly values: Float64Array;
  /** The largest of all. */
  readonly best: number;
  /** Of each block of chunk numbers; left out for short lists (`hasBlockGains`). */
  readonly blocks: BlockGains | undefined;
}

export interface BlockGains {
  /** The largest gain of each block. */
  readonly most: Float32Array;
  /** The first entry of each block, and the number of entries. */
  readonly starts: Uint32Array;
}

/** All that a search needs of a list, under the scoring that it was last asked for with. */
export interface Impacts {
  readonly scoring: QueryScoring;
  readonly chunks: Uint32Array;
  readonly frequencies: Postings["frequencies"];
  readonly values: Float64Array;
  readonly best: number;
  /** `BlockGains`, where the list has them. */
  readonly most: Float32Array | undefined;
  readonly starts: Uint32Array | undefined;
  /** None where documents do not count. */
  readonly documents: Uint32Array;
  readonly documentValues: Float64Array;
  readonly documentBest: number;
}

/** A term's decoded list in one segment. */
export interface TermList {
  readonly segment: Segment;
  readonly postings: Postings;
  /** Live chunks that hold the term, counted when so many chunks of the segment lived. */
  live: number;
  countedAt: number;
  /** What each entry adds to a score, under the rules it was last asked for with. */
  gains: Gains | undefined;
  impacts: Impacts | undefined;
  /** The list by documents; made when a document score asks for it. */
  documents: DocumentList | undefined;
}

/** Documents of a segment that hold a term, by their places in it. */
export interface DocumentList {
  readonly documents: Uint32Array;
  /** Each one's first entry in the list, and the number of entries at the end. */
  readonly starts: Uint32Array;
  gains: DocumentGains | undefined;
  /** Live documents, counted when so many chunks of the segment lived. */
  live: number;
  countedAt: number;
}

/** What each document of a list adds to its score, under the rules it was last asked for with. */
export interface DocumentGains {
  readonly scoring: Scoring;
  readonly values: Float64Array;
  /** The largest of all. */
  readonly best: number;
}

/** A term's lists in all segments that hold it. */
export interface TermLists {
  readonly lists: readonly TermList[];
  /** Live chunks that hold the term in any field. */
  readonly frequency: number;
  /** Live documents that do; counted when they are asked for. */
  documents: number | undefined;
}

/** Decoded lists, the longest unused leaving first. Segments never change, so a list never grows old. */
export interface TermListCache {
  get(live: LiveIndex, term: string): TermLists;
  clear(): void;
}

interface Entry extends TermLists {
  readonly live: LiveIndex;
  readonly changes: number;
  /** Keys of the segments that were looked at. */
  readonly segments: ReadonlySet<number>;
  readonly bytes: number;
  /** Grows with each use of the cache. */
  used: number;
}

/** Of the budget, what stays when it was exceeded: leaving is done seldom, for many at once. */
const KEPT_SHARE = 0.9;

export function termListCache(
  read: (segment: Segment, term: string) => Postings,
  budget?: number,
): TermListCache {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  let uses = 0;
  let known: Known | undefined;

  function put(term: string, entry: Entry): void {
    const most = budget ?? BUDGET_BYTES + BUDGET_EACH * entry.live.chunks;
    bytes += entry.bytes - (entries.get(term)?.bytes ?? 0);
    entries.set(term, entry);
    if (bytes > most) shrink(most * KEPT_SHARE);
  }

  function shrink(most: number): void {
    for (const [term, entry] of [...entries].sort((a, b) => a[1].used - b[1].used)) {
      if (bytes <= most || entries.size === 1) return;
      entries.delete(term);
      bytes -= entry.bytes;
    }
  }

  function present(live: LiveIndex): Known {
    if (known?.live !== live || known.changes !== live.changes)
      known = { live, changes: live.changes, segments: new Set(live.segments.keys()) };
    return known;
  }

  return {
    get(live, term) {
      const before = entries.get(term);
      if (before?.changes === live.changes && before.live === live) {
        before.used = ++uses;
        return before;
      }
      const entry = { ...brought(live, term, before, read), ...present(live), used: ++uses };
      put(term, entry);
      return entry;
    },
    clear() {
      entries.clear();
      bytes = 0;
    },
  };
}

type Known = Pick<Entry, "live" | "changes" | "segments">;

/** Lists of the present segments; what is known of segments that were looked at before is kept. */
function brought(
  live: LiveIndex,
  term: string,
  before: Entry | undefined,
  read: (segment: Segment, term: string) => Postings,
): TermLists & { readonly bytes: number } {
  const known = new Map(before?.lists.map((list) => [list.segment, list]));
  const lists: TermList[] = [];
  let frequency = 0;
  let bytes = ENTRY_BYTES;
  for (const segment of live.segments.values()) {
    const list =
      known.get(segment) ??
      (before?.segments.has(segment.key) ? undefined : listOf(segment, read(segment, term)));
    if (!list || list.postings === NO_POSTINGS) continue;
    countLive(list);
    frequency += list.live;
    bytes += bytesOf(list);
    lists.push(list);
  }
  return { lists, frequency, documents: undefined, bytes };
}

function listOf(segment: Segment, postings: Postings): TermList {
  return {
    segment,
    postings,
    live: 0,
    countedAt: -1,
    gains: undefined,
    impacts: undefined,
    documents: undefined,
  };
}

function countLive(list: TermList): void {
  const { segment, postings } = list;
  if (list.countedAt === segment.live) return;
  list.countedAt = segment.live;
  list.live = liveChunks(segment, postings.chunks);
}

/** With the gains that searches add, of chunks and of documents. */
function bytesOf({ segment, postings }: TermList): number {
  const columns = postings.frequencies.reduce((sum, column) => sum + (column?.byteLength ?? 0), 0);
  const { length } = postings.chunks;
  const documents = Math.min(length, segment.documents.length);
  const blocks = hasBlockGains(length, segment.size) ? blocksOf(segment.size) * BLOCK_BYTES : 0;
  return ENTRY_BYTES + length * LIST_BYTES + documents * DOCUMENT_BYTES + blocks + columns;
}
