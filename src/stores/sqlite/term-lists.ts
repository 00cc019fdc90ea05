import type { LiveIndex } from "./live-index.ts";
import { NO_POSTINGS, type Postings } from "./postings.ts";
import type { Segment } from "./segment.ts";

/** What decoded lists may take in memory: so much, and so much for each chunk of the index. */
const BUDGET_BYTES = 128 * 2 ** 20;
const BUDGET_EACH = 300;
/** A key, a map entry and a few objects. */
const ENTRY_BYTES = 250;
/** A chunk's number and gain; a document's place and gain. */
const LIST_BYTES = 8;
const DOCUMENT_BYTES = 12;

/** Gains of a list's entries in single precision: for choosing candidates, never for a score that is given out. */
export interface Gains {
  readonly key: string;
  readonly values: Float32Array;
  /** The largest of each window of chunk numbers. */
  readonly most: Float32Array;
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
  /** The list by documents; made when a document score asks for it. */
  documents: DocumentList | undefined;
}

/** Documents of a segment that hold a term, by their places in it. */
export interface DocumentList {
  readonly documents: Uint32Array;
  /** What each adds to a document's score, under the rules it was last asked for with. */
  gains: { readonly key: string; readonly values: Float64Array } | undefined;
  /** Live documents, counted when so many chunks of the segment lived. */
  live: number;
  countedAt: number;
}

/** A term's lists in all segments that hold it. */
export interface TermLists {
  readonly lists: readonly TermList[];
  /** Live chunks that hold the term in any field. */
  readonly frequency: number;
}

/** Decoded lists, the longest unused leaving first. Segments never change, so a list never grows old. */
export interface TermListCache {
  get(live: LiveIndex, term: string): TermLists;
  clear(): void;
}

interface Entry extends TermLists {
  readonly live: LiveIndex;
  readonly changes: number;
  readonly bytes: number;
}

export function termListCache(
  read: (segment: Segment, term: string) => Postings,
  budget?: number,
): TermListCache {
  const entries = new Map<string, Entry>();
  let bytes = 0;

  function put(term: string, entry: Entry): void {
    const most = budget ?? BUDGET_BYTES + BUDGET_EACH * entry.live.chunks;
    bytes += entry.bytes - (entries.get(term)?.bytes ?? 0);
    entries.delete(term);
    entries.set(term, entry);
    for (const [oldest, old] of entries) {
      if (bytes <= most || oldest === term) return;
      entries.delete(oldest);
      bytes -= old.bytes;
    }
  }

  return {
    get(live, term) {
      const known = entries.get(term);
      const current = known?.live === live && known.changes === live.changes;
      const entry = current ? known : { ...brought(live, term, known, read), live, changes: live.changes };
      put(term, entry);
      return entry;
    },
    clear() {
      entries.clear();
      bytes = 0;
    },
  };
}

/** Lists of the present segments; those known before are kept. */
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
    const list = known.get(segment) ?? listOf(segment, read(segment, term));
    if (list.postings === NO_POSTINGS) continue;
    countLive(list);
    frequency += list.live;
    bytes += bytesOf(list);
    lists.push(list);
  }
  return { lists, frequency, bytes };
}

function listOf(segment: Segment, postings: Postings): TermList {
  return { segment, postings, live: 0, countedAt: -1, gains: undefined, documents: undefined };
}

function countLive(list: TermList): void {
  const { chunks } = list.postings;
  const { dead, live, size } = list.segment;
  if (list.countedAt === live) return;
  list.countedAt = live;
  list.live = chunks.length;
  if (live === size) return;
  for (let i = 0; i < chunks.length; i++) list.live -= dead[chunks[i] as number] as number;
}

/** With the gains that searches add, of chunks and of documents. */
function bytesOf({ segment, postings }: TermList): number {
  const columns = postings.frequencies.reduce((sum, column) => sum + (column?.byteLength ?? 0), 0);
  const { length } = postings.chunks;
  const documents = Math.min(length, segment.documents.length);
  return ENTRY_BYTES + length * LIST_BYTES + documents * DOCUMENT_BYTES + columns;
}
