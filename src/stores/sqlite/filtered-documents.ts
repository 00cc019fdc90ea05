import type { Filter } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import { readSummary, type StoredSummary } from "./document-rows.ts";
import { type DocumentFacts, matchesFilter } from "./filter.ts";
import type { LiveDocument, LiveIndex } from "./live-index.ts";

/** What filters asked of documents so far, by document key. */
export type FactsMemory = Map<number, DocumentFacts>;

/** Above this many unknown documents one pass over the table is quicker than looking each up. */
const READ_ALL_ABOVE = 200;

/** Keys of the documents that pass; undefined when there is no filter. */
export function filteredDocuments(
  db: Connection,
  live: LiveIndex,
  memory: FactsMemory,
  filter: Filter | undefined,
): ReadonlySet<number> | undefined {
  if (!filter) return undefined;
  if (live.documents.size - memory.size > READ_ALL_ABOVE) readAll(db, live, memory);
  const keys = new Set<number>();
  for (const document of live.documents.values()) {
    if (matchesFilter(filter, factsOf(db, document, memory))) keys.add(document.key);
  }
  return keys;
}

function factsOf(db: Connection, document: LiveDocument, memory: FactsMemory): DocumentFacts {
  const known = memory.get(document.key);
  if (known) return known;
  const facts = toFacts(document, readSummary(db, document.key));
  memory.set(document.key, facts);
  return facts;
}

function readAll(db: Connection, live: LiveIndex, memory: FactsMemory): void {
  for (const row of db.all<{ key: number; summary: string }>("SELECT key, summary FROM documents")) {
    const document = live.documents.get(row.key);
    if (document) memory.set(row.key, toFacts(document, JSON.parse(row.summary) as StoredSummary));
  }
}

function toFacts({ id, language }: LiveDocument, { uri, title, metadata }: StoredSummary): DocumentFacts {
  return { documentId: id, uri, title, language: language ?? undefined, metadata };
}
