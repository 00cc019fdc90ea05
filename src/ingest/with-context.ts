import type { Chunk, Context, Embedder, IndexedChunk, Store, StoredChunk } from "../spec/index.ts";
import { textForEmbedding } from "../text/index-text.ts";
import { sha256 } from "../util/hash.ts";
import { embedChunks } from "./embed-chunks.ts";
import { windowsOf } from "./embed-windows.ts";
import type { IngestParts } from "./parts.ts";
import { analyzeChunk } from "./write.ts";

type Parts = Pick<IngestParts, "store" | "contextStore" | "embedder" | "identity">;

/**
 * What `work` finds once a chunk's context says `words` as well: the chunk is analysed and embedded as ingest would, in a
 * copy of the index that is thrown away. Undefined where that cannot be tried: no copy, vectors that the user brought, or
 * a document whose vectors would have to be paid for again.
 */
export async function withContext<T>(
  parts: Parts,
  { documentId, id }: Pick<Chunk, "documentId" | "id">,
  words: string,
  work: (store: Store) => Promise<T>,
): Promise<T | undefined> {
  const { store, identity } = parts;
  const record = await store.getDocument(documentId);
  if (!store.onCopy || !record || identity.embedding === "given") return undefined;
  const chunks = (await store.chunksOf(documentId)).map((stored) =>
    stored.chunk.id === id ? { ...stored, context: saying(stored.context, words) } : stored,
  );
  const indexed = await indexedAnew(parts, chunks, id);
  if (indexed === undefined) return undefined;
  return store.onCopy(async (copy) => {
    await copy.replaceDocument(record, indexed);
    return work(copy);
  });
}

function saying({ kind, text }: Context, words: string): Context {
  return { kind: kind === "none" ? "llm" : kind, text: text === "" ? words : `${text}\n${words}` };
}

async function indexedAnew(
  { embedder, contextStore }: Parts,
  chunks: readonly StoredChunk[],
  changed: string,
): Promise<readonly IndexedChunk[] | undefined> {
  const [first] = chunks;
  if (!first) return undefined;
  await embedder?.ready?.();
  const others = chunks.filter(({ chunk }) => chunk.id !== changed);
  if (embedder?.kind === "hosted" && !others.every((stored) => isKept(stored, embedder, contextStore)))
    return undefined;
  const { vectors, failures } = await embedChunks(
    first,
    chunks.map(({ chunk }) => chunk),
    chunks.map(({ context }) => context),
    // What is only tried is not kept.
    { embedder, contextStore: { getVector: contextStore.getVector, putVectors: () => {} } },
  );
  if (Object.keys(failures).length > 0) return undefined;
  return chunks.map((stored, i) => ({
    chunk: stored.chunk,
    context: stored.context,
    fields: analyzeChunk(stored, stored.chunk, stored.context),
    vectors: vectors[i] ?? [],
  }));
}

function isKept(stored: StoredChunk, { id, maxTokens }: Embedder, kept: Parts["contextStore"]): boolean {
  return windowsOf(textForEmbedding(stored), maxTokens).every(
    (text) => kept.getVector({ model: id, textHash: sha256(text) }) !== undefined,
  );
}
