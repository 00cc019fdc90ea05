import type { Bm25Options, Filter, IndexedChunk, QueryTerm, ScoredChunk } from "../../spec/index.ts";
import type { BuiltDocument } from "./fixtures.ts";

/**
 * What a store should answer, worked out the slow way from the documents alone: no index, no shared code with any
 * store. Written from the contract's formulas.
 */
export interface OracleQuery {
  readonly limit: number;
  readonly filter?: Filter;
}

export function oracleText(
  documents: readonly BuiltDocument[],
  query: OracleQuery & {
    readonly terms: readonly QueryTerm[];
    readonly bm25?: Bm25Options;
    readonly phrases?: readonly (readonly string[])[];
  },
): ScoredChunk[] {
  const { documentWeight = 0 } = query.bm25 ?? {};
  const chunkScore = oracleScorer(
    documents.flatMap(({ chunks }) => chunks),
    query,
  );
  const wholes = new Map(documents.filter(({ chunks }) => chunks.length > 0).map((one) => [one, whole(one)]));
  const chunks = documents.flatMap((one) => one.chunks);
  const documentScore = oracleScorer([...wholes.values()], query, (name) =>
    once.includes(name) ? chunks : [...wholes.values()],
  );
  const owners = new Map(documents.flatMap((one) => one.chunks.map((chunk) => [chunk, wholes.get(one)])));
  function score(chunk: IndexedChunk): number {
    const own = chunkScore(chunk);
    const owner = owners.get(chunk);
    return own > 0 && owner ? own + documentWeight * documentScore(owner) : own;
  }
  return ranked(
    documents,
    query,
    score,
    (value) => value > 0,
    (chunk) => holdsPhrases(chunk, query.phrases ?? []),
  );
}

/** Fields that stand with every chunk; a document has them once. */
const once = ["title", "context"];

/** A document as one long chunk. */
function whole({ chunks }: BuiltDocument): Pick<IndexedChunk, "fields"> {
  const fields: Record<string, { length: number; terms: Map<string, number> }> = {};
  for (const chunk of chunks) {
    for (const [name, { length, terms }] of Object.entries(chunk.fields)) {
      fields[name] ??= { length: 0, terms: new Map() };
      fields[name].length += length;
      for (const [term, tf] of terms) fields[name].terms.set(term, (fields[name].terms.get(term) ?? 0) + tf);
    }
  }
  for (const [name, field] of Object.entries(fields)) {
    if (!once.includes(name)) continue;
    field.length /= chunks.length;
    for (const [term, tf] of field.terms) field.terms.set(term, tf / chunks.length);
  }
  return { fields };
}

/** Signs that are no word do not part the words of a phrase. */
function wordsIn(text: string): readonly string[] {
  return text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

function holdsPhrases({ chunk, context }: IndexedChunk, phrases: readonly (readonly string[])[]): boolean {
  const texts = [chunk.text, context.text].map((text) => ` ${wordsIn(text).join(" ")} `);
  return phrases.every((phrase) => texts.some((text) => text.includes(` ${phrase.join(" ")} `)));
}

type Scored = Pick<IndexedChunk, "fields">;

function oracleScorer(
  all: readonly Scored[],
  query: { readonly terms: readonly QueryTerm[]; readonly bm25?: Bm25Options },
  averagedOver: (field: string) => readonly Scored[] = () => all,
): (chunk: Scored) => number {
  const { k1 = 1.2, fields = { body: {}, context: {} } } = query.bm25 ?? {};
  const holding = (term: string) =>
    all.filter((chunk) => Object.values(chunk.fields).some(({ terms }) => terms.has(term))).length;
  const averages = Object.fromEntries(
    Object.keys(fields).map((name) => [
      name,
      mean(averagedOver(name).map((chunk) => chunk.fields[name]?.length ?? 0)),
    ]),
  );
  return (chunk) => {
    let sum = 0;
    for (const { term, weight } of query.terms) {
      let tfn = 0;
      for (const [name, { weight: fieldWeight = 1, b = 0.75 }] of Object.entries(fields)) {
        const field = chunk.fields[name];
        const tf = field?.terms.get(term) ?? 0;
        if (tf > 0) tfn += (fieldWeight * tf) / (1 - b + (b * (field?.length ?? 0)) / (averages[name] || 1));
      }
      const df = holding(term);
      const idf = Math.log(1 + (all.length - df + 0.5) / (df + 0.5));
      if (tfn > 0) sum += (weight * idf * tfn * (k1 + 1)) / (tfn + k1);
    }
    return sum;
  };
}

export function oracleVector(
  documents: readonly BuiltDocument[],
  query: OracleQuery & { readonly vector: Float32Array },
): ScoredChunk[] {
  const nearest = (chunk: IndexedChunk) =>
    chunk.vectors.length === 0
      ? Number.NaN
      : Math.max(...chunk.vectors.map((window) => cosine(window, query.vector)));
  return ranked(documents, query, nearest, (value) => !Number.isNaN(value));
}

/** Chunks that hold the term in any field. */
export function oracleFrequency(documents: readonly BuiltDocument[], term: string): number {
  const chunks = documents.flatMap((document) => document.chunks);
  return chunks.filter(({ fields }) => Object.values(fields).some(({ terms }) => terms.has(term))).length;
}

export function oraclePasses(built: BuiltDocument, filter: Filter): boolean {
  if ("and" in filter) return !filter.and.some((part) => !oraclePasses(built, part));
  if ("or" in filter) return filter.or.some((part) => oraclePasses(built, part));
  if ("not" in filter) return !oraclePasses(built, filter.not);
  const { document } = built.record;
  const own: Record<string, unknown> = {
    documentId: document.id,
    uri: document.uri,
    title: document.title,
    language: document.language,
  };
  const value = filter.field in own ? own[filter.field] : document.metadata[filter.field];
  if (value === undefined) return false;
  return [value].flat().some((member) => passes(member, filter));
}

function passes(member: unknown, filter: Extract<Filter, { readonly field: string }>): boolean {
  if (filter.op === "eq") return member === filter.value;
  if (filter.op === "in") return filter.values.some((value) => value === member);
  if (typeof member !== typeof filter.value || member === null) return false;
  if (filter.op === "prefix") return String(member).slice(0, filter.value.length) === filter.value;
  const order = compare(member as string | number, filter.value);
  return { lt: order < 0, lte: order <= 0, gt: order > 0, gte: order >= 0 }[filter.op];
}

function ranked(
  documents: readonly BuiltDocument[],
  { limit, filter }: OracleQuery,
  score: (chunk: IndexedChunk) => number,
  appears: (score: number) => boolean,
  allowed: (chunk: IndexedChunk) => boolean = () => true,
): ScoredChunk[] {
  return documents
    .filter((document) => filter === undefined || oraclePasses(document, filter))
    .flatMap(({ chunks }) => chunks.filter(allowed))
    .map((indexed) => ({ chunk: indexed.chunk, score: score(indexed) }))
    .filter((item) => appears(item.score))
    .sort(
      (a, b) =>
        b.score - a.score ||
        compare(a.chunk.documentId, b.chunk.documentId) ||
        a.chunk.ordinal - b.chunk.ordinal,
    )
    .slice(0, Math.max(0, limit))
    .map((item) => ({ chunkId: item.chunk.id, score: item.score }));
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  return dot === 0 ? 0 : dot / (Math.hypot(...a) * Math.hypot(...b));
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
