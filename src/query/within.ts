import type { Filter, SearchOptions, Store, StoredChunk } from "../spec/index.ts";
import type { FusedChunk } from "./candidate.ts";
import type { SearchLists } from "./search.ts";

/** The part of the index that the chunks are searched in, after documents or sections have been. */
export interface Within {
  readonly filter: Filter | undefined;
  /** Chunks of the best sections; undefined: all that fit the filter. */
  readonly ids?: ReadonlySet<string>;
  /** How deep lists have to be so that all of these chunks can be in them. */
  readonly depth?: number;
  /** What was chosen, for the trace. */
  readonly chosen: Readonly<Record<string, unknown>>;
}

/** Chunks of a document or section beyond these do not raise it: long ones would win by their length. */
const COUNTED_CHUNKS = 3;

/**
 * Documents or sections first: those whose three best chunks of a first search score most together, best first. Chunks of
 * the index are then searched in them alone.
 */
export async function bestWithin(
  store: Store,
  fused: readonly FusedChunk[],
  { filter, withinDocuments, withinSections }: SearchOptions,
): Promise<Within> {
  const documents = withinDocuments === undefined ? undefined : best(fused, documentOf, withinDocuments);
  if (withinSections === undefined)
    return { filter: both(filter, documents ?? []), chosen: { documents: documents ?? [] } };
  const inside =
    documents === undefined ? fused : fused.filter((chunk) => documents.includes(documentOf(chunk)));
  return bestSections(store, inside, withinSections, filter);
}

async function bestSections(
  store: Store,
  fused: readonly FusedChunk[],
  n: number,
  filter: Filter | undefined,
): Promise<Within> {
  const found = await store.getChunks(fused.map(({ chunkId }) => chunkId));
  const sectionOfId = new Map(found.map((stored) => [stored.chunk.id, sectionOf(stored)]));
  const sections = best(fused, ({ chunkId }) => sectionOfId.get(chunkId) ?? "", n);
  const documents = [...new Set(sections.map((section) => (JSON.parse(section) as string[])[0] ?? ""))];
  const chunks = (await Promise.all(documents.map((id) => store.chunksOf(id)))).flat();
  const ids = chunks
    .filter((stored) => sections.includes(sectionOf(stored)))
    .map((stored) => stored.chunk.id);
  return {
    filter: both(filter, documents),
    ids: new Set(ids),
    depth: chunks.length,
    chosen: {
      sections: sections.map((section) => (JSON.parse(section) as string[]).join(" > ")),
      chunks: ids.length,
    },
  };
}

function documentOf({ chunkId }: FusedChunk): string {
  return chunkId.slice(0, chunkId.lastIndexOf("#"));
}

function sectionOf({ chunk }: StoredChunk): string {
  return JSON.stringify([chunk.documentId, ...chunk.headings]);
}

function best(
  fused: readonly FusedChunk[],
  groupOf: (chunk: FusedChunk) => string,
  n: number,
): readonly string[] {
  const scores = new Map<string, { score: number; chunks: number }>();
  for (const chunk of fused) {
    const group = groupOf(chunk);
    const { score, chunks } = scores.get(group) ?? { score: 0, chunks: 0 };
    if (chunks < COUNTED_CHUNKS) scores.set(group, { score: score + chunk.score, chunks: chunks + 1 });
  }
  return [...scores]
    .toSorted((a, b) => b[1].score - a[1].score)
    .slice(0, n)
    .map(([group]) => group);
}

function both(filter: Filter | undefined, documents: readonly string[]): Filter {
  const within: Filter = { field: "documentId", op: "in", values: documents };
  return filter ? { and: [filter, within] } : within;
}

/** The lists without what lies outside, at most `limit` deep. */
export function inside(
  lists: readonly SearchLists[],
  { ids }: Within,
  limit: number,
): readonly SearchLists[] {
  if (ids === undefined) return lists;
  const keep = <T extends SearchLists["text"]>(list: T): T =>
    "items" in list
      ? { ...list, items: list.items.filter(({ chunkId }) => ids.has(chunkId)).slice(0, limit) }
      : list;
  return lists.map((all) => ({ ...all, text: keep(all.text), vector: keep(all.vector) }));
}
