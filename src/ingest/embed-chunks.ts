import {
  type Chunk,
  type Context,
  type Document,
  type Embedder,
  NO_USAGE,
  type Usage,
} from "../spec/index.ts";
import { textForEmbedding } from "../text/index-text.ts";
import { addUsage } from "../util/usage.ts";
import { type EmbedTextsOptions, embedTexts } from "./embed.ts";

/** Windows by chunk; an empty list where there is no vector, with its reason in `failures`, by chunk id. */
export interface EmbeddedChunks {
  readonly vectors: readonly (readonly Float32Array[])[];
  readonly failures: Readonly<Record<string, string>>;
  readonly usage: Usage;
}

/** Embeds the chunks of a document, each with its context; without an embedder there are no vectors. */
export async function embedChunks(
  { title }: Pick<Document, "title">,
  chunks: readonly Chunk[],
  contexts: readonly Context[],
  { embedder, ...options }: Omit<EmbedTextsOptions, "embedder"> & { readonly embedder: Embedder | undefined },
): Promise<EmbeddedChunks> {
  if (!embedder) return { vectors: chunks.map(() => []), failures: {}, usage: NO_USAGE };
  const texts = chunks.map((chunk, i) =>
    textForEmbedding({ title, chunk, context: contexts[i] ?? { kind: "none", text: "" } }),
  );
  await embedder.ready?.();
  let usage = NO_USAGE;
  const onUsage = (used: Usage) => {
    usage = addUsage(usage, used);
  };
  const results = await embedTexts(texts, { ...options, embedder, onUsage });
  const failures: Record<string, string> = {};
  const vectors = chunks.map((chunk, i) => {
    const result = results[i] ?? { error: "no vector came back" };
    if ("vectors" in result) return result.vectors;
    failures[chunk.id] = `embedding: ${result.error}`;
    return [];
  });
  return { vectors, failures, usage };
}
