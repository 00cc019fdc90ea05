import type { Filter } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import { readSummary, type StoredSummary } from "./document-rows.ts";
import { type DocumentFacts, type Leaf, type Scalar, testOf, valuesOf } from "./filter.ts";
import type { LiveDocument, LiveIndex } from "./live-index.ts";
import type { Segment } from "./segment.ts";

/** Documents that pass a filter. */
export interface Allowed {
  readonly keys: ReadonlySet<number>;
  /** Their places in a segment, ascending. */
  documentsIn(segment: Segment): readonly number[];
}

/**
 * Answers filters by value: for each field that was asked for, which documents hold which value, so that a selective
 * filter costs in proportion to what it selects.
 */
export interface FilterMemory {
  allowed(live: LiveIndex, filter: Filter | undefined): Allowed | undefined;
  /** A document is gone. */
  forget(document: LiveDocument): void;
  /** Facts of a document changed. */
  rewritten(document: LiveDocument): void;
  clear(): void;
}

/** Documents by value of a field; those that are gone since are still among them. */
interface Column {
  readonly byValue: Map<Scalar, number[]>;
  /** Largest key that was looked at, and the state of the index then. */
  upTo: number;
  live: LiveIndex;
  changes: number;
  entries: number;
}

interface State {
  readonly db: Connection;
  /** By document key. */
  readonly facts: Map<number, DocumentFacts>;
  readonly columns: Map<string, Column>;
}

interface Answer {
  readonly live: LiveIndex;
  readonly changes: number;
  readonly allowed: Allowed;
}

/** Above this many unknown documents one pass over the table is quicker than looking each up. */
const READ_ALL_ABOVE = 200;
/** Filters whose documents are remembered: both searches of a query ask for the same one. */
const REMEMBERED = 16;

export function filterMemory(db: Connection): FilterMemory {
  const state: State = { db, facts: new Map(), columns: new Map() };
  const answers = new Map<string, Answer>();
  return {
    allowed(live, filter) {
      if (!filter) return undefined;
      const key = JSON.stringify(filter);
      const known = answers.get(key);
      const current = known?.live === live && known.changes === live.changes;
      const answer = current
        ? known
        : { live, changes: live.changes, allowed: selected(state, live, filter) };
      answers.delete(key);
      answers.set(key, answer);
      for (const oldest of answers.keys()) {
        if (answers.size <= REMEMBERED) break;
        answers.delete(oldest);
      }
      return answer.allowed;
    },
    forget: ({ key }) => state.facts.delete(key),
    rewritten({ key }) {
      state.facts.delete(key);
      state.columns.clear();
    },
    clear() {
      state.facts.clear();
      state.columns.clear();
      answers.clear();
    },
  };
}

function selected(state: State, live: LiveIndex, filter: Filter): Allowed {
  const keys = keysOf(state, live, filter);
  let bySegment: ReadonlyMap<Segment, readonly number[]> | undefined;
  return {
    keys,
    documentsIn(segment) {
      bySegment ??= placesOf(live, keys);
      return bySegment.get(segment) ?? [];
    },
  };
}

function placesOf(live: LiveIndex, keys: ReadonlySet<number>): Map<Segment, number[]> {
  const bySegment = new Map<Segment, number[]>();
  for (const key of keys) {
    const place = live.places.get(key);
    if (!place) continue;
    const list = bySegment.get(place.segment);
    if (list) list.push(place.document);
    else bySegment.set(place.segment, [place.document]);
  }
  for (const list of bySegment.values()) list.sort((a, b) => a - b);
  return bySegment;
}

function keysOf(state: State, live: LiveIndex, filter: Filter): ReadonlySet<number> {
  if ("and" in filter)
    return inAll(
      live,
      filter.and.map((part) => keysOf(state, live, part)),
    );
  if ("or" in filter) return new Set(filter.or.flatMap((part) => [...keysOf(state, live, part)]));
  if ("not" in filter) {
    const out = keysOf(state, live, filter.not);
    return new Set([...live.documents.keys()].filter((key) => !out.has(key)));
  }
  const keys = new Set<number>();
  for (const list of listsOf(columnOf(state, live, filter.field), filter)) {
    for (const key of list) if (live.documents.has(key)) keys.add(key);
  }
  return keys;
}

function inAll(live: LiveIndex, parts: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  const [smallest, ...others] = parts.toSorted((a, b) => a.size - b.size);
  if (!smallest) return new Set(live.documents.keys());
  return new Set([...smallest].filter((key) => others.every((part) => part.has(key))));
}

function listsOf({ byValue }: Column, leaf: Leaf): readonly (readonly number[])[] {
  if (leaf.op === "eq") return [byValue.get(leaf.value) ?? []];
  if (leaf.op === "in") return leaf.values.map((value) => byValue.get(value) ?? []);
  const passes = testOf(leaf);
  return [...byValue].flatMap(([value, keys]) => (passes(value) ? [keys] : []));
}

function columnOf(state: State, live: LiveIndex, field: string): Column {
  const known = state.columns.get(field);
  // With more of the dead than of the living it is made anew.
  const usable = known && known.entries <= 2 * live.documents.size + READ_ALL_ABOVE;
  const column = usable ? known : { byValue: new Map(), upTo: -1, live, changes: -1, entries: 0 };
  state.columns.set(field, column);
  if (column.live === live && column.changes === live.changes) return column;
  if (live.documents.size - state.facts.size > READ_ALL_ABOVE) readAll(state, live);
  let { upTo } = column;
  for (const document of live.documents.values()) {
    const { key } = document;
    if (key <= column.upTo) continue;
    addTo(column, key, valuesOf(field, factsOf(state, document)));
    upTo = Math.max(upTo, key);
  }
  Object.assign(column, { upTo, live, changes: live.changes });
  return column;
}

function addTo(column: Column, key: number, values: readonly Scalar[]): void {
  for (const value of new Set(values)) {
    const list = column.byValue.get(value);
    if (list) list.push(key);
    else column.byValue.set(value, [key]);
    column.entries++;
  }
}

function factsOf({ db, facts }: State, document: LiveDocument): DocumentFacts {
  const known = facts.get(document.key);
  if (known) return known;
  const found = toFacts(document, readSummary(db, document.key));
  facts.set(document.key, found);
  return found;
}

function readAll({ db, facts }: State, live: LiveIndex): void {
  for (const row of db.all<{ key: number; summary: string }>("SELECT key, summary FROM documents")) {
    const document = live.documents.get(row.key);
    if (document) facts.set(row.key, toFacts(document, JSON.parse(row.summary) as StoredSummary));
  }
}

function toFacts({ id, language }: LiveDocument, { uri, title, metadata }: StoredSummary): DocumentFacts {
  return { documentId: id, uri, title, language: language ?? undefined, metadata };
}
