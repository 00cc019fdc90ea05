import type {
  Context,
  DocumentRecord,
  FieldTerms,
  IndexedChunk,
  Metadata,
  PendingVectors,
  Store,
} from "../../spec/index.ts";

/** A chunk of a test document: its text, and what stands beside it. */
export interface ChunkDraft {
  readonly text: string;
  readonly context?: string;
  readonly kind?: Context["kind"];
  readonly vectors?: readonly (readonly number[])[];
}

/** A test document: its chunks stand one after another, a line each. */
export interface DocumentDraft {
  readonly id: string;
  readonly chunks: readonly (string | ChunkDraft)[];
  readonly title?: string;
  readonly uri?: string;
  readonly language?: string;
  readonly metadata?: Metadata;
  readonly failures?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
  readonly pending?: PendingVectors;
}

export interface BuiltDocument {
  readonly record: DocumentRecord;
  readonly chunks: readonly IndexedChunk[];
}

/** Makes what a store is given out of a draft. Words are what white space separates, as they stand. */
export function buildDocument(draft: DocumentDraft): BuiltDocument {
  const chunks: IndexedChunk[] = [];
  let text = "";
  for (const [ordinal, given] of draft.chunks.entries()) {
    const chunk = typeof given === "string" ? { text: given } : given;
    chunks.push(indexedChunk(draft.id, ordinal, text.length, chunk));
    text += `${chunk.text}\n`;
  }
  return { record: recordOf(draft, text), chunks };
}

export async function put(store: Store, draft: DocumentDraft): Promise<void> {
  const { record, chunks } = buildDocument(draft);
  await store.replaceDocument(record, chunks);
}

export function wordsOf(text: string): FieldTerms {
  const words = text.split(/\s+/u).filter((word) => word !== "");
  const terms = new Map<string, number>();
  for (const word of words) terms.set(word, (terms.get(word) ?? 0) + 1);
  return { length: words.length, terms };
}

/** A query of words, each of weight 1. */
export function words(text: string): { readonly term: string; readonly weight: number }[] {
  return text.split(" ").map((term) => ({ term, weight: 1 }));
}

/** How the words of a built document's chunks were found. */
export function analyzeBuilt({ chunk, context }: Pick<IndexedChunk, "chunk" | "context">): {
  readonly body: FieldTerms;
  readonly context: FieldTerms;
} {
  return { body: wordsOf(chunk.text), context: wordsOf(context.text) };
}

function indexedChunk(documentId: string, ordinal: number, start: number, draft: ChunkDraft): IndexedChunk {
  const context = draft.context ?? "";
  return {
    chunk: {
      id: `${documentId}#${ordinal}`,
      documentId,
      ordinal,
      start,
      end: start + draft.text.length,
      text: draft.text,
      headings: ["Part", `Section ${ordinal + 1}`],
      lines: [ordinal + 1, ordinal + 1],
      tokens: wordsOf(draft.text).length,
    },
    context: { kind: draft.kind ?? (context === "" ? "none" : "structural"), text: context },
    fields: { body: wordsOf(draft.text), context: wordsOf(context) },
    vectors: (draft.vectors ?? []).map((vector) => Float32Array.from(vector)),
  };
}

function recordOf(draft: DocumentDraft, text: string): DocumentRecord {
  const { id, language, warnings, failures, pending } = draft;
  return {
    document: {
      id,
      text,
      title: draft.title ?? `Title of ${id}`,
      uri: draft.uri ?? `file:///${id}`,
      format: "text",
      ...(language !== undefined && { language }),
      metadata: draft.metadata ?? {},
      outline: [{ level: 1, text: "Part", start: 0, end: 0 }],
      ...(warnings && { warnings }),
    },
    contentHash: `hash of ${id}`,
    indexedAt: "2026-01-02T03:04:05.000Z",
    source: "api",
    ...(failures && { failures }),
    ...(pending && { pending }),
  };
}
