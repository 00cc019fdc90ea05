import type { Chunk, Document, IndexedChunk } from "../spec/index.ts";
import type { Contextualized } from "./contextualize/contextualize.ts";
import type { EmbeddedChunks } from "./embed-chunks.ts";

/** A document that is read and cut, and, where no model has a say in it, ready to be written. */
export interface Prepared {
  readonly document: Document;
  readonly chunks: readonly Chunk[];
  readonly indexed?: Indexed | undefined;
}

/** What a document's chunks go into the store with. */
export interface Indexed {
  readonly contextualized: Contextualized;
  readonly embedded: EmbeddedChunks;
  readonly fields: readonly IndexedChunk["fields"][];
}

/** The same on its way between threads, in few large pieces: a copy of each term and vector by itself takes longer than making it. */
export interface Packed {
  readonly document: Document;
  /** Without what the document tells. */
  readonly chunks: readonly Omit<Chunk, "id" | "documentId" | "text">[];
  readonly indexed?: PackedIndexed | undefined;
}

interface PackedIndexed {
  readonly contextualized: Contextualized;
  readonly embedded: Omit<EmbeddedChunks, "vectors">;
  readonly windows: Uint32Array;
  readonly vectors: Float32Array;
  readonly names: readonly string[];
  readonly fields: PackedFields;
}

interface PackedFields {
  /** By chunk and name: length in words, and how many terms follow. */
  readonly sizes: Uint32Array;
  /** One behind the other, each on a line. */
  readonly terms: string;
  readonly counts: Uint32Array;
}

export function pack({ document, chunks, indexed }: Prepared): Packed {
  return {
    document,
    chunks: chunks.map(({ id: _, documentId: __, text: ___, ...rest }) => rest),
    indexed: indexed && packIndexed(indexed),
  };
}

/** What may be handed over instead of copied. */
export function transferable({ indexed }: Packed): ArrayBuffer[] {
  if (indexed === undefined) return [];
  const { windows, vectors, fields } = indexed;
  return [windows, vectors, fields.sizes, fields.counts].map(({ buffer }) => buffer as ArrayBuffer);
}

export function unpack({ document, chunks, indexed }: Packed): Prepared {
  return {
    document,
    chunks: chunks.map((chunk) => ({
      ...chunk,
      id: `${document.id}#${chunk.ordinal}`,
      documentId: document.id,
      text: document.text.slice(chunk.start, chunk.end),
    })),
    indexed: indexed && unpackIndexed(indexed),
  };
}

function packIndexed({ contextualized, embedded, fields }: Indexed): PackedIndexed {
  const { vectors, ...rest } = embedded;
  const all = vectors.flat();
  const dimensions = all[0]?.length ?? 0;
  const joined = new Float32Array(all.length * dimensions);
  for (const [i, vector] of all.entries()) joined.set(vector, i * dimensions);
  const names = Object.keys(fields[0] ?? {});
  return {
    contextualized,
    embedded: rest,
    windows: Uint32Array.from(vectors, (own) => own.length),
    vectors: joined,
    names,
    fields: packFields(fields, names),
  };
}

function unpackIndexed({
  contextualized,
  embedded,
  windows,
  vectors,
  names,
  fields,
}: PackedIndexed): Indexed {
  const count = windows.reduce((sum, own) => sum + own, 0);
  const dimensions = count === 0 ? 0 : vectors.length / count;
  let at = 0;
  const next = () => {
    at += dimensions;
    return vectors.subarray(at - dimensions, at);
  };
  const byChunk = Array.from(windows, (own) => Array.from({ length: own }, next));
  return { contextualized, embedded: { ...embedded, vectors: byChunk }, fields: unpackFields(fields, names) };
}

function packFields(fields: readonly IndexedChunk["fields"][], names: readonly string[]): PackedFields {
  const sizes: number[] = [];
  const terms: string[] = [];
  const counts: number[] = [];
  for (const chunk of fields) {
    for (const name of names) {
      const field = chunk[name];
      sizes.push(field?.length ?? 0, field?.terms.size ?? 0);
      for (const [term, count] of field?.terms ?? []) {
        terms.push(term);
        counts.push(count);
      }
    }
  }
  return { sizes: Uint32Array.from(sizes), terms: terms.join("\n"), counts: Uint32Array.from(counts) };
}

function unpackFields(
  { sizes, terms, counts }: PackedFields,
  names: readonly string[],
): IndexedChunk["fields"][] {
  const each = terms.split("\n");
  let size = 0;
  let at = 0;
  const nextField = () => {
    const length = sizes[size] as number;
    const end = at + (sizes[size + 1] as number);
    size += 2;
    const own = new Map<string, number>();
    for (; at < end; at++) own.set(each[at] as string, counts[at] as number);
    return { length, terms: own };
  };
  return Array.from({ length: names.length === 0 ? 0 : sizes.length / 2 / names.length }, () =>
    Object.fromEntries(names.map((name) => [name, nextField()])),
  );
}
