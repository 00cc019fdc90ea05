import type { Chunk, Document, DocumentRecord } from "../spec/index.ts";
import type { IngestParts } from "./parts.ts";

/** A document as the index holds it; its blocks are not kept. */
export interface StoredDocument {
  readonly record: DocumentRecord;
  readonly document: Document;
  readonly chunks: readonly Chunk[];
}

/** Ids of documents that lack contexts or vectors, with `renewStale` also of those whose contexts are of an older state. */
export async function idsToRepair(
  { store, contextStore }: IngestParts,
  renewStale: boolean,
): Promise<readonly string[]> {
  const stale = new Set(renewStale ? contextStore.stale().map(({ documentId }) => documentId) : []);
  const wanting = (await store.listDocuments()).filter(({ id, failures }) => failures > 0 || stale.has(id));
  return wanting.map(({ id }) => id);
}

export async function documentsToRepair(
  parts: IngestParts,
  renewStale: boolean,
): Promise<readonly StoredDocument[]> {
  const ids = await idsToRepair(parts, renewStale);
  return (await Promise.all(ids.map((id) => storedDocument(parts, id)))).flatMap((one) => one ?? []);
}

export async function storedDocument(
  { store }: IngestParts,
  id: string,
): Promise<StoredDocument | undefined> {
  const record = await store.getDocument(id);
  if (record === undefined) return undefined;
  const chunks = (await store.chunksOf(id)).map(({ chunk }) => chunk);
  return { record, document: { ...record.document, blocks: [] }, chunks };
}
