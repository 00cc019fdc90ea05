import type { Bm25Options, Filter, ScoredChunk, Store } from "../spec/index.ts";
import { exactTerms, nameTerm } from "../text/exact-terms.ts";
import { bm25Of, type SearchLists } from "./search.ts";

export interface MustMatchOptions {
  readonly which: "none" | "phrases" | "identifiers";
  readonly limit: number;
  readonly filter?: Filter | undefined;
  readonly bm25?: Bm25Options | undefined;
}

export interface MustMatch {
  /** What has to stand in a chunk, each as the terms of neighbouring words. */
  readonly wanted: readonly (readonly string[])[];
  /** Chunks that hold all of it, best first. */
  readonly items: readonly ScoredChunk[];
}

type Phrase = readonly string[];

/**
 * Chunks that hold every quoted phrase (and identifier) of the query, by the query's own BM25 score; where none does, those
 * that hold the most of the quoted phrases. A name that texts
 * write as one word is looked up as such; only where no chunk has it so are the places sought where its parts are
 * neighbours, which takes reading texts.
 */
export async function mustMatch(
  store: Store,
  { query, statistics }: SearchLists,
  options: MustMatchOptions,
): Promise<MustMatch> {
  const names = options.which === "identifiers" ? query.identifiers.filter(isName) : [];
  const phrases = options.which === "none" ? [] : query.phrases;
  const { limit, filter } = options;
  const search = async (wanted: readonly Phrase[]): Promise<MustMatch> => {
    if (wanted.length === 0) return { wanted, items: [] };
    const bm25 = bm25Of(options.bm25, statistics);
    const asked = { terms: query.terms, limit, bm25, phrases: wanted, ...(filter && { filter }) };
    return { wanted, items: await store.searchText(asked) };
  };
  const looked = await search([...phrases, ...names.map(asOneWord).filter(isFilled)]);
  if (looked.items.length > 0) return looked;
  const apart =
    names.length === 0 ? looked : await search([...phrases, ...names.map(exactTerms).filter(isFilled)]);
  if (apart.items.length > 0 || apart.wanted.length < 2) return apart;
  const singly = await Promise.all(phrases.map((phrase) => search([phrase])));
  return { ...apart, items: inMost(singly.map(({ items }) => items)) };
}

/** What stands in the most of the lists, best first; scores are the same in all. */
function inMost(lists: readonly (readonly ScoredChunk[])[]): readonly ScoredChunk[] {
  const byId = Map.groupBy(lists.flat(), ({ chunkId }) => chunkId);
  const most = Math.max(0, ...[...byId.values()].map((same) => same.length));
  const best = [...byId.values()].flatMap((same) => (same.length === most ? same.slice(0, 1) : []));
  return best.toSorted((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
}

function asOneWord(name: string): Phrase {
  const term = nameTerm(name);
  return term === undefined ? exactTerms(name) : [term];
}

function isFilled(phrase: Phrase): boolean {
  return phrase.length > 0;
}

/**
 * `getUserById`, `user_id`, `fs::read` and `TS-999` are names of code or numbers of a thing. Amounts, years, ordinals and words
 * that are merely joined are not (`5%`, `2017-2019`, `ke-16`), nor are brands and the short names of science (`LinkedIn`,
 * `FY2019`, `APOE4`), which texts write in many ways: putting those that write it alike first lost 4 points of MRR@10 on scifact.
 */
function isName(identifier: string): boolean {
  return /(?<!\p{L})\p{Ll}+\p{Lu}\p{Ll}|\p{L}_\p{L}|::|\p{Lu}[-_]\p{N}{2}/u.test(identifier);
}

/** A list with the chunks added that a deeper search brought up; both are scored alike. */
export function mergeLists(
  items: readonly ScoredChunk[],
  more: readonly ScoredChunk[],
): readonly ScoredChunk[] {
  const known = new Set(items.map(({ chunkId }) => chunkId));
  const added = more.filter(({ chunkId }) => !known.has(chunkId));
  return added.length === 0 ? items : [...items, ...added].toSorted((a, b) => b.score - a.score);
}

/** The chunks named first, each group in the order it had. */
export function putFirst<T>(order: readonly T[], isFirst: (item: T) => boolean): readonly T[] {
  return [...order.filter(isFirst), ...order.filter((item) => !isFirst(item))];
}
