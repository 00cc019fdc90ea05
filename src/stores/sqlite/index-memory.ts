import type { Filter } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import { type Allowed, type FilterMemory, filterMemory } from "./filtered-documents.ts";
import { type LiveDocument, type LiveIndex, readLiveIndex, refreshLiveIndex } from "./live-index.ts";
import { termPostings } from "./segment.ts";
import { type TermListCache, termListCache } from "./term-lists.ts";
import { type VectorMemory, vectorMemory } from "./vector-memory.ts";

/**
 * Everything one open store holds in memory. `current()` is called inside a transaction and gives the state of that
 * transaction's snapshot; a commit of another process shows as a new `PRAGMA data_version`.
 */
export interface IndexMemory {
  current(): LiveIndex;
  /** How many segments there were when the state was last read. */
  segments(): number;
  readonly terms: TermListCache;
  readonly vectors: VectorMemory;
  allowed(live: LiveIndex, filter: Filter | undefined): Allowed | undefined;
  languages(live: LiveIndex): readonly string[];
  /** A document left. */
  forget(document: LiveDocument): void;
  /** A document's facts changed. */
  rewritten(document: LiveDocument): void;
  /** Own writes changed the languages. */
  changed(): void;
  /** A transaction was rolled back after it was applied here. */
  reset(): void;
}

export function indexMemory(db: Connection): IndexMemory {
  const terms = termListCache((segment, term) => termPostings(db, segment, term));
  const filters = filterMemory(db);
  let live: LiveIndex | undefined;
  let version = "";
  let languages: readonly string[] | undefined;

  return {
    terms,
    segments: () => live?.segments.size ?? 0,
    current() {
      const { data_version = 0 } = db.get<{ data_version: number }>("PRAGMA data_version") ?? {};
      const now = `${db.openings} ${data_version}`;
      if (live && now === version) return live;
      const before = live;
      // Of no use after an error in the middle.
      live = undefined;
      live = (before && refreshed(db, before, filters)) ?? readLiveIndex(db, before);
      version = now;
      languages = undefined;
      if (live !== before) filters.clear();
      return live;
    },
    vectors: vectorMemory(),
    allowed: filters.allowed,
    languages(index) {
      languages ??= languagesOf(index);
      return languages;
    },
    forget: filters.forget,
    rewritten: filters.rewritten,
    changed() {
      languages = undefined;
    },
    reset() {
      live = undefined;
      languages = undefined;
      terms.clear();
      filters.clear();
    },
  };
}

function refreshed(db: Connection, live: LiveIndex, filters: FilterMemory): LiveIndex | undefined {
  const found = refreshLiveIndex(db, live);
  for (const document of found?.removed ?? []) filters.forget(document);
  for (const document of found?.rewritten ?? []) filters.rewritten(document);
  return found && live;
}

function languagesOf(live: LiveIndex): readonly string[] {
  const all = new Set<string>();
  for (const { language } of live.documents.values()) if (language !== null) all.add(language);
  return [...all].sort();
}
