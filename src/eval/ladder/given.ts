import type { ChunkInput, Konteks, StoredChunk } from "../../spec/index.ts";
import { emptyIndex } from "../build.ts";
import type { GivenChunks } from "./steps.ts";

/**
 * The chunks of an index with the contexts that a model wrote for them, so that the ladder can be run on what was paid
 * for already. Refuses an empty index.
 */
export async function chunksOfIndex(konteks: Konteks, name: string): Promise<GivenChunks> {
  const documents = await konteks.documents();
  if (documents.every((document) => document.chunks === 0)) throw emptyIndex(name);
  const entries = documents.map(async ({ id }) => [id, (await konteks.chunks(id)).map(toInput)] as const);
  return new Map(await Promise.all(entries));
}

function toInput({ chunk, context }: StoredChunk): ChunkInput {
  const { start, end } = chunk;
  return { start, end, ...(context.kind === "llm" ? { context: context.text } : {}) };
}
