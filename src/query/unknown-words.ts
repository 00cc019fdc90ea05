import type { Store } from "../spec/index.ts";
import { nearForms } from "./near-forms.ts";
import type { SearchLists } from "./search.ts";

/** Lists of a query, and what is to be said of them. */
export interface Checked {
  readonly lists: SearchLists;
  readonly note?: string;
}

/**
 * The lexical embedding has a nearest chunk for any string of letters. Of its list only chunks with something in common with
 * the query are left; where the index knows no word of it, only those that hold a near form of one: a query of nonsense finds
 * nothing, and a misspelt one what it means.
 */
export async function onlyNearForms(store: Store, query: string, all: SearchLists): Promise<Checked> {
  if (!("items" in all.vector)) return { lists: all };
  const vector = { ...all.vector, items: all.vector.items.filter(({ score }) => score > 0) };
  const lists = { ...all, vector };
  const { text, statistics } = lists;
  if (statistics.unknown < 1 || ("items" in text && text.items.length > 0)) return { lists };
  const chunks = await store.getChunks(vector.items.map(({ chunkId }) => chunkId));
  const { words, ids } = nearForms(query, chunks);
  const items = vector.items.filter(({ chunkId }) => ids.has(chunkId));
  return { lists: { ...lists, vector: { ...vector, items } }, note: noteOf(words) };
}

function noteOf(words: ReadonlyMap<string, string | undefined>): string {
  const near = [...words].flatMap(([word, form]) => (form === undefined ? [] : [`"${form}" for "${word}"`]));
  if (near.length > 0) return `no word of the query is in the index; searched for ${near.join(", ")}`;
  return `no word of the query is in the index, nor one like it: ${[...words.keys()].join(", ")}`;
}
