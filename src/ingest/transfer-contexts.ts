import {
  type ImportedContext,
  type ImportReport,
  KonteksError,
  type StoredChunk,
  type StoredContext,
} from "../spec/index.ts";
import { documentHash, keysOf } from "./contextualize/recipe.ts";
import type { IngestParts } from "./parts.ts";

/** The contexts of this index's model and prompt; without a model all there are. */
export function exportContexts({ contextStore, recipe }: IngestParts): Iterable<StoredContext> {
  return contextStore.contexts(recipe);
}

interface Chunks {
  readonly hash: string;
  readonly stored: readonly StoredChunk[];
  readonly hashes: readonly string[];
}

/** What is there stays: an imported context never takes the place of one that was paid for. */
export async function importContexts(
  parts: IngestParts,
  contexts: Iterable<ImportedContext>,
): Promise<ImportReport> {
  const { contextStore } = parts;
  const documents = new Map<string, Promise<Chunks | undefined>>();
  const unmatched: string[] = [];
  let imported = 0;
  let known = 0;
  for (const one of contexts) {
    const context = isStored(one) ? one : await placed(parts, one, documents);
    if (context === undefined) unmatched.push(nameOf(one));
    else if (contextStore.get(context) !== undefined) known += 1;
    else {
      contextStore.put(context);
      imported += 1;
    }
  }
  return { imported, known, unmatched };
}

function isStored(one: ImportedContext): one is StoredContext {
  return "chunkHash" in one && "recipe" in one;
}

function nameOf(one: ImportedContext): string {
  return "chunkId" in one ? one.chunkId : one.documentId;
}

/** The chunk of the index that a context is for. */
async function placed(
  parts: IngestParts,
  one: Exclude<ImportedContext, StoredContext>,
  documents: Map<string, Promise<Chunks | undefined>>,
): Promise<StoredContext | undefined> {
  const { recipe } = parts;
  if (recipe === undefined) throw noRecipe();
  const place = "chunkId" in one ? placeOf(one.chunkId) : { documentId: one.documentId, ordinal: undefined };
  if (place === undefined) return undefined;
  const { documentId } = place;
  const chunks = documents.get(documentId) ?? chunksOf(parts, documentId, recipe);
  documents.set(documentId, chunks);
  const found = await chunks;
  if (found === undefined) return undefined;
  const index =
    "chunkId" in one
      ? found.stored.findIndex(({ chunk }) => chunk.ordinal === place.ordinal)
      : found.stored.findIndex(({ chunk }) => chunk.text.trim() === one.chunk.trim());
  const chunkHash = found.hashes[index];
  if (chunkHash === undefined) return undefined;
  return {
    documentId,
    chunkHash,
    recipe,
    text: one.context,
    model: one.model ?? "imported",
    documentHash: found.hash,
    createdAt: new Date().toISOString(),
    policy: "imported",
  };
}

/** `report.md#3`, as chunks are called here, or `report_chunk_3`, as in the published data. */
function placeOf(chunkId: string): { readonly documentId: string; readonly ordinal: number } | undefined {
  const match = /^(.*)(?:#|_chunk_)(\d+)$/.exec(chunkId);
  return match === null ? undefined : { documentId: match[1] ?? "", ordinal: Number(match[2]) };
}

async function chunksOf(
  { store }: IngestParts,
  documentId: string,
  recipe: string,
): Promise<Chunks | undefined> {
  const record = await store.getDocument(documentId);
  if (record === undefined) return undefined;
  const stored = await store.chunksOf(documentId);
  const texts = stored.map(({ chunk }) => chunk);
  const hashes = keysOf(documentId, texts, recipe).map(({ chunkHash }) => chunkHash);
  return { hash: documentHash(record.document), stored, hashes };
}

function noRecipe(): KonteksError {
  return new KonteksError(
    "wrong-option",
    "This index is made without a context model, so that no context of a model has a place in it. " +
      "Make it with --context-model, and with --max-cost 0 if no call is to be made.",
  );
}
