import type { Chunk, Context, Document, DocumentRecord, IndexedChunk, Store } from "../spec/index.ts";
import { analyzeField } from "../text/analyze.ts";
import { type IndexParts, textForBm25 } from "../text/index-text.ts";

export interface WriteInput {
  readonly document: Document;
  readonly chunks: readonly Chunk[];
  readonly contexts: readonly Context[];
  /** Windows by chunk; an empty list where there is no vector. */
  readonly vectors: readonly (readonly Float32Array[])[];
  readonly contentHash: string;
  readonly source: string;
  /** What is missing, by chunk id. */
  readonly failures: Readonly<Record<string, string>>;
}

/** Analyses the chunks' fields and puts the document into the store as one unit. */
export async function writeDocument(store: Store, input: WriteInput): Promise<void> {
  await store.replaceDocument(
    recordOf(input),
    input.chunks.map((chunk, i) => indexedChunk(input, chunk, i)),
  );
}

function indexedChunk(input: WriteInput, chunk: Chunk, i: number): IndexedChunk {
  const context = input.contexts[i] ?? { kind: "none", text: "" };
  return {
    chunk,
    context,
    fields: analyzeFields({ title: input.document.title, chunk, context }, input.document.language),
    vectors: input.vectors[i] ?? [],
  };
}

function analyzeFields(parts: IndexParts, language: string | undefined): IndexedChunk["fields"] {
  const fields = Object.entries(textForBm25(parts));
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
  };
}
