import { NO_POSTINGS, type Postings } from "./postings.ts";
import type { Segment } from "./segment.ts";

/** What decoded lists may take in memory. */
const BUDGET_BYTES = 64 * 2 ** 20;
/** A key, a map entry and a few objects. */
const ENTRY_BYTES = 250;

/** A term's decoded list in one segment, with how many of its chunks live. */
export interface TermList {
  readonly postings: Postings;
  live: number;
  /** The segment's live chunks when `live` was counted. */
  countedAt: number;
}

/** Decoded lists, the longest unused leaving first. Segments never change, so an entry never grows old. */
export interface PostingCache {
  get(segment: Segment, term: string): TermList;
  clear(): void;
}

export function postingCache(
  read: (segment: Segment, term: string) => Postings,
  budget = BUDGET_BYTES,
): PostingCache {
  const entries = new Map<string, TermList>();
  let bytes = 0;

  function put(key: string, list: TermList): void {
    entries.set(key, list);
    bytes += entryBytes(list);
    for (const [oldest, old] of entries) {
      if (bytes <= budget || oldest === key) return;
      entries.delete(oldest);
      bytes -= entryBytes(old);
    }
  }

  return {
    get(segment, term) {
      const key = `${segment.key} ${term}`;
      const known = entries.get(key);
      const list = known ?? { postings: read(segment, term), live: 0, countedAt: -1 };
      if (known) {
        entries.delete(key);
        entries.set(key, known);
      } else put(key, list);
      if (list.countedAt !== segment.live) countLive(list, segment);
      return list;
    },
    clear() {
      entries.clear();
      bytes = 0;
    },
  };
}

function countLive(list: TermList, segment: Segment): void {
  const { chunks } = list.postings;
  list.countedAt = segment.live;
  list.live = chunks.length;
  if (segment.live === segment.size) return;
  for (let i = 0; i < chunks.length; i++) list.live -= segment.dead[chunks[i] as number] as number;
}

function entryBytes({ postings }: TermList): number {
  if (postings === NO_POSTINGS) return ENTRY_BYTES;
  const columns = 1 + postings.frequencies.filter((column) => column !== undefined).length;
  return ENTRY_BYTES + postings.chunks.length * 4 * columns;
}
