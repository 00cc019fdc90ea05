import type { Chunk, Context, Document, DocumentRecord, IndexedChunk, Store } from "../spec/index.ts";
import { analyzeField } from "../text/analyze.ts";
import { textForBm25 } from "../text/index-text.ts";

export interface WriteInput {
  readonly document: Document;
  readonly chunks: readonly Chunk[];
  readonly contexts: readonly Context[];
  /** Windows by chunk; an empty list where there is no vector. */
  readonly vectors: readonly (readonly Float32Array[])[];
  /** The chunks' fields, if they are analysed already. */
  readonly fields?: readonly IndexedChunk["fields"][] | undefined;
  readonly contentHash: string;
  readonly source: string;
  /** What is missing, by chunk id. */
  readonly failures: Readonly<Record<string, string>>;
  /** Ordinals of chunks whose vectors come later. */
  readonly pending?: readonly number[] | undefined;
}

interface WriteParts {
  readonly store: Store;
  /** Writes in the place of the store's own. */
  readonly replaceDocument?: Store["replaceDocument"] | undefined;
}

/** Analyses the chunks' fields and puts the document into the store as one unit. */
export async function writeDocument(
  { store, replaceDocument = store.replaceDocument }: WriteParts,
  input: WriteInput,
): Promise<void> {
  await replaceDocument(
    recordOf(input),
    input.chunks.map((chunk, i) => indexedChunk(input, chunk, i)),
  );
}

function indexedChunk(input: WriteInput, chunk: Chunk, i: number): IndexedChunk {
  const context = input.contexts[i] ?? { kind: "none", text: "" };
  return {
    chunk,
    context,
    fields: input.fields?.[i] ?? analyzeChunk(input.document, chunk, context),
    vectors: input.vectors[i] ?? [],
  };
}

/** The terms of a chunk, field by field. */
export function analyzeChunk(
  { title, language }: Pick<Document, "title" | "language">,
  chunk: Chunk,
  context: Context,
): IndexedChunk["fields"] {
  const fields = Object.entries(textForBm25({ title, chunk, context }));
  return Object.fromEntries(fields.map(([name, text]) => [name, analyzeField(text, { language })]));
}

function recordOf(input: WriteInput): DocumentRecord {
  const { blocks: _, ...document } = input.document;
  return {
    document,
    contentHash: input.contentHash,
    indexedAt: new Date().toISOString(),
    source: input.source,
    ...(Object.keys(input.failures).length > 0 && { failures: input.failures }),
    ...(input.pending?.length && { pending: { chunks: input.pending } }),
  };
}
