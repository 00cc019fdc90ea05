import type { Filter } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import { type FactsMemory, filteredDocuments } from "./filtered-documents.ts";
import { type LiveDocument, type LiveIndex, readLiveIndex } from "./live-index.ts";
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
  allowed(live: LiveIndex, filter: Filter | undefined): ReadonlySet<number> | undefined;
  languages(live: LiveIndex): readonly string[];
  /** A document left or its facts changed. */
  forget(document: LiveDocument): void;
  /** Own writes changed the languages. */
  changed(): void;
  /** A transaction was rolled back after it was applied here. */
  reset(): void;
}

export function indexMemory(db: Connection): IndexMemory {
  const terms = termListCache((segment, term) => termPostings(db, segment, term));
  const facts: FactsMemory = new Map();
  let live: LiveIndex | undefined;
  let version = -1;
  let languages: readonly string[] | undefined;
  /** Of the last filter: both searches of a query ask for the same one. */
  let allowed: Allowed | undefined;

  return {
    terms,
    segments: () => live?.segments.size ?? 0,
    current() {
      const now = db.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
      if (live && now === version) return live;
      live = readLiveIndex(db, live);
      version = now;
      languages = undefined;
      facts.clear();
      return live;
    },
    vectors: vectorMemory(),
    allowed(index, filter) {
      if (!filter) return undefined;
      const key = JSON.stringify(filter);
      if (allowed?.key === key && allowed.live === index && allowed.changes === index.changes) {
        return allowed.documents;
      }
      const documents = filteredDocuments(db, index, facts, filter);
      allowed = { key, live: index, changes: index.changes, documents };
      return documents;
    },
    languages(index) {
      languages ??= languagesOf(index);
      return languages;
    },
    forget: ({ key }) => facts.delete(key),
    changed() {
      languages = undefined;
    },
    reset() {
      live = undefined;
      languages = undefined;
      terms.clear();
      facts.clear();
    },
  };
}

interface Allowed {
  readonly key: string;
  readonly live: LiveIndex;
  readonly changes: number;
  readonly documents: ReadonlySet<number> | undefined;
}

function languagesOf(live: LiveIndex): readonly string[] {
  const all = new Set<string>();
  for (const { language } of live.documents.values()) if (language !== null) all.add(language);
  return [...all].sort();
}
