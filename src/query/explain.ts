import type {
  Bm25Options,
  FieldTerms,
  FusionPart,
  Hit,
  HitExplanation,
  QueryTerm,
  Store,
  StoredChunk,
  TermExplanation,
  TermField,
} from "../spec/index.ts";
import { analyzeField } from "../text/analyze.ts";
import { textForBm25 } from "../text/index-text.ts";
import type { FusedChunk } from "./candidate.ts";
import type { Placed } from "./hits.ts";
import { bm25Of, type SearchLists } from "./search.ts";

/** What is needed to take scores apart. */
export interface ExplainInput {
  readonly store: Store;
  readonly bm25: Bm25Options | undefined;
  /** Of the query, then of each phrasing. */
  readonly lists: readonly SearchLists[];
  readonly weights: Readonly<Record<string, number>>;
}

/** Adds to each hit what its scores are the sum of. `placed` are the same chunks in the same order. */
export async function explainHits(
  hits: readonly Hit[],
  placed: readonly Placed[],
  input: ExplainInput,
): Promise<readonly Hit[]> {
  const terms = await bm25Terms(placed, input);
  return hits.map((hit, i) => {
    const item = placed[i];
    return item
      ? { ...hit, explanation: explanationOf(item, terms.get(hit.chunkId) ?? [], input.weights) }
      : hit;
  });
}

/** What makes up the BM25 score that is shown: that of the phrasing which scores a chunk highest. */
async function bm25Terms(
  placed: readonly Placed[],
  input: ExplainInput,
): Promise<ReadonlyMap<string, readonly TermExplanation[]>> {
  const byPhrasing = Map.groupBy(placed, ({ fused }) => bestPhrasing(fused, input.lists.length));
  const found = await Promise.all(
    [...byPhrasing].map(([i, chunks]) => {
      const lists = i === undefined ? undefined : input.lists[i];
      return lists
        ? termParts(
            chunks.map(({ stored }) => ({ ...stored.chunk, fields: fieldsOf(stored) })),
            { ...input, lists },
          )
        : new Map<string, readonly TermExplanation[]>();
    }),
  );
  return new Map(found.flatMap((terms) => [...terms]));
}

function bestPhrasing({ scores }: FusedChunk, phrasings: number): number | undefined {
  let best: number | undefined;
  for (let i = 0; i < phrasings; i++) {
    const score = scores[textListOf(i)];
    if (score !== undefined && (best === undefined || score > (scores[textListOf(best)] ?? 0))) best = i;
  }
  return best;
}

function textListOf(phrasing: number): string {
  return phrasing === 0 ? "text" : `text:${phrasing + 1}`;
}

function explanationOf(
  { fused, rerank }: Placed,
  terms: readonly TermExplanation[],
  weights: Readonly<Record<string, number>>,
): HitExplanation {
  return {
    terms: terms.toSorted((a, b) => b.chunk + b.document - (a.chunk + a.document)),
    fusion: Object.keys(fused.parts).map((list) => partOf(fused, list, weights[list] ?? 1)),
    ...(rerank?.parts && { rerank: rerank.parts }),
  };
}

function partOf({ ranks, scores, parts }: FusedChunk, list: string, weight: number): FusionPart {
  return { list, weight, rank: ranks[list] ?? 0, score: scores[list] ?? 0, part: parts[list] ?? 0 };
}

interface Place {
  readonly id: string;
  readonly documentId: string;
  readonly fields: Fields;
}

/** The terms of a chunk by field, as they were indexed. */
type Fields = readonly (readonly [name: string, terms: FieldTerms])[];

function fieldsOf(stored: StoredChunk): Fields {
  const { language } = stored;
  return Object.entries(textForBm25(stored)).map(([name, text]) => [name, analyzeField(text, { language })]);
}

function placesOf(term: string, fields: Fields): readonly TermField[] {
  return fields.flatMap(([field, { terms, length }]) => {
    const frequency = terms.get(term);
    return frequency === undefined ? [] : [{ field, frequency, length }];
  });
}

type TermInput = Omit<ExplainInput, "weights" | "lists"> & { readonly lists: SearchLists };

/**
 * What each term adds to the BM25 score of each chunk. A chunk's score is the sum over the terms, so each term is searched
 * alone within the chunks' documents, without and with the document's own weight.
 */
export async function termParts(
  chunks: readonly Place[],
  input: TermInput,
): Promise<ReadonlyMap<string, readonly TermExplanation[]>> {
  const found = new Map<string, TermExplanation[]>(chunks.map(({ id }) => [id, []]));
  if (chunks.length === 0) return found;
  const { query, statistics } = input.lists;
  for (const term of query.terms.filter(({ term }) => statistics.frequency(term) > 0)) {
    const { alone, byDocument } = await partsOfTerm(chunks, term, input);
    const words = query.words.filter((word) => word.terms.includes(term.term)).map(({ text }) => text);
    const rarity = { frequency: statistics.frequency(term.term), idf: statistics.idf(term.term) };
    for (const { id, documentId, fields } of chunks) {
      const [chunk, document] = [alone.get(id) ?? 0, byDocument.get(documentId) ?? 0];
      if (chunk + document === 0) continue;
      const places = placesOf(term.term, fields);
      found.get(id)?.push({ ...term, words, ...rarity, fields: places, chunk, document });
    }
  }
  return found;
}

async function partsOfTerm(
  chunks: readonly Place[],
  term: QueryTerm,
  { store, bm25, lists: { statistics } }: TermInput,
) {
  const filter = {
    field: "documentId",
    op: "in",
    values: [...new Set(chunks.map(({ documentId }) => documentId))],
  } as const;
  const settings = bm25Of(bm25, statistics);
  const searched = async (documentWeight: number) => {
    const query = { terms: [term], limit: statistics.chunks, filter, bm25: { ...settings, documentWeight } };
    return new Map((await store.searchText(query)).map(({ chunkId, score }) => [chunkId, score]));
  };
  const alone = await searched(0);
  const weight = settings.documentWeight ?? 0;
  const whole = weight > 0 ? await searched(weight) : alone;
  // The document adds the same to each of its chunks; those that hold the term show how much.
  const byDocument = new Map<string, number>();
  for (const [id, score] of whole) byDocument.set(documentOf(id), score - (alone.get(id) ?? 0));
  return { alone, byDocument };
}

function documentOf(chunkId: string): string {
  return chunkId.slice(0, chunkId.lastIndexOf("#"));
}
