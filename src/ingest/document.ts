import {
  type Chunk,
  type Context,
  type Document,
  type DocumentInput,
  type DocumentSummary,
  KonteksError,
  NO_USAGE,
} from "../spec/index.ts";
import type { Contextualized } from "./contextualize/contextualize.ts";
import { comeLater, type EmbeddedChunks, embedChunks, keptOfChunks } from "./embed-chunks.ts";
import type { DocumentParts, IngestRunOptions } from "./parts.ts";
import type { OpenedDocument, PendingDocument } from "./pending.ts";
import { chunksOf, withWarnings } from "./prepare.ts";
import { prepareApart } from "./prepare-apart.ts";
import type { Indexed } from "./prepared.ts";
import type { Outcome } from "./report.ts";
import { writeDocument } from "./write.ts";

/** What is known of a document that is in the index already. */
export type KnownDocument = Pick<DocumentSummary, "id" | "contentHash" | "failures" | "source" | "uri">;

/**
 * load → chunk → contextualize → embed → write, for one document; it becomes visible all at once, a model's
 * vectors excepted, which come later (embed-later.ts). With
 * `options.apart` all that needs no model and no store is done in another process.
 */
export async function ingestDocument(
  parts: DocumentParts,
  pending: PendingDocument,
  { contentHash, read, reading }: OpenedDocument,
  known: KnownDocument | undefined,
  options: IngestRunOptions,
): Promise<Outcome> {
  if (!pending.moved) checkOwner(pending.id, known, parts.source);
  const current = known?.contentHash === contentHash && known.failures === 0 && !pending.moved;
  if (current && options.force !== true) return { status: "unchanged" };

  const { input } = pending;
  const apart = reading && options.apart ? await prepareApart(reading, parts, options.signal) : undefined;
  if (apart) return finishDocument(parts, { ...apart, input, contentHash }, known !== undefined, options);
  const document = withWarnings(await read());
  const chunks = chunksOf(document, input, parts.chunk);
  return finishDocument(parts, { document, chunks, input, contentHash }, known !== undefined, options);
}

/** A document that has been read and cut. */
export interface CutDocument {
  readonly document: Document;
  readonly chunks: readonly Chunk[];
  readonly input: DocumentInput | undefined;
  readonly contentHash: string;
  /** What comes before writing, if it is done already. */
  readonly indexed?: Indexed | undefined;
}

/** contextualize → embed → write. */
export async function finishDocument(
  parts: DocumentParts,
  { document, chunks, input, contentHash, indexed }: CutDocument,
  known: boolean,
  options: IngestRunOptions,
): Promise<Outcome> {
  const contextualized =
    indexed?.contextualized ?? (await contextualize(parts, document, chunks, input, options));
  const made = parts.embedder && comeLater(parts.embedder) ? undefined : indexed?.embedded;
  const embedded =
    made ?? (await embed(parts, document, chunks, contextualized.contexts, input, options.signal));
  await parts.saveIdentity(embedded.vectors.flat()[0]?.length ?? parts.embedder?.dimensions ?? 0);
  const failures = { ...contextualized.failures, ...embedded.failures };
  const { contexts } = contextualized;
  await writeDocument(parts, {
    document,
    chunks,
    contexts,
    vectors: embedded.vectors,
    fields: indexed?.fields,
    contentHash,
    source: parts.source,
    failures,
    pending: embedded.pending,
  });
  return {
    status: known ? "replaced" : "added",
    chunks: chunks.length,
    failures,
    warnings: [...(document.warnings ?? []), ...(contextualized.warnings ?? [])],
    usage: { contexts: contextualized.usage, embeddings: embedded.usage },
    ...(contextualized.report && { contexts: contextualized.report }),
  };
}

/** The same id from two folders would overwrite one with the other; nothing is lost in silence. */
function checkOwner(id: string, known: KnownDocument | undefined, source: string): void {
  if (!known || known.source === source) return;
  throw new KonteksError(
    "wrong-option",
    `The id "${id}" is taken by a document from "${known.source}". ` +
      "Ingest a folder above both, use an index for each, or delete the other document first.",
    { facts: { id, source: known.source } },
  );
}

async function contextualize(
  parts: DocumentParts,
  document: Document,
  chunks: readonly Chunk[],
  input: DocumentInput | undefined,
  { signal, onProgress, contextRun }: IngestRunOptions,
): Promise<Contextualized> {
  const given = input?.chunks?.map((chunk) => chunk.context);
  if (given?.length && given.every((context) => context !== undefined)) {
    return { contexts: given.map(givenContext), failures: {}, usage: NO_USAGE };
  }
  const result = await parts.contextualize({
    document,
    chunks,
    signal,
    run: contextRun,
    onProgress: (done) =>
      onProgress?.({
        type: "context",
        documentId: document.id,
        done,
        chunks: chunks.length,
        ...(contextRun?.priced && { cost: contextRun.budget.spent }),
      }),
  });
  if (!given) return result;
  return {
    ...result,
    contexts: result.contexts.map((context, i) => {
      const text = given[i];
      return text === undefined ? context : givenContext(text);
    }),
  };
}

/** A context that the user brings is taken for what it mostly is: written by a model elsewhere. */
function givenContext(text: string): Context {
  return text === "" ? { kind: "none", text } : { kind: "llm", text, model: "given" };
}

async function embed(
  parts: DocumentParts,
  document: Document,
  chunks: readonly Chunk[],
  contexts: readonly Context[],
  input: DocumentInput | undefined,
  signal: AbortSignal | undefined,
): Promise<EmbeddedChunks> {
  const given = input?.chunks?.map((chunk) => chunk.vectors?.map((vector) => Float32Array.from(vector)));
  if (given?.some((vectors) => vectors !== undefined)) return givenVectors(parts, chunks, given);
  const { embedder, contextStore } = parts;
  if (embedder && comeLater(embedder))
    return keptOfChunks(document, chunks, contexts, { embedder, contextStore });
  return embedChunks(document, chunks, contexts, { embedder, contextStore, signal });
}

function givenVectors(
  parts: DocumentParts,
  chunks: readonly Chunk[],
  given: readonly (readonly Float32Array[] | undefined)[],
): EmbeddedChunks {
  if (parts.identity.embedding === "none") {
    throw new KonteksError(
      "wrong-option",
      'The documents bring vectors, but the index has no vector side. Open it with embedding: "given".',
    );
  }
  const failures: Record<string, string> = {};
  const vectors = chunks.map((chunk, i) => {
    const windows = given[i] ?? [];
    if (windows.length === 0) failures[chunk.id] = "embedding: no vector was given";
    return windows;
  });
  return { vectors, failures, usage: NO_USAGE };
}
