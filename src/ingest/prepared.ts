import { type Chunk, type Document, type FieldTerms, type IndexedChunk, NO_USAGE } from "../spec/index.ts";
import { addUsage } from "../util/usage.ts";
import type { Contextualized } from "./contextualize/contextualize.ts";
import type { EmbeddedChunks } from "./embed-chunks.ts";

/** A document that is read and cut, and, where no model has a say in it, ready to be written. */
export interface Prepared {
  readonly document: Document;
  readonly chunks: readonly Chunk[];
  readonly indexed?: Indexed | undefined;
}

/** What a document's chunks go into the store with. */
export interface Indexed extends Part {
  readonly contextualized: Contextualized;
}

/** Of some chunks that follow each other. */
export interface Part {
  readonly embedded: EmbeddedChunks;
  readonly fields: readonly IndexedChunk["fields"][];
}

/** The same on its way between processes; parts go ahead of it. */
export interface Packed {
  readonly document: Document;
  /** Without what the document tells. */
  readonly chunks: readonly Omit<Chunk, "id" | "documentId" | "text">[];
  readonly contextualized?: Contextualized | undefined;
}

/** In few large pieces: a copy of each term and vector by itself takes longer than making it. */
export interface PackedPart {
  readonly embedded: Omit<EmbeddedChunks, "vectors">;
  /** By chunk. */
  readonly windows: Uint32Array;
  readonly vectors: Float32Array;
  readonly names: readonly string[];
  /** In words, by chunk and name. */
  readonly lengths: Uint32Array;
  /** By chunk and name: one behind the other, each on a line. */
  readonly terms: readonly string[];
  /** How often each term stands in its field; one behind the other as well. */
  readonly counts: Uint32Array;
}

export function pack({ document, chunks }: Prepared, contextualized?: Contextualized): Packed {
  return {
    document,
    chunks: chunks.map(({ id: _, documentId: __, text: ___, ...rest }) => rest),
    contextualized,
  };
}

export function unpack(
  { document, chunks, contextualized }: Packed,
  parts: readonly PackedPart[] = [],
): Prepared {
  return {
    document,
    chunks: chunks.map((chunk) => ({
      ...chunk,
      id: `${document.id}#${chunk.ordinal}`,
      documentId: document.id,
      text: document.text.slice(chunk.start, chunk.end),
    })),
    indexed: contextualized && { contextualized, ...joined(parts.map(unpackPart)) },
  };
}

export function packPart({ embedded: { vectors, ...embedded }, fields }: Part): PackedPart {
  const all = vectors.flat();
  const dimensions = all[0]?.length ?? 0;
  const together = new Float32Array(all.length * dimensions);
  for (const [i, vector] of all.entries()) together.set(vector, i * dimensions);
  return {
    embedded,
    windows: Uint32Array.from(vectors, (own) => own.length),
    vectors: together,
    ...packFields(fields, Object.keys(fields[0] ?? {})),
  };
}

function packFields(
  fields: Part["fields"],
  names: readonly string[],
): Pick<PackedPart, "names" | "lengths" | "terms" | "counts"> {
  const each = fields.flatMap((chunk) => names.map((name) => chunk[name]));
  const counts: number[] = [];
  for (const field of each) for (const count of field?.terms.values() ?? []) counts.push(count);
  return {
    names,
    lengths: Uint32Array.from(each, (field) => field?.length ?? 0),
    terms: each.map((field) => [...(field?.terms.keys() ?? [])].join("\n")),
    counts: Uint32Array.from(counts),
  };
}

function unpackPart(part: PackedPart): Part {
  const { embedded, windows, vectors } = part;
  const count = windows.reduce((sum, own) => sum + own, 0);
  const dimensions = count === 0 ? 0 : vectors.length / count;
  let at = 0;
  const next = () => {
    at += dimensions;
    return vectors.subarray(at - dimensions, at);
  };
  const byChunk = Array.from(windows, (own) => Array.from({ length: own }, next));
  return { embedded: { ...embedded, vectors: byChunk }, fields: unpackFields(part, windows.length) };
}

function unpackFields({ names, lengths, terms, counts }: PackedPart, chunks: number): Part["fields"] {
  let i = 0;
  let at = 0;
  const next = () => {
    const packed = terms[i] ?? "";
    const field = fieldOf(lengths[i] ?? 0, packed, counts, at);
    at += lineCount(packed);
    i++;
    return field;
  };
  return Array.from({ length: chunks }, () => Object.fromEntries(names.map((name) => [name, next()])));
}

/** Terms become a map when they are asked for: all those of a long document take ten times the room of their letters. */
function fieldOf(length: number, packed: string, counts: Uint32Array, start: number): FieldTerms {
  return {
    length,
    get terms() {
      const terms = packed === "" ? [] : packed.split("\n");
      return new Map(terms.map((term, i) => [term, counts[start + i] as number]));
    },
  };
}

function lineCount(packed: string): number {
  if (packed === "") return 0;
  let lines = 1;
  for (let at = packed.indexOf("\n"); at >= 0; at = packed.indexOf("\n", at + 1)) lines++;
  return lines;
}

function joined(parts: readonly Part[]): Part {
  return {
    fields: parts.flatMap(({ fields }) => fields),
    embedded: {
      vectors: parts.flatMap(({ embedded }) => embedded.vectors),
      failures: Object.assign({}, ...parts.map(({ embedded }) => embedded.failures)),
      usage: parts.reduce((sum, { embedded }) => addUsage(sum, embedded.usage), NO_USAGE),
    },
  };
}
